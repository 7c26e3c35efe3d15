package dev.weir.sim.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MovesTest {
  private static final List<String> REGIONS = List.of("a", "b", "c");

  private final Moves moves = Moves.plan(REGIONS, 50, 1000, 200, 20, new Random(7));

  @Test
  void eachMoveGoesFromWhereTheLoadIsToSomewhereElse() {
    String at = moves.first();
    for (Moves.Move move : moves.moves()) {
      assertThat(move.from()).isEqualTo(at);
      assertThat(move.to()).isNotEqualTo(at).isIn(REGIONS);
      at = move.to();
    }
  }

  @Test
  void movesAreApartByAtLeastWhatWasAskedAndNotEvenly() {
    List<Long> gaps =
        java.util.stream.IntStream.range(1, 50)
            .mapToObj(i -> moves.moves().get(i).atNanos() - moves.moves().get(i - 1).atNanos())
            .toList();
    assertThat(gaps).allSatisfy(gap -> assertThat(gap).isBetween(200L, 220L));
    assertThat(gaps.stream().distinct().count()).isGreaterThan(5);
    assertThat(moves.moves().get(0).atNanos()).isEqualTo(1000);
  }

  @Test
  void theLoadIsWhereTheLastMoveTookIt() {
    assertThat(moves.at(999)).isEqualTo("a");
    assertThat(moves.at(1000)).isEqualTo(moves.moves().get(0).to());
    assertThat(moves.at(Long.MAX_VALUE)).isEqualTo(moves.moves().get(49).to());
    assertThat(moves.nextAfter(0, 99)).isEqualTo(moves.moves().get(1).atNanos());
    assertThat(moves.nextAfter(49, 99_999)).isEqualTo(99_999);
  }
}
