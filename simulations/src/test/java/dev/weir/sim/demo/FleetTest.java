package dev.weir.sim.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The fleet with a launcher that only pretends, and with the real Redis. */
@Timeout(120)
class FleetTest {
  private static final List<String> REGIONS = List.of("eu-west", "us-east");

  @TempDir Path home;

  private final Ports ports = freePorts();
  private final PrintStream progress =
      new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
  private RunFolder folder = new RunFolder(Path.of("."));
  private Path quotas = Path.of(".");

  @BeforeEach
  void prepare() throws IOException {
    folder = RunFolder.create("test");
    quotas = Files.writeString(home.resolve("demo.yaml"), "domain: shop\n");
  }

  @AfterEach
  void clean() {
    folder.clean();
  }

  @Test
  void allIsReadyOnceStartedAndGoneOnceClosed() throws Exception {
    launcher(
        """
        echo "$@ build=$WEIR_BUILD" >> %s
        echo "weir $1 ready on http://127.0.0.1:1"
        exec tail -f /dev/null
        """
            .formatted(home.resolve("calls")));
    Fleet fleet = new Fleet(home, folder, ports);
    try (fleet) {
      fleet.start(quotas, REGIONS, progress);
      fleet.requireAlive();
      assertThat(answersPing()).isTrue();
      assertThat(fleet.agentUrls())
          .containsEntry("us-east", URI.create("http://127.0.0.1:" + ports.agent(1)));
      assertThat(Files.readString(folder.quotas().resolve("demo.yaml"))).contains("shop");
      assertThat(Files.readAllLines(home.resolve("calls")).get(0))
          .startsWith("coordinator --config ")
          .endsWith("coordinator.yaml --first-start build=never");
      assertThat(Files.readAllLines(home.resolve("calls"))).hasSize(3);

      long first = fleet.agent("us-east").pid();
      fleet.agent("us-east").kill();
      fleet.restartAgent("us-east");
      fleet.killCoordinator();
      fleet.restartCoordinator();
      fleet.requireAlive();
      assertThat(fleet.agent("us-east").pid()).isNotEqualTo(first);
      assertThat(fleet.restartsOf("us-east")).isEqualTo(1);
      assertThat(Files.readAllLines(home.resolve("calls")).get(4)).doesNotContain("--first-start");
      assertThat(Files.readString(folder.run().resolve("agent-us-east.yaml")))
          .contains("us-east-1.csv", "port: " + ports.agent(1));

      fleet.stopAgents();
      assertThatThrownBy(fleet::requireAlive)
          .isInstanceOf(FleetException.class)
          .hasMessageContaining("agent-eu-west ended by itself");
    }
    assertThat(childrenAlive()).isZero();
    ports.requireFree();
    fleet.close();
  }

  @Test
  void ifOneDoesNotStartItsLastWordsAreTheReasonAndTheRestIsStopped() throws IOException {
    launcher(
        """
        [ "$1" = agent ] && echo "unknown region" && exit 2
        echo "weir $1 ready on http://127.0.0.1:1"
        exec tail -f /dev/null
        """);
    try (Fleet fleet = new Fleet(home, folder, ports)) {
      assertThatThrownBy(() -> fleet.start(quotas, REGIONS, progress))
          .isInstanceOf(FleetException.class)
          .hasMessage("agent-eu-west did not start (exit code 2):\nunknown region");
    }
    assertThat(childrenAlive()).isZero();
  }

  @Test
  void afterClosingNothingStartsAnyMore() throws IOException {
    launcher("echo ready on");
    Fleet fleet = new Fleet(home, folder, ports);
    fleet.close();
    assertThatThrownBy(() -> fleet.start(quotas, REGIONS, progress))
        .isInstanceOf(FleetException.class)
        .hasMessageContaining("stopped while starting");
    assertThat(childrenAlive()).isZero();
  }

  private void launcher(String body) throws IOException {
    Path file = Files.createDirectories(home.resolve("deploy")).resolve("weir");
    Files.writeString(file, "#!/bin/sh\n" + body);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private boolean answersPing() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), ports.redis())) {
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readNBytes(5);
      return new String(answer, StandardCharsets.US_ASCII).equals("+PONG");
    }
  }

  private static long childrenAlive() {
    try (Stream<ProcessHandle> children = ProcessHandle.current().children()) {
      return children.filter(ProcessHandle::isAlive).count();
    }
  }

  private static Ports freePorts() {
    for (int base = 21_070; base < 60_000; base += 50) {
      Ports candidate = new Ports(base, REGIONS.size());
      try {
        candidate.requireFree();
        return candidate;
      } catch (FleetException e) {
        // The next ones, then.
      }
    }
    throw new AssertionError("no free ports");
  }
}
