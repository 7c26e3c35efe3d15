package dev.weir.coordinator;

import dev.weir.config.ConfigException;
import dev.weir.config.CoordinatorSettings;
import dev.weir.coordinator.state.StartRefusedException;
import dev.weir.coordinator.state.StartWord;
import dev.weir.core.quota.LeaseTerms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir coordinator}: wires and starts, nothing else. */
@Command(
    name = "weir coordinator",
    mixinStandardHelpOptions = true,
    version = "weir 0.1",
    description = "Runs a coordinator: owns the quotas and leases slices of them to agents.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:it was told to end, and has ended cleanly",
      "1:the settings or quota files are wrong; or the data folder or an address cannot be used",
      "2:wrong usage; or the data folder is empty and neither word was said, or used and one was"
    })
public final class CoordinatorMain implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final String PARALLELISM = "java.util.concurrent.ForkJoinPool.common.parallelism";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      defaultValue = "${env:WEIR_CONFIG}",
      description = "settings, YAML or JSON; each can be overridden by a variable WEIR_...")
  private @Nullable Path config;

  @ArgGroup private @Nullable Beginning beginning;

  @Option(
      names = "--cluster-id",
      paramLabel = "ID",
      defaultValue = "${env:WEIR_CLUSTER_ID}",
      description = "with --lost-data: the cluster's id, which its agents keep to")
  private @Nullable String clusterId;

  @Option(
      names = "--longest-ttl",
      paramLabel = "DURATION",
      defaultValue = "${env:WEIR_LONGEST_TTL}",
      converter = DurationConverter.class,
      description =
          "with --lost-data: the longest ttl a quota can have had; by default the longest there"
              + " is, 5m")
  private @Nullable Long longestTtlNanos;

  /** What is known of an empty data folder. */
  private static final class Beginning {
    @Option(
        names = "--first-start",
        description =
            "the data folder is empty because the cluster is new: nothing was ever granted")
    private boolean firstStart;

    @Option(
        names = "--lost-data",
        description =
            "the data folder is empty because the cluster lost its data: grants wait until no old"
                + " lease can be alive, floors are given only to agents that say they have one")
    private boolean lostData;
  }

  private CoordinatorMain() {}

  /**
   * Starts the process.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    // Before anything else uses that pool: with one thread in it Hazelcast starts one per callback.
    if (System.getProperty(PARALLELISM) == null) {
      System.setProperty(PARALLELISM, "4");
    }
    System.exit(new CommandLine(new CoordinatorMain()).execute(args));
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      CoordinatorSettings settings = CoordinatorSettings.read(config, System.getenv(), Map.of());
      StartWord word = word();
      if (settings.cluster().members().size() > 1) {
        System.err.println(
            "weir coordinator: cluster.members names more than one: several members do not yet"
                + " agree on who decides, so one alone may run");
        return CommandLine.ExitCode.USAGE;
      }
      Coordinator coordinator = Coordinator.start(settings, word);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    coordinator.close();
                    // Ended by a signal and all is well: without this the code would be 143.
                    Runtime.getRuntime().halt(0);
                  },
                  "weir-shutdown"));
      System.out.println(
          "weir coordinator ready on http://"
              + coordinator.http()
              + " (cluster "
              + coordinator.cluster()
              + ")");
    } catch (StartRefusedException refused) {
      System.err.println("weir coordinator: " + refused.getMessage());
      return CommandLine.ExitCode.USAGE;
    } catch (ConfigException | IOException failed) {
      System.err.println("weir coordinator: " + failed.getMessage());
      return FAILED;
    }
    new CountDownLatch(1).await(); // until a signal
    return 0;
  }

  private StartWord word() throws StartRefusedException {
    boolean first = beginning != null && beginning.firstStart;
    boolean lost = beginning != null && beginning.lostData;
    if (!lost && (clusterId != null || longestTtlNanos != null)) {
      throw new StartRefusedException(
          "--cluster-id and --longest-ttl say what is known of lost data: they go with"
              + " --lost-data");
    }
    if (clusterId != null && !clusterId.matches("[!-~]{1,64}")) {
      throw new StartRefusedException("no cluster has the id \"" + clusterId + "\"");
    }
    if (lost) {
      return new StartWord.LostData(
          clusterId, longestTtlNanos == null ? LeaseTerms.TTL_NANOS_MAX : (long) longestTtlNanos);
    }
    return first ? new StartWord.FirstStart() : new StartWord.None();
  }
}
