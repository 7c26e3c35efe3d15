package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.Seeds;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {
  @Test
  void aBlockHoldsWhatBeginsLikeIt() {
    assertThat(holds("10.0.0.0/8", "10.255.1.2")).isTrue();
    assertThat(holds("10.0.0.0/8", "11.0.0.0")).isFalse();
    assertThat(holds("192.168.4.0/22", "192.168.7.255")).isTrue();
    assertThat(holds("192.168.4.0/22", "192.168.8.0")).isFalse();
    assertThat(holds("0.0.0.0/0", "1.2.3.4")).isTrue();
    assertThat(holds("0.0.0.0/0", "::1")).isFalse();
    assertThat(holds("127.0.0.1", "127.0.0.1")).isTrue();
    assertThat(holds("127.0.0.1", "127.0.0.2")).isFalse();
    assertThat(holds("2001:db8::/33", "2001:db8:7fff::1")).isTrue();
    assertThat(holds("2001:db8::/33", "2001:db8:8000::1")).isFalse();
    assertThat(holds("10.0.0.0/8", "::ffff:10.1.1.1")).isTrue();
  }

  @Test
  void equalBlocksAreEqualHoweverTheyAreWritten() {
    assertThat(Cidr.of("::1/128"))
        .isEqualTo(Cidr.of("0:0::0:1"))
        .hasSameHashCodeAs(Cidr.of("0:0::0:1"));
    assertThat(Cidr.of("10.0.0.0/8")).isNotEqualTo(Cidr.of("10.0.0.0/9")).hasToString("10.0.0.0/8");
  }

  @Test
  void aBlockThatIsNoneIsRefused() {
    assertThatThrownBy(() -> Cidr.of("10.0.0.1/8"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"10.0.0.1/8\" has bits set beyond its prefix of 8");
    assertThatThrownBy(() -> Cidr.of("10.0.0.0/33"))
        .hasMessage("\"10.0.0.0/33\" must be between 0 and 32");
    assertThatThrownBy(() -> Cidr.of("proxy.example/8"))
        .hasMessage(
            "\"proxy.example/8\" is not a block of addresses, as in 10.0.0.0/8 or 2001:db8::/32");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1.2.3",
        "1.2.3.4.5",
        "256.1.1.1",
        "01.2.3.4",
        "1.2.3.4 ",
        "a.b.c.d",
        "::1%eth0",
        "[::1]",
        "1::2::3",
        ":1",
        "1:",
        ":::",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "12345::",
        "1:2:3:4:5:6:7::8",
        "::g",
        "::1.2.3",
        "1.2.3.4::",
        "::1.2.3.4:5",
        "localhost",
        "::-1",
        "::+1"
      })
  void textThatIsNoAddressIsNone(String text) {
    assertThat(IpAddress.parse(text)).isNull();
  }

  @Seeds
  void everyFormOfAnAddressGivesItsBytes(Random random) throws UnknownHostException {
    byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
    random.nextBytes(bytes);
    for (int i = random.nextInt(bytes.length); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = 0;
    }
    String text = InetAddress.getByAddress(bytes).getHostAddress();
    assertThat(IpAddress.parse(text)).isEqualTo(bytes);
    String shortened = text.contains(":") ? text.replaceFirst("(^|:)(0:)+", "::") : text;
    assertThat(IpAddress.parse(shortened)).isEqualTo(bytes);
  }

  @Test
  void anIpv4AddressInIpv6IsTheIpv4Address() {
    assertThat(IpAddress.parse("::ffff:1.2.3.4")).containsExactly(1, 2, 3, 4);
    assertThat(IpAddress.parse("::ffff:102:304")).containsExactly(1, 2, 3, 4);
    assertThat(IpAddress.parse("64:ff9b::1.2.3.4")).hasSize(16);
  }

  private static boolean holds(String block, String address) {
    byte[] bytes = IpAddress.parse(address);
    if (bytes == null) {
      throw new AssertionError(address);
    }
    return Cidr.of(block).contains(bytes);
  }
}
