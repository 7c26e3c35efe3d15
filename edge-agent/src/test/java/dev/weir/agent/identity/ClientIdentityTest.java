package dev.weir.agent.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.config.Cidr;
import dev.weir.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClientIdentityTest {
  private static final ClientIdentity BEHIND_PROXIES =
      new ClientIdentity(List.of(Cidr.of("10.0.0.0/8"), Cidr.of("fd00::/8")));

  @Test
  void withoutTrustedProxiesTheHeaderIsNotBelieved() {
    assertThat(new ClientIdentity().describe(address("198.51.100.7"), List.of("192.0.2.1")))
        .isEqualTo("198.51.100.7");
  }

  @Test
  void aStrangerWhoSendsTheHeaderIsStillTheStranger() {
    assertThat(describe("198.51.100.7", "192.0.2.1, 10.0.0.1")).isEqualTo("198.51.100.7");
  }

  @Test
  void whatTheNearestProxyWroteIsBelieved() {
    assertThat(describe("10.0.0.1", "192.0.2.1")).isEqualTo("192.0.2.1");
    assertThat(describe("10.0.0.1", "192.0.2.1:5123")).isEqualTo("192.0.2.1");
    assertThat(describe("fd00::1", "[2001:db8:1:2:3::4]:443")).isEqualTo("2001:db8:1:2::/64");
  }

  @Test
  void whatTheClientMadeUpToTheLeftIsNot() {
    assertThat(describe("10.0.0.1", "203.0.113.9, 192.0.2.1")).isEqualTo("192.0.2.1");
    assertThat(describe("10.0.0.1", "10.9.9.9, 192.0.2.1")).isEqualTo("192.0.2.1");
    assertThat(describe("10.0.0.1", "nonsense, 192.0.2.1")).isEqualTo("192.0.2.1");
  }

  @Test
  void aChainOfProxiesIsFollowedToItsEnd() {
    assertThat(describe("10.0.0.1", "192.0.2.1, 10.0.0.3, 10.0.0.2")).isEqualTo("192.0.2.1");
    assertThat(describe("10.0.0.1", "10.0.0.3, 10.0.0.2")).isEqualTo("10.0.0.3");
  }

  @Test
  void severalLinesAreOneList() {
    assertThat(
            BEHIND_PROXIES.describe(
                address("10.0.0.1"), List.of("203.0.113.9", "192.0.2.1, 10.0.0.2")))
        .isEqualTo("192.0.2.1");
  }

  @Test
  void aHopThatIsNoAddressChargesTheProxyThatSentIt() {
    assertThat(describe("10.0.0.1", "192.0.2.1, unknown")).isEqualTo("10.0.0.1");
    assertThat(describe("10.0.0.1", "192.0.2.1, unknown, 10.0.0.2")).isEqualTo("10.0.0.2");
    assertThat(describe("10.0.0.1", "")).isEqualTo("10.0.0.1");
    assertThat(describe("10.0.0.1", "192.0.2.1,, ")).isEqualTo("192.0.2.1");
  }

  @Test
  void mappedAndPlainAreOneClient() {
    assertThat(describe("::ffff:10.0.0.1", "::ffff:192.0.2.1")).isEqualTo("192.0.2.1");
  }

  @Test
  void allAddressesOfOneSubscriberAreOneClient() {
    assertThat(describe("10.0.0.1", "2001:db8:1:2::1"))
        .isEqualTo(describe("10.0.0.1", "2001:db8:1:2:ffff::9"))
        .isNotEqualTo(describe("10.0.0.1", "2001:db8:1:3::1"));
    ClientIdentity byAddress = new ClientIdentity(List.of(), 24, 128);
    assertThat(byAddress.describe(address("2001:db8::1"), List.of())).isEqualTo("2001:db8::1");
    assertThat(byAddress.describe(address("192.0.2.77"), List.of())).isEqualTo("192.0.2.0/24");
  }

  @Test
  void prefixesThatCannotBeAreRefused() {
    assertThatThrownBy(() -> new ClientIdentity(List.of(), 33, 64))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ClientIdentity(List.of(), 32, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** An attacker writes what it likes, then one honest proxy appends where it came from. */
  @Seeds
  void nothingAClientWritesChangesWhoItIs(Random random) {
    List<String> pieces =
        List.of(
            "10.0.0.9", "192.0.2.1", "::1", "unknown", "", ",", "[", "]:1", "\u00e4", "fd00::2");
    List<String> lines = new ArrayList<>();
    for (int line = random.nextInt(4); line > 0; line--) {
      StringBuilder text = new StringBuilder();
      for (int piece = random.nextInt(6); piece > 0; piece--) {
        text.append(pieces.get(random.nextInt(pieces.size())))
            .append(random.nextBoolean() ? "," : "");
      }
      lines.add(text.toString());
    }
    boolean sameLine = !lines.isEmpty() && random.nextBoolean();
    if (sameLine) {
      lines.set(lines.size() - 1, lines.get(lines.size() - 1) + ", 198.51.100.7");
    } else {
      lines.add("198.51.100.7");
    }

    assertThat(BEHIND_PROXIES.describe(address("10.0.0.1"), lines)).isEqualTo("198.51.100.7");
  }

  private static String describe(String peer, String forwardedFor) {
    return BEHIND_PROXIES.describe(address(peer), List.of(forwardedFor));
  }

  private static IpAddress address(String text) {
    return Objects.requireNonNull(IpAddress.parse(text), text);
  }
}
