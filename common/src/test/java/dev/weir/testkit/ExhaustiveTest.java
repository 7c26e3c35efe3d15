package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExhaustiveTest {
  @Test
  void everyCombinationComesOnceInOrder() {
    List<String> seen = new ArrayList<>();
    Exhaustive all = new Exhaustive();
    while (all.more()) {
      seen.add(all.between(4, 5) + " " + all.flip() + " " + all.of(List.of("x", "y")));
    }
    assertThat(seen)
        .containsExactly(
            "4 false x",
            "4 false y",
            "4 true x",
            "4 true y",
            "5 false x",
            "5 false y",
            "5 true x",
            "5 true y");
  }

  @Test
  void laterDrawsMayDependOnEarlierOnes() {
    List<String> seen = new ArrayList<>();
    Exhaustive all = new Exhaustive();
    while (all.more()) {
      StringBuilder digits = new StringBuilder();
      for (int length = all.between(0, 2); length > 0; length--) {
        digits.append(all.between(0, length - 1));
      }
      seen.add(digits.toString());
    }
    assertThat(seen).containsExactly("", "0", "00", "10");
  }

  @Test
  void aBodyWithoutADrawRunsOnce() {
    Exhaustive all = new Exhaustive();
    assertThat(all.more()).isTrue();
    assertThat(all.more()).isFalse();
  }

  @Test
  void aDrawThatDependsOnAnythingElseIsFound() {
    Exhaustive all = new Exhaustive();
    assertThat(all.more()).isTrue();
    assertThat(all.between(0, 3) + all.between(0, 1)).isZero();
    assertThat(all.more()).isTrue();
    assertThatThrownBy(() -> all.between(0, 5)).isInstanceOf(IllegalStateException.class);
  }
}
