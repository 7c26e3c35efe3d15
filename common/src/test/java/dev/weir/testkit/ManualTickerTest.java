package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ManualTickerTest {
  @Test
  void movesOnlyWhenMoved() {
    ManualTicker ticker = ManualTicker.at(Long.MAX_VALUE);
    assertThat(ticker.getAsLong()).isEqualTo(Long.MAX_VALUE);
    assertThat(ticker.advance(1)).isEqualTo(Long.MIN_VALUE);
    assertThat(ticker.advance(-3)).isEqualTo(Long.MAX_VALUE - 2);
    assertThat(ticker.nanos()).isEqualTo(Long.MAX_VALUE - 2);
  }

  @Seeds
  void theSameSeedStartsAtTheSameInstant(Random random) {
    long seed = random.nextLong();
    assertThat(ManualTicker.startingAnywhere(new Random(seed)).nanos())
        .isEqualTo(ManualTicker.startingAnywhere(new Random(seed)).nanos());
  }
}
