package dev.weir.agent.server;

import static dev.weir.agent.Agents.book;
import static dev.weir.agent.Agents.eventually;
import static dev.weir.agent.Agents.perTenant;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.weir.agent.testcoordinator.TestCoordinator;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import java.util.concurrent.atomic.AtomicInteger;
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

  /** A coordinator that has lost its cluster's id, and then says something else. */
  @Test
  void aRefusalIsLoggedOnceForEachReason() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    HttpServer refusing =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    refusing.createContext(
        "/v1/sync",
        exchange -> {
          String why = asked.incrementAndGet() <= 3 ? "of another cluster" : "of no cluster at all";
          byte[] body = ("{\"status\":409,\"detail\":\"" + why + "\"}").getBytes(UTF_8);
          exchange.sendResponseHeaders(409, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    refusing.start();
    String address = "http://127.0.0.1:" + refusing.getAddress().getPort();
    Process process = start("--config", config("[\"" + address + "\"]").toString());
    List<String> lines;
    try {
      eventually("each was said more than once", () -> asked.get() >= 7);
      assertThat(process.toHandle().destroyForcibly()).isTrue();
      lines = errors(process).lines().toList();
    } finally {
      process.destroyForcibly();
      refusing.stop(0);
    }
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0))
        .endsWith("at " + address + " refuses this agent: status 409, of another cluster");
    assertThat(lines.get(1)).endsWith("refuses this agent: status 409, of no cluster at all");
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
                // What it logs as in production, not as in tests.
                "-Dlogback.configurationFile=logback.xml",
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
