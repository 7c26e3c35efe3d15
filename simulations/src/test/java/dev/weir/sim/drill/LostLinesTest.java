package dev.weir.sim.drill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.sim.judge.Admitted;
import dev.weir.sim.live.Outcome;
import dev.weir.sim.live.Timeline;
import dev.weir.sim.live.Timeline.Count;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Slots of 10; the load began at 1000, an agent was killed at 1055. */
class LostLinesTest {
  private final Timeline timeline = new Timeline(List.of("a", "b"), 10);
  private final LostLines lines =
      new LostLines(new Outcome(timeline, 1000, 100, 0, Optional.empty()), "a");

  @Test
  void whatWasAnsweredLastIsWhatWasNotWritten() {
    seen(10, 5);
    seen(40, 3);
    seen(50, 2);
    assertThat(lines.missing(written(6), 1000, 1055))
        .containsExactly(new Admitted(1050, 2_000_000), new Admitted(1040, 2_000_000));
  }

  @Test
  void nothingIsMissingWhereAllWasWritten() {
    seen(10, 5);
    timeline.add("b", Count.ADMITTED, 10, 100);
    assertThat(lines.missing(written(5), 1000, 1055)).isEmpty();
    assertThat(lines.missing(written(7), 1000, 1055)).isEmpty();
  }

  @Test
  void anotherRunsAnswersDoNotCount() {
    seen(10, 5);
    seen(80, 9);
    assertThat(lines.missing(written(5), 1000, 1055)).isEmpty();
    assertThat(lines.missing(written(8), 1055, 1099))
        .containsExactly(new Admitted(1080, 1_000_000));
  }

  private void seen(long atNanos, long tokens) {
    timeline.add("a", Count.ADMITTED, atNanos, tokens);
  }

  private static List<Admitted> written(int tokens) {
    return List.of(new Admitted(1012, tokens * 1_000_000L));
  }
}
