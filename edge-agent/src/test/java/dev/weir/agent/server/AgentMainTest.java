package dev.weir.agent.server;

import static dev.weir.agent.Agents.book;
import static dev.weir.agent.Agents.perTenant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.agent.testcoordinator.TestCoordinator;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process: what it prints, how it ends. */
class AgentMainTest {
  private static final Pattern READY =
      Pattern.compile("weir agent eu-west ready on http://127\\.0\\.0\\.1:(\\d+) \\(admin \\d+\\)");

  @TempDir Path temp;

  @Test
  void itSaysOnceThatItIsReadyAndEndsCleanlyOnASignal() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(perTenant("api", 10, 10)))) {
      Process process = start("--config", config("[\"" + coordinator.address() + "\"]").toString());
      try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
        Matcher ready = READY.matcher(String.valueOf(out.readLine()));
        assertThat(ready.matches()).isTrue();
        URI check = URI.create("http://127.0.0.1:" + ready.group(1) + "/v1/check?d.tenant=a");
        assertThat(
                HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(check).build(), BodyHandlers.discarding())
                    .statusCode())
            .isIn(200, 429, 503);
        // Process.destroy would close its output as well.
        assertThat(process.toHandle().destroy()).isTrue();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(out.readLine()).as("nothing else on standard output").isNull();
      } finally {
        process.destroyForcibly();
      }
      assertThat(coordinator.requests().get(coordinator.requests().size() - 1).leaving()).isTrue();
    }
  }

  @Test
  void wrongSettingsAreSaidAndEndWith1() throws Exception {
    Path file = Files.writeString(temp.resolve("agent.yaml"), "region: eu-west\nregoin: x\n");
    Process process = start("--config", file.toString());
    String errors = errors(process);
    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(errors).contains("agent.yaml").contains("regoin").contains("region");
  }

  @Test
  void wrongUsageEndsWith2AndHelpWith0() throws Exception {
    Process wrong = start("--nonsense");
    assertThat(errors(wrong)).contains("--config");
    assertThat(wrong.waitFor()).isEqualTo(2);
    Process help = start("--help");
    try (BufferedReader out = help.inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.lines().toList()).anyMatch(line -> line.contains("--event-loops"));
    }
    assertThat(help.waitFor()).isZero();
  }

  private Path config(String coordinators) throws IOException {
    return Files.writeString(
        temp.resolve("agent.yaml"),
        """
        region: eu-west
        coordinators: %s
        http: {host: 127.0.0.1, port: 0}
        grpc: {host: 127.0.0.1, port: 0}
        admin: {host: 127.0.0.1, port: 0}
        data: data
        """
            .formatted(coordinators));
  }

  private static Process start(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                AgentMain.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).start();
  }

  private static String errors(Process process) throws IOException {
    return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
