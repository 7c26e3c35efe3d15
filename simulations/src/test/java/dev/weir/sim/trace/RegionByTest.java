package dev.weir.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.config.Cidr;
import dev.weir.config.IpAddress;
import dev.weir.testkit.Seeds;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegionByTest {
  @Test
  void aNameIsWhereItsLastPartIs() {
    RegionBy tld = RegionBy.parse("tld");
    assertThat(of(tld, "proxy.univ.FR")).isEqualTo("eu-west");
    assertThat(of(tld, "www.example.za.")).isEqualTo("eu-west");
    assertThat(of(tld, "pc.example.jp")).isEqualTo("ap-south");
    assertThat(of(tld, "a.b.au")).isEqualTo("ap-south");
    assertThat(of(tld, "a.br")).isEqualTo("us-east");
    for (String rough : new String[] {"x.com", "x.edu", "10.0.0.1", "2001:db8::1", "host", "."}) {
      assertThat(of(tld, rough)).isEqualTo("us-east");
    }
  }

  @Test
  void continentsAreGivenOtherRegions() {
    RegionBy tld = RegionBy.parse("tld:europe=fra, north-america=iad,other=nowhere");
    assertThat(of(tld, "x.fr")).isEqualTo("fra");
    assertThat(of(tld, "x.gov")).isEqualTo("iad");
    assertThat(of(tld, "x.com")).isEqualTo("nowhere");
    assertThat(of(tld, "x.jp")).isEqualTo("ap-south");
  }

  @Test
  void everyCountryIsOnAContinent() {
    assertThat(Locale.getISOCountries())
        .allSatisfy(
            country ->
                assertThat(Continent.of(country.toLowerCase(Locale.ROOT)))
                    .isNotEqualTo(Continent.OTHER));
  }

  @Test
  void theLongestPrefixWins(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("regions.txt"),
            """
            # ours
            10.0.0.0/8 eu-west
            10.1.0.0/16   us-east   # the office
            10.1.2.3 ap-south

            2001:db8::/32 eu-west
            2001:db8:1::/48 us-east
            """);
    RegionBy cidr = RegionBy.parse("cidr:" + file);
    assertThat(of(cidr, "10.2.0.1")).isEqualTo("eu-west");
    assertThat(of(cidr, "10.1.2.4")).isEqualTo("us-east");
    assertThat(of(cidr, "10.1.2.3")).isEqualTo("ap-south");
    assertThat(of(cidr, "::ffff:10.1.2.3")).isEqualTo("ap-south");
    assertThat(of(cidr, "2001:db8:2::1")).isEqualTo("eu-west");
    assertThat(of(cidr, "2001:db8:1::1")).isEqualTo("us-east");
    assertThat(of(cidr, "11.0.0.1")).isNull();
    assertThat(of(cidr, "www.example.fr")).isNull();
  }

  @Seeds(tries = 100)
  void blocksAreFoundAsByTryingAll(Random random) throws IOException, TraceException {
    Map<String, String> regions = new LinkedHashMap<>();
    StringBuilder text = new StringBuilder("0.0.0.0/0 v4\n::/0 v6\n");
    for (int i = 0; i < 50; i++) {
      byte[] address = address(random);
      int bits = random.nextInt(8 * address.length + 1);
      for (int bit = bits; bit < 8 * address.length; bit++) {
        address[bit / 8] &= (byte) ~(0x80 >> (bit % 8));
      }
      String block = InetAddress.getByAddress(address).getHostAddress() + "/" + bits;
      if (bits > 0 && regions.putIfAbsent(block, "r" + i) == null) {
        text.append(block).append(" r").append(i).append('\n');
      }
    }
    regions.put("0.0.0.0/0", "v4");
    regions.put("::/0", "v6");
    RegionBy cidr = RegionByCidr.read(new Lines("t", new StringReader(text.toString())));
    for (int i = 0; i < 100; i++) {
      byte[] address = address(random);
      String client = InetAddress.getByAddress(address).getHostAddress();
      assertThat(of(cidr, client)).as(client).isEqualTo(longest(regions, client));
    }
  }

  @Test
  void whatIsWrongInAFileOfBlocksIsSaidWithFileAndLine(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("r.txt");
    assertProblem("cidr:" + file, "cannot read \"" + file + "\"");
    Files.writeString(file, "10.0.0.0/8 a\n10.0.0.1/8 b\n");
    assertProblem("cidr:" + file, file + ":2: \"10.0.0.1/8\" has bits set beyond its prefix");
    Files.writeString(file, "10.0.0.0/8\n");
    assertProblem("cidr:" + file, file + ":1: expected a block of addresses and a region");
    Files.writeString(file, "10.0.0.0/8 a\n10.0.0.0/8 b\n");
    assertProblem("cidr:" + file, file + ":2: these addresses are already a's");
    Files.writeString(file, "# nothing\n");
    assertProblem("cidr:" + file, file + ": names no region");
  }

  @Test
  void clientsAreSharedOutByWeight() {
    RegionBy hash = RegionBy.parse("hash:a=2,b, c=1");
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < 40_000; i++) {
      counts.merge(
          Objects.requireNonNull(of(hash, "10.0." + i / 256 + "." + i % 256)), 1, Integer::sum);
    }
    // Six times the spread of 40,000 dice.
    assertThat(counts.getOrDefault("a", 0) / 40_000.0).isCloseTo(0.5, within(0.015));
    assertThat(counts.getOrDefault("b", 0) / 40_000.0).isCloseTo(0.25, within(0.015));
    assertThat(counts.getOrDefault("c", 0) / 40_000.0).isCloseTo(0.25, within(0.015));
  }

  @Test
  void oneMoreRegionMovesNobodyBetweenTheOthers() {
    RegionBy two = RegionBy.parse("hash:a,b");
    RegionBy three = RegionBy.parse("hash:c,b,a");
    for (int i = 0; i < 1000; i++) {
      assertThat(of(three, "client" + i)).isIn("c", of(two, "client" + i));
    }
  }

  @Test
  void aClientIsInTheSameRegionOnEveryMachine() {
    RegionBy hash = RegionBy.parse("hash:eu-west,us-east,ap-south");
    assertThat(of(hash, "192.0.2.1")).isEqualTo("us-east");
    assertThat(of(hash, "192.0.2.2")).isEqualTo("ap-south");
    assertThat(of(hash, "192.0.2.3")).isEqualTo("eu-west");
  }

  @Test
  void whatIsWrongIsSaidWithTheWayToWriteIt() {
    assertProblem("asn", "\"asn\" is no way to find a region; write tld, cidr:FILE, column:NAME");
    assertProblem("hash", "\"hash\" does not say the region; write");
    assertProblem("column:", "\"column:\" does not say the region; write");
    assertProblem("hash:a,,b", "has a region without a name");
    assertProblem("hash:a,b,a", "names the region a twice");
    assertProblem("hash:a=0", "the weight \"0\" is no number above 0");
    assertProblem("hash:a=much", "the weight \"much\" is no number above 0");
    assertProblem("tld:fra", "\"fra\" does not say the region of a continent");
    assertProblem("tld:eurasia=a", "\"eurasia\" is none of europe, africa, north-america,");
  }

  private static @Nullable String of(RegionBy regionBy, String client) {
    return regionBy.region(
        new RowFields() {
          @Override
          public String client() {
            return client;
          }

          @Override
          public @Nullable String field(String name) {
            return null;
          }
        });
  }

  /** Few different bits, so that blocks lie within blocks. */
  private static byte[] address(Random random) {
    byte[] address = new byte[random.nextBoolean() ? 4 : 16];
    for (int i = 0; i < address.length; i++) {
      address[i] = (byte) (random.nextInt(4) == 0 ? 0x81 : 0x80);
    }
    return address;
  }

  private static @Nullable String longest(Map<String, String> regions, String client) {
    byte[] address = Objects.requireNonNull(IpAddress.parse(client));
    String best = null;
    int bestBits = -1;
    for (Map.Entry<String, String> entry : regions.entrySet()) {
      String block = entry.getKey();
      int bits = Integer.parseInt(block.substring(block.indexOf('/') + 1));
      if (bits > bestBits && Cidr.of(block).contains(address)) {
        best = entry.getValue();
        bestBits = bits;
      }
    }
    return best;
  }

  private static void assertProblem(String text, String message) {
    assertThatThrownBy(() -> RegionBy.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
