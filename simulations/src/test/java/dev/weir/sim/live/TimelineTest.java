package dev.weir.sim.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.sim.live.Timeline.Count;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private final Timeline timeline = new Timeline(List.of("eu-west", "us-east"), 100);

  @Test
  void tokensCountInTheSlotOfTheirInstant() {
    timeline.add("eu-west", Count.ASKED, 0, 1);
    timeline.add("eu-west", Count.ASKED, 99, 2);
    timeline.add("eu-west", Count.ASKED, 100, 4);
    timeline.add("us-east", Count.ASKED, 350, 8);
    assertThat(timeline.tokens("eu-west", Count.ASKED, 0)).isEqualTo(3);
    assertThat(timeline.tokens("eu-west", Count.ASKED, 1)).isEqualTo(4);
    assertThat(timeline.tokens("eu-west", Count.ASKED, 9)).isZero();
    assertThat(timeline.tokens("eu-west", Count.ADMITTED, 0)).isZero();
    assertThat(timeline.slots()).isEqualTo(4);
    assertThat(timeline.total("eu-west", Count.ASKED)).isEqualTo(7);
    assertThat(timeline.total(Count.ASKED)).isEqualTo(15);
  }

  @Test
  void aRegionNobodyNamedIsAnError() {
    assertThatThrownBy(() -> timeline.add("mars", Count.ASKED, 0, 1)).hasMessageContaining("mars");
  }
}
