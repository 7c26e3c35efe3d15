package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Exhaustive;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionTest {
  private static final List<String> NAMES =
      List.of("limit", "burst", "maxCost", "ttl", "onLeaseExpiry", "onFloorExpiry", "enforcement");

  @Test
  void aSlipOfAFingerIsRecognised() {
    assertThat(Suggestion.near("limti", NAMES)).isEqualTo("limit");
    assertThat(Suggestion.near("brst", NAMES)).isEqualTo("burst");
    assertThat(Suggestion.near("maxcost", NAMES)).isEqualTo("maxCost");
    assertThat(Suggestion.near("ttls", NAMES)).isEqualTo("ttl");
    assertThat(Suggestion.near("on_lease_expiry", NAMES)).isEqualTo("onLeaseExpiry");
    assertThat(Suggestion.near("enforce", NAMES)).isEqualTo("enforcement");
  }

  @Test
  void whatIsNearToNothingMeansNothing() {
    assertThat(Suggestion.near("x", List.of("s", "h"))).isNull();
    assertThat(Suggestion.near("", NAMES)).isNull();
    assertThat(Suggestion.near("window", NAMES)).isNull();
    assertThat(Suggestion.near("x".repeat(10_000), NAMES)).isNull();
  }

  @Test
  void theDistanceIsTheSameBothWaysAndZeroOnlyForEqualWords() {
    List<String> words = List.of("", "a", "b", "ab", "ba", "abc", "acb", "cab", "bca");
    Exhaustive all = new Exhaustive();
    while (all.more()) {
      String one = all.of(words);
      String other = all.of(words);
      int distance = Suggestion.distance(one, other);
      assertThat(distance).isEqualTo(Suggestion.distance(other, one));
      assertThat(distance == 0).isEqualTo(one.equals(other));
      assertThat(distance)
          .isBetween(
              Math.abs(one.length() - other.length()), Math.max(one.length(), other.length()));
    }
    assertThat(Suggestion.distance("abc", "acb")).isEqualTo(1);
    assertThat(Suggestion.distance("abc", "b")).isEqualTo(2);
  }
}
