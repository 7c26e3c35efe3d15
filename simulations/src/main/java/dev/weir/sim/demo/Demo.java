package dev.weir.sim.demo;

import dev.weir.sim.report.Figures;
import dev.weir.sim.report.HtmlReport;
import dev.weir.sim.report.ResultJson;
import dev.weir.sim.report.ResultText;
import dev.weir.sim.report.Run;
import dev.weir.sim.trace.Pace;
import dev.weir.sim.trace.Trace;
import dev.weir.sim.trace.TraceException;
import dev.weir.sim.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code weir demo}: a day's traffic that moves between regions, against real processes on this
 * machine.
 */
@Command(
    name = "demo",
    description = {
      "Starts a coordinator, three agents and a Redis on this machine, replays a trace whose traffic"
          + " moves between the regions, and shows what was admitted, next to one central bucket and"
          + " to the bound.",
      "Exit code 0 only if the bound held."
    })
public final class Demo implements Callable<Integer> {
  private static final long SEED = 1;

  @Mixin LocalOptions options = new LocalOptions();

  @Option(
      names = "--speed",
      paramLabel = "N",
      defaultValue = "${env:WEIR_SPEED:-720}",
      description = "How many times as fast as recorded the trace is played. Default: 720.")
  double speed;

  @Option(
      names = "--contention",
      paramLabel = "N",
      defaultValue = "${env:WEIR_CONTENTION:-7}",
      description =
          "The trace is scaled so that its busiest minute asks for N times the quota. Default: 7.")
  double contention;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      defaultValue = "${env:WEIR_TRACE}",
      description =
          "CSV with the columns time,region,key,count[,cost]. Default: a day at NASA's web server.")
  @Nullable Path traceFile;

  @Option(
      names = "--keep",
      defaultValue = "${env:WEIR_KEEP:-false}",
      description = "Leave everything running afterwards, until Ctrl-C.")
  boolean keep;

  @Override
  public Integer call() throws IOException, FleetException, InterruptedException {
    Path home = Home.find();
    LocalQuotas quotas = LocalQuotas.read(home);
    Trace trace = trace(quotas.regions());
    Pace pace = Pace.contending(trace, speed, quotas.sharedTokensPerSecond(), contention);
    Ports ports = new Ports(options.portBase, quotas.regions().size());
    ports.requireFree();
    try (Session session = Session.open("demo", home, ports)) {
      boolean held = false;
      try {
        session.fleet().start(quotas.file(), quotas.regions(), System.err);
        Run run = new LocalReplay(session, quotas, trace, pace, SEED).run(keep);
        held = show(run, session.folder().top());
        if (keep) {
          System.out.print("\n" + Greeting.of(session.fleet(), quotas));
          new CountDownLatch(1).await();
        }
      } finally {
        if (!held) {
          session.keepFolder();
        }
      }
      return held ? 0 : 1;
    }
  }

  private static boolean show(Run run, Path folder) throws IOException {
    Path report = folder.resolve("report.html");
    HtmlReport.write(run, report);
    ResultJson.write(run, folder.resolve("result.json"));
    System.out.println();
    System.out.print(ResultText.of(run));
    System.out.println("Report: " + report);
    return Figures.of(run).boundHeld();
  }

  private Trace trace(List<String> regions) throws IOException {
    Trace trace = read();
    List<String> unknown = new ArrayList<>(trace.regions());
    unknown.removeAll(regions);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          trace.name()
              + " has requests from "
              + String.join(", ", unknown)
              + "; the demo's regions are "
              + String.join(", ", regions));
    }
    return trace;
  }

  private Trace read() throws IOException {
    if (traceFile == null) {
      return TraceReader.shipped();
    }
    if (!Files.isReadable(traceFile)) {
      throw new IllegalArgumentException("cannot read the trace " + traceFile);
    }
    try {
      return TraceReader.read(traceFile);
    } catch (TraceException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
