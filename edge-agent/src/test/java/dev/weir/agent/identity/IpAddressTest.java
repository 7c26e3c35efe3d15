package dev.weir.agent.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Seeds;
import java.net.InetAddress;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {
  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "0.0.0.0, 0.0.0.0",
    "255.255.255.255, 255.255.255.255",
    "::, ::",
    "::1, ::1",
    "1::, 1::",
    "2001:db8:0:0:0:0:0:1, 2001:db8::1",
    "2001:DB8::00A1, 2001:db8::a1",
    "2001:db8:0:1:0:0:0:1, 2001:db8:0:1::1",
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "fe80::1%eth0, fe80::1",
    "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
    "::ffff:192.0.2.1, 192.0.2.1",
    "::ffff:c000:201, 192.0.2.1",
    "0:0:0:0:0:ffff:192.0.2.1, 192.0.2.1",
  })
  void oneAddressHasOneText(String written, String canonical) {
    assertThat(IpAddress.parse(written)).hasToString(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "unknown",
        "_hidden",
        "localhost",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "01.2.3.4",
        "1.2.3.4 ",
        "0x7f.0.0.1",
        "2130706433",
        "1.2.3.-4",
        "1..2.3",
        ":",
        ":::",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1::2::3",
        "12345::",
        "g::",
        "1:2:3:4:5:6:7:8::",
        "::1.2.3",
        "1.2.3.4::",
        "fe80::1%",
        "::\u0661",
        "\u0661.2.3.4"
      })
  void whatIsNoAddressIsNotMadeIntoOne(String text) {
    assertThat(IpAddress.parse(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1:443, 192.0.2.1",
    "192.0.2.1, 192.0.2.1",
    "[2001:db8::1]:443, 2001:db8::1",
    "[2001:db8::1], 2001:db8::1",
    "2001:db8::1, 2001:db8::1",
    "[::ffff:192.0.2.1]:1, 192.0.2.1",
  })
  void aPortIsNoPartOfTheAddress(String written, String canonical) {
    assertThat(IpAddress.parseWithPort(written)).hasToString(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "192.0.2.1:",
        "192.0.2.1:x",
        "192.0.2.1:123456",
        "[::1",
        "[::1]x",
        "[::1]:",
        "[]",
        "[",
        "[192.0.2.1]:80",
        ":80",
        "host:80",
        "::1]:80"
      })
  void aPortThatIsNoneMakesTheWholeNoAddress(String text) {
    assertThat(IpAddress.parseWithPort(text)).isNull();
  }

  @Test
  void prefixesKeepTheFirstBits() {
    assertThat(prefix("192.0.2.255", 24)).isEqualTo("192.0.2.0");
    assertThat(prefix("192.0.2.255", 0)).isEqualTo("0.0.0.0");
    assertThat(prefix("192.0.2.255", 32)).isEqualTo("192.0.2.255");
    assertThat(prefix("2001:db8:1:2:3:4:5:6", 64)).isEqualTo("2001:db8:1:2::");
    assertThat(prefix("2001:db8:1:2:3:4:5:6", 56)).isEqualTo("2001:db8:1::");
    assertThat(prefix("2001:db8:1:2:3:4:5:6", 96)).isEqualTo("2001:db8:1:2:3:4::");
    assertThat(prefix("2001:db8:1:2:3:4:5:6", 128)).isEqualTo("2001:db8:1:2:3:4:5:6");
    assertThat(prefix("2001:db8:1:2:3:4:5:6", 0)).isEqualTo("::");
  }

  @Seeds
  void theJdkReadsWhatWeWriteAndWeReadWhatTheJdkWrites(Random random) throws Exception {
    byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
    random.nextBytes(bytes);
    for (int i = 0; i < bytes.length; i++) {
      if (random.nextInt(3) > 0) {
        bytes[i] = 0; // so that there are gaps to shorten
      }
    }
    IpAddress ours = IpAddress.of(bytes);
    InetAddress theirs = InetAddress.getByAddress(bytes);

    assertThat(IpAddress.parse(theirs.getHostAddress())).isEqualTo(ours);
    assertThat(InetAddress.getByName(ours.toString())).isEqualTo(theirs);
    assertThat(IpAddress.parse(ours.toString())).isEqualTo(ours);
    assertThat(ours.bytes()).isEqualTo(theirs.getAddress());
  }

  private static String prefix(String text, int length) {
    return address(text).prefix(length).toString();
  }

  private static IpAddress address(String text) {
    return Objects.requireNonNull(IpAddress.parse(text), text);
  }
}
