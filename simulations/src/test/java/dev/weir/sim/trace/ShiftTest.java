package dev.weir.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ShiftTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void itIsReadAsItIsWritten() {
    assertThat(Shift.parse("at=10m,from=us-east,to=eu-west,over=60s,share=0.7"))
        .isEqualTo(new Shift(600 * SECOND, "us-east", "eu-west", 60 * SECOND, 0.7, Shift.NEVER));
    assertThat(Shift.parse("to=b, from=a, at=1h, back=2h, share=25%"))
        .isEqualTo(new Shift(3600 * SECOND, "a", "b", 0, 0.25, 7200 * SECOND));
    assertThat(Shift.parse("at=0s,from=a,to=b").share()).isEqualTo(1);
  }

  @Test
  void theShareRisesEvenlyStaysAndFallsAsSlowly() {
    Shift shift = Shift.parse("at=10s,from=a,to=b,over=20s,share=0.8,back=100s");
    assertShare(shift, 0, 0);
    assertShare(shift, 10, 0);
    assertShare(shift, 15, 0.2);
    assertShare(shift, 30, 0.8);
    assertShare(shift, 99, 0.8);
    assertShare(shift, 105, 0.6);
    assertShare(shift, 120, 0);
    assertShare(shift, 1_000_000, 0);
  }

  @Test
  void withoutOverAllMovesAtOnceAndWithoutBackStays() {
    Shift shift = Shift.parse("at=10s,from=a,to=b");
    assertThat(shift.shareAt(10 * SECOND - 1)).isZero();
    assertThat(shift.shareAt(10 * SECOND)).isEqualTo(1);
    assertThat(shift.shareAt(Long.MAX_VALUE - 1)).isEqualTo(1);
  }

  @Test
  void whatIsWrongIsSaidWithTheWayToWriteIt() {
    assertProblem("", "\"\" is none of at=, from=, to=, over=, share=, back=; write it as in");
    assertProblem("at=10m,from=a", "to= is missing; write it as in");
    assertProblem("at=10,from=a,to=b", "at \"10\" needs a unit, as in 250ms, 10s, 1m, 1h or 1d");
    assertProblem("at=1m,from=a,to=b,share=lots", "share \"lots\" is not a number, as in 0.7");
    assertProblem("at=1m,from=a,to=b,share=7", "share must be above 0 and at most 1: 7.0");
    assertProblem("at=1m,from=a,to=a", "must be two regions");
    assertProblem("at=1m,at=2m,from=a,to=b", "at is given twice");
    assertProblem("at=1m,from=a,to=b,length=3s", "\"length=3s\" is none of");
    assertProblem("at=1m,from=a,to=b,over=1m,back=90s", "back must not be before at + over");
  }

  private static void assertShare(Shift shift, long seconds, double share) {
    assertThat(shift.shareAt(seconds * SECOND)).isCloseTo(share, within(1e-9));
  }

  private static void assertProblem(String text, String message) {
    assertThatThrownBy(() -> Shift.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the shift \"" + text + "\" cannot be read: ")
        .hasMessageContaining(message);
  }
}
