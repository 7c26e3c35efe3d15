package dev.weir.sim.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServerProcessTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  /** Runs until told to stop, and ends on SIGTERM as a server does: the shell becomes it. */
  private static final String FOR_EVER = "; exec tail -f /dev/null";

  @TempDir Path folder;

  @Test
  void itIsReadyWhenItSaysSoAndItsOutputIsKept()
      throws FleetException, InterruptedException, IOException {
    ServerProcess server =
        shell("echo starting; echo $WORD agent eu-west ready on http://127.0.0.1:1" + FOR_EVER);
    server.awaitReady(LONG);
    assertThat(server.isAlive()).isTrue();
    server.stop();
    assertThat(server.isAlive()).isFalse();
    assertThat(Files.readString(folder.resolve("log")))
        .isEqualTo("starting\nweir agent eu-west ready on http://127.0.0.1:1\n");
  }

  @Test
  void oneThatEndsBeforeIsReportedWithItsLastWords() throws FleetException {
    ServerProcess server = shell("echo 'quotas.yaml:3:5: no such key' >&2; exit 2");
    assertThatThrownBy(() -> server.awaitReady(LONG))
        .isInstanceOf(FleetException.class)
        .hasMessage("server did not start (exit code 2):\nquotas.yaml:3:5: no such key");
    server.stop();
  }

  @Test
  void oneThatTakesTooLongIsReported() throws FleetException {
    ServerProcess server = shell("echo still at it" + FOR_EVER);
    assertThatThrownBy(() -> server.awaitReady(Duration.ofMillis(200)))
        .isInstanceOf(FleetException.class)
        .hasMessageContaining("was not ready within");
    server.stop();
    assertThat(server.isAlive()).isFalse();
  }

  @Test
  void whatCannotBeStartedIsReported() {
    assertThatThrownBy(
            () ->
                ServerProcess.start(
                    "server", folder.resolve("log"), List.of("/no/such/program"), Map.of()))
        .isInstanceOf(FleetException.class)
        .hasMessageContaining("/no/such/program");
  }

  private ServerProcess shell(String script) throws FleetException {
    return ServerProcess.start(
        "server", folder.resolve("log"), List.of("sh", "-c", script), Map.of("WORD", "weir"));
  }
}
