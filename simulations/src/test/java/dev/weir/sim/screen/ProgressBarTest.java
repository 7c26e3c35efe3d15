package dev.weir.sim.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  private static final long SECOND = 1_000_000_000L;

  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(screen, true, StandardCharsets.UTF_8);

  @Test
  void onATerminalItIsDrawnOverItselfAndWiped() {
    ProgressBar bar = new ProgressBar(out, true, 4 * SECOND);
    bar.show(SECOND);
    bar.show(SECOND + 1);
    bar.show(9 * SECOND);
    bar.done();
    assertThat(screen.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "\r["
                + "#".repeat(10)
                + ".".repeat(30)
                + "]  25 % "
                + "\r["
                + "#".repeat(40)
                + "] 100 % "
                + "\r\033[K");
  }

  @Test
  void anywhereElseThereIsNone() {
    ProgressBar bar = new ProgressBar(out, false, 4 * SECOND);
    bar.show(SECOND);
    bar.done();
    assertThat(screen.size()).isZero();
  }
}
