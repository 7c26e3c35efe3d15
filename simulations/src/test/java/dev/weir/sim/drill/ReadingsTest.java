package dev.weir.sim.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.sim.demo.FleetException;
import dev.weir.sim.demo.Metrics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.TypeConversionException;

/** What drills read: metrics, the output of wrk, answers, lengths of time. */
class ReadingsTest {
  @Test
  void metricsOfOneNameAddUp() {
    Metrics metrics =
        Metrics.parse(
            """
            # HELP weir_sync_requests_total Requests
            weir_sync_requests_total{region="eu-west"} 12.0
            weir_sync_requests_total_more 5.0
            jvm_memory_used_bytes{area="heap",id="G1 Eden Space"} 4.0E6
            jvm_memory_used_bytes{area="heap",id="G1 Old Gen"} 1.5E6
            jvm_memory_used_bytes{area="nonheap",id="Metaspace"} 9.0E6
            """);
    assertThat(metrics.sum("weir_sync_requests_total", "")).hasValue(12);
    assertThat(metrics.sum("jvm_memory_used_bytes", "area=\"heap\"")).hasValue(5_500_000);
    assertThat(metrics.sum("weir_sync", "")).isEmpty();
  }

  @Test
  void wrkIsReadAndItsErrorsAreErrors() throws FleetException {
    String text =
        """
        Running 4s test @ http://127.0.0.1:8080/v1/check
          1 threads and 64 connections
          Thread Stats   Avg      Stdev     Max   +/- Stdev
            Latency   533.14us  502.37us  17.11ms   98.37%
            Req/Sec   126.18k     9.35k  138.37k    80.00%
          501986 requests in 4.00s, 75.63MB read
        Requests/sec: 125489.50
        Transfer/sec:     18.91MB
        """;
    assertThat(Wrk.parse(text)).isEqualTo(new Wrk.Seen(125_489.5, 501_986));
    assertThatThrownBy(() -> Wrk.parse(text + "  Non-2xx or 3xx responses: 17\n"))
        .isInstanceOf(FleetException.class)
        .hasMessageContaining("Non-2xx or 3xx responses: 17");
  }

  @Test
  void anAnswerIsGivenAgainAsItWas(@TempDir Path folder) throws Exception {
    Answer answer =
        new Answer(429, Map.of("RateLimit", "\"shared\";r=9", "Cache-Control", "no-store"), "{}\n");
    answer.write(folder.resolve("answer"));
    assertThat(Answer.read(folder.resolve("answer"))).isEqualTo(answer);
  }

  @Test
  void lengthsHaveUnits() {
    Length length = new Length();
    assertThat(length.convert("500ms")).isEqualTo(Duration.ofMillis(500));
    assertThat(length.convert("60s")).isEqualTo(Duration.ofMinutes(1));
    assertThat(length.convert("2min")).isEqualTo(Duration.ofMinutes(2));
    assertThatThrownBy(() -> length.convert("60")).isInstanceOf(TypeConversionException.class);
  }
}
