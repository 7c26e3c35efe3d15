package dev.weir.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The benchmarks, side by side with a bare algorithm and a known library, in one run on one
 * machine. What is compared is CPU time per decision: on a machine that does other work as well,
 * wall-clock time says little.
 */
@Command(
    name = "weir bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures decisions beside a single-CAS GCRA and Bucket4j, in CPU time.")
public final class BenchMain implements Callable<Integer> {
  @Option(
      names = "--iterations",
      defaultValue = "${env:WEIR_ITERATIONS:-8}",
      description = "measured iterations of 300 ms per cell (default: ${DEFAULT-VALUE})")
  private int iterations = 8;

  @Option(
      names = "--hot-only",
      defaultValue = "${env:WEIR_HOT_ONLY:-false}",
      description = "leave out the million keys, which take most of the time")
  private boolean hotOnly;

  /** Runs them; see {@code --help}. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new BenchMain()).execute(args));
  }

  @Override
  public Integer call() throws RunnerException {
    hot("DRAINING", 1, "One hot key, admitted: more is asked than refills");
    hot("FULL", 1, "One hot key, admitted: the bucket overflows between decisions");
    hot("DENY", 1, "One hot key, refused");
    hot("DRAINING", 2, "One hot key, two threads, admitted");
    if (!hotOnly) {
      many("ZIPF", "A million keys, Zipf 0.99");
      many("UNIFORM", "A million keys, all alike");
    }
    return 0;
  }

  private void hot(String load, int threads, String title) throws RunnerException {
    print(title, run(HotKey.class, threads, "load", load));
  }

  private void many(String spread, String title) throws RunnerException {
    print(title, run(ManyKeys.class, 1, "spread", spread));
  }

  private List<Row> run(Class<?> benchmark, int threads, String name, String value)
      throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(benchmark.getName() + "\\.")
            .param(name, value)
            .threads(threads)
            // Where the heap puts things differs from run to run; between two threads it matters.
            .forks(threads == 1 ? 1 : 3)
            .warmupIterations(5)
            .warmupTime(TimeValue.milliseconds(400))
            .measurementIterations(iterations)
            .measurementTime(TimeValue.milliseconds(300))
            .addProfiler(GCProfiler.class)
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            // Touched beforehand: what allocates would otherwise look slower than it is.
            .jvmArgs("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch");
    Collection<RunResult> results = new Runner(options.build()).run();
    List<Row> rows = new ArrayList<>();
    for (RunResult result : results) {
      rows.add(Row.of(result));
    }
    return rows;
  }

  private static void print(String title, List<Row> rows) {
    System.out.printf(
        Locale.ROOT,
        "%n%s%n%-12s %10s %8s %8s %10s%n",
        title,
        "",
        "CPU ns/op",
        "x GCRA",
        "core",
        "B/op");
    double gcra =
        rows.stream().filter(Row::isYardstick).mapToDouble(Row::cpuNanos).findFirst().orElse(1);
    for (Row row : rows) {
      System.out.printf(
          Locale.ROOT,
          "%-12s %10.1f %8.2f %8.2f %10.1f%n",
          row.name.toLowerCase(Locale.ROOT),
          row.cpuNanos,
          row.cpuNanos / gcra,
          row.core,
          row.bytes);
    }
  }

  /**
   * One cell.
   *
   * @param cpuNanos CPU time per operation and thread, median of the iterations
   * @param core how much of a core a thread had, median
   * @param bytes allocated per operation
   */
  private record Row(String name, double cpuNanos, double core, double bytes) {
    static Row of(RunResult run) {
      BenchmarkParams params = run.getParams();
      List<Double> cpu = new ArrayList<>();
      List<Double> cores = new ArrayList<>();
      for (BenchmarkResult fork : run.getBenchmarkResults()) {
        for (IterationResult iteration : fork.getIterationResults()) {
          double core = score(iteration, "cpuNanos") / score(iteration, "wallNanos");
          cores.add(core);
          cpu.add(iteration.getPrimaryResult().getScore() * core);
        }
      }
      Result<?> bytes = run.getSecondaryResults().get("gc.alloc.rate.norm");
      return new Row(
          params.getParam("limiter"),
          median(cpu),
          median(cores),
          bytes == null ? Double.NaN : bytes.getScore());
    }

    boolean isYardstick() {
      return name.equals("GCRA");
    }

    private static double score(IterationResult iteration, String name) {
      return Objects.requireNonNull(iteration.getSecondaryResults().get(name)).getScore();
    }

    private static double median(List<Double> values) {
      List<Double> sorted = values.stream().sorted().toList();
      return sorted.get(sorted.size() / 2);
    }
  }
}
