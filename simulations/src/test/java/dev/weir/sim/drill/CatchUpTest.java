package dev.weir.sim.drill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.sim.judge.Admitted;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A region is to reach 900/s and keep it for 100 ms, in batches that come every 5 ms. */
class CatchUpTest {
  private static final long MILLI = 1_000_000L;
  private static final long START =
      Math.subtractExact(Long.MAX_VALUE, 700 * MILLI); // the clock wraps

  private final CatchUp catchUp = new CatchUp(900, 100 * MILLI, 10);
  private final List<Admitted> admitted = new ArrayList<>();

  @Test
  void aRateThatIsThereFromTheBeginningIsReachedWithItsFirstAdmission() {
    from(0, 2000, 900);
    assertThat(reachedMillis(0)).isZero();
  }

  @Test
  void whatTheFloorHeldIsNotMistakenForALease() {
    from(0, 30, 1500);
    from(60, 2000, 1500);
    assertThat(reachedMillis(0)).isZero(); // the burst makes up for the wait
    assertThat(reachedMillis(45)).isEqualTo(60);
  }

  @Test
  void aDroughtThatATrickleGoesThroughEndsWhereTheRateBegins() {
    from(0, 25, 1500);
    for (int at = 30; at < 130; at += 30) {
      tokens(at, 1);
    }
    from(130, 2000, 930);
    // The last of the trickle is within the slack, 11 ms.
    assertThat(reachedMillis(33)).isEqualTo(120);
    assertThat(
            new CatchUp(900, 100 * MILLI, 5)
                .reachedNanos(admitted, START, START + 2000 * MILLI, 33))
        .hasValue(130 * MILLI);
  }

  @Test
  void aRateBelowTheOneWantedIsNeverReached() {
    from(0, 2000, 700);
    assertThat(reachedMillis(0)).isEqualTo(-1);
  }

  @Test
  void aRateThatIsLostAgainWithinTheWindowCountsFromWhenItStays() {
    from(0, 50, 1000);
    from(120, 2000, 1000);
    assertThat(reachedMillis(0)).isEqualTo(120);
  }

  @Test
  void theWindowMustFitInBeforeTheEnd() {
    from(1950, 2000, 1000);
    assertThat(reachedMillis(0)).isEqualTo(-1);
    assertThat(catchUp.reachedNanos(List.of(), START, START + 1000 * MILLI, 0)).isEmpty();
  }

  @Test
  void aLateBatchIsNoDrought() {
    for (int at = 0; at < 2000; at += 5) {
      tokens(at % 50 == 25 ? at + 4 : at, 5);
    }
    assertThat(reachedMillis(0)).isZero();
  }

  @Test
  void tokensAreCountedFromAnInstantAndBeforeAnother() {
    tokens(10, 1);
    tokens(20, 2);
    tokens(30, 4);
    assertThat(CatchUp.tokens(admitted, START + 10 * MILLI, START + 30 * MILLI)).isEqualTo(3);
  }

  private void from(int fromMillis, int untilMillis, int perSecond) {
    double due = 0;
    for (int at = fromMillis; at < untilMillis; at += 5) {
      due += perSecond / 200.0;
      tokens(at, (int) due);
      due -= (int) due;
    }
  }

  private void tokens(int atMillis, int count) {
    for (int i = 0; i < count; i++) {
      admitted.add(new Admitted(START + atMillis * MILLI, 1_000_000));
    }
  }

  private long reachedMillis(double freeTokens) {
    return catchUp.reachedNanos(admitted, START, START + 2000 * MILLI, freeTokens).stream()
        .map(nanos -> nanos / MILLI)
        .findFirst()
        .orElse(-1);
  }
}
