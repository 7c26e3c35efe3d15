package dev.weir.agent.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.math.Nanos;
import dev.weir.testkit.Seeds;
import java.util.Arrays;
import java.util.Random;

class BackoffTest {
  private static final long HOUR_NANOS = 3_600 * Nanos.SECOND_NANOS;
  private static final int AGENTS = 1_000;

  /** C7. */
  @Seeds(tries = 10)
  void aThousandAgentsWhoseCoordinatorIsBackAfterAnHourAreThereWithinSecondsAndNotAtOnce(
      Random random) {
    int[] tenths = new int[21];
    for (int agent = 0; agent < AGENTS; agent++) {
      Backoff backoff =
          new Backoff(100 * Nanos.MILLISECOND_NANOS, random.nextInt(2), random::nextDouble);
      long atNanos = 0; // the coordinator ended for all of them in the same moment
      while (atNanos < HOUR_NANOS) {
        atNanos += backoff.failedNanos();
      }
      assertThat(atNanos - HOUR_NANOS).isLessThanOrEqualTo(Backoff.WAIT_NANOS_MAX);
      tenths[(int) ((atNanos - HOUR_NANOS) / (100 * Nanos.MILLISECOND_NANOS))]++;
    }
    // On average less than a tenth of them in any tenth of a second.
    assertThat(Arrays.stream(tenths).max().orElseThrow()).isLessThan(AGENTS / 6);
    assertThat(tenths[0]).isPositive();
  }
}
