package dev.weir.agent.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.ManualTicker;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClocksTest {
  private static final long HELD_UP_NANOS = 100_000_000L;

  /** A collector, or a busy machine: nothing was suspended, and no lease may end for it. */
  @Test
  void aThreadHeldUpBetweenTheTwoClocksReadsThemAgain() {
    ManualTicker clock = ManualTicker.startingAnywhere(new Random(5));
    long offsetNanos = 7 - clock.nanos();
    AtomicInteger reads = new AtomicInteger();
    Clocks clocks =
        new Clocks(
            clock,
            () -> {
              if (reads.getAndIncrement() < 3) {
                clock.advance(HELD_UP_NANOS);
              }
              return clock.nanos() + offsetNanos;
            });

    Clocks.Reading reading = clocks.read();

    assertThat(reads).hasValue(4);
    assertThat(reading.wallNanos() - reading.nowNanos()).isEqualTo(offsetNanos);
  }

  @Test
  void aMachineThatIsAlwaysHeldUpStillGetsAReading() {
    ManualTicker clock = ManualTicker.startingAnywhere(new Random(5));
    Clocks clocks = new Clocks(clock, () -> clock.advance(HELD_UP_NANOS));
    Clocks.Reading reading = clocks.read();
    assertThat(reading.wallNanos() - reading.nowNanos()).isEqualTo(HELD_UP_NANOS);
  }
}
