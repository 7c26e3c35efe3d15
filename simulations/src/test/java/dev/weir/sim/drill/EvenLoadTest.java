package dev.weir.sim.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.sim.trace.Arrival;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class EvenLoadTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void requestsAreEvenlySpacedAndGoWhereTheyAreTold() {
    EvenLoad load = new EvenLoad(300, 2 * SECOND, (at, number) -> at < SECOND ? "a" : "b");
    List<Arrival> all = new ArrayList<>();
    load.forEachRemaining(all::add);
    assertThat(all).hasSize(600);
    assertThat(all.stream().filter(arrival -> arrival.region().equals("a")).count()).isEqualTo(300);
    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i).atNanos()).isEqualTo((long) (i * 1e9 / 300));
    }
    assertThatThrownBy(load::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void onceEndedNothingComes() {
    EvenLoad load = new EvenLoad(1, 100 * SECOND, (at, number) -> "a");
    assertThat(load.next().atNanos()).isZero();
    load.end();
    assertThat(load.hasNext()).isFalse();
  }

  @Test
  void aRateIsARate() {
    assertThatThrownBy(() -> new EvenLoad(0, 1, (at, number) -> "a"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
