package dev.weir.agent.server;

import dev.weir.config.AgentSettings;
import dev.weir.config.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir agent}: wires and starts, nothing else. */
@Command(
    name = "weir agent",
    mixinStandardHelpOptions = true,
    version = "weir 0.1",
    description = "Runs an edge agent: decides at the edge, on a lease or on its region's floor.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:it was told to end, and has given everything back",
      "1:the settings are wrong; or a folder, a file or a port cannot be used",
      "2:wrong usage"
    })
public final class AgentMain implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final long LOOK_MILLIS = 20;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      defaultValue = "${env:WEIR_CONFIG}",
      description = "settings, YAML or JSON; each can be overridden by a variable WEIR_...")
  private @Nullable Path config;

  @Option(
      names = "--event-loops",
      paramLabel = "N",
      defaultValue = "${env:WEIR_EVENT_LOOPS:-0}",
      description = "threads that decide; by default half the processors")
  private int eventLoops;

  private AgentMain() {}

  /**
   * Starts the process.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new AgentMain()).execute(args));
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      AgentSettings settings = AgentSettings.read(config, System.getenv(), Map.of());
      AgentServer server = AgentServer.start(settings, loops());
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    server.close();
                    // Ended by a signal and all is well: without this the code would be 143.
                    Runtime.getRuntime().halt(0);
                  },
                  "weir-shutdown"));
      awaitQuotas(server);
      System.out.println(
          "weir agent "
              + settings.region()
              + " ready on http://"
              + settings.http().host()
              + ":"
              + server.port()
              + " (admin "
              + server.adminPort()
              + ")");
    } catch (ConfigException | IOException e) {
      System.err.println("weir agent: " + e.getMessage());
      return FAILED;
    }
    new CountDownLatch(1).await(); // until a signal
    return 0;
  }

  /**
   * An agent that has never heard of a quota can decide nothing: it is not ready. It answers all
   * the same, and its log says what is missing.
   */
  private static void awaitQuotas(AgentServer server) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    boolean unused = false;
    while (!server.limiter().hasQuotas()) {
      unused |= never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private int loops() {
    return eventLoops > 0
        ? eventLoops
        : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }
}
