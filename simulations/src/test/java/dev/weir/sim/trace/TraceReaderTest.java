package dev.weir.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceReaderTest {
  private static final String CSV = "time,region,key,count\n1,r,k,1\n";
  private static final String LOG = "h - - [01/Aug/1995:00:00:01 -0400] \"GET / HTTP/1.0\" 200 1\n";
  private static final String JSON = "{\"ts\":1,\"region\":\"r\",\"descriptors\":{}}\n";

  @Test
  void theShippedDayAtNasaIsAllThere() {
    Trace trace = TraceReader.shipped();
    assertThat(trace.requests()).isEqualTo(30_969);
    assertThat(trace.regions()).containsExactlyInAnyOrder("eu-west", "us-east", "ap-south");
    assertThat(trace.lengthNanos() / Traces.SECOND).isBetween(12L * 3600, 13L * 3600);
    assertThat(trace.intervalNanos()).isEqualTo(Traces.SECOND);
  }

  @Test
  void theShippedDayAtTheWorldCupIsAllThere() {
    Trace trace = TraceReader.shipped("worldcup-1998-06-30-minute.csv");
    assertThat(trace.requests()).isEqualTo(70_106_613);
    assertThat(trace.regions()).containsExactlyInAnyOrder("eu-west", "us-east", "ap-south");
    assertThat(trace.intervalNanos()).isEqualTo(60 * Traces.SECOND);
    assertThat(trace.lengthNanos()).isEqualTo(86_400 * Traces.SECOND);
  }

  @Test
  void anotherNameShipsNothing() {
    assertThatThrownBy(() -> TraceReader.shipped("nasa.csv"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nasa-1995-08-01.csv, worldcup-1998-06-30-minute.csv");
  }

  @Test
  void aFileIsNamedByItsPath(@TempDir Path folder) throws IOException, TraceException {
    Path file = Files.writeString(folder.resolve("t.csv"), CSV);
    assertThat(TraceReader.read(file).name()).isEqualTo(file.toString());
  }

  @Test
  void theFormatIsTheOneOfTheNameOrOfTheFirstLine() throws IOException, TraceException {
    for (String name : List.of("t.csv", "t", "t.log")) {
      assertThat(Traces.read(name, "\ufeff" + CSV).requests()).isEqualTo(1);
    }
    for (String name : List.of("access_log", "access.log.1")) {
      assertThat(Traces.read(name, "\n" + LOG, "tld").requests()).isEqualTo(1);
    }
    for (String name : List.of("t.jsonl", "t.NDJSON", "t.log")) {
      assertThat(Traces.read(name, JSON).requests()).isEqualTo(1);
    }
    Traces.assertProblem("t.txt", "hello\n", null, "say how it is written: csv, ncsa or jsonl");
    Traces.assertProblem("t.txt", "\n", null, "t.txt: is empty");
  }

  @Test
  void aFormatThatIsSaidIsTaken() {
    assertThat(TraceFormat.parse("ncsa")).isEqualTo(TraceFormat.NCSA);
    assertThatThrownBy(() -> TraceFormat.parse("clf"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"clf\" is no format of traces; write csv, ncsa or jsonl");
  }

  @Test
  void gzipIsUnpackedWhateverTheName() throws IOException, TraceException {
    for (String name : List.of("t.csv.gz", "t.csv", "t")) {
      Trace trace = Traces.read(name, gzip(CSV), null, new StringBuilder());
      assertThat(trace.rows()).isEqualTo(Traces.read("t.csv", CSV).rows());
    }
  }

  @Test
  void gzipThatIsCutOffOrDamagedIsSaidToBe() throws IOException {
    byte[] good = gzip(CSV);
    byte[] damaged = good.clone();
    damaged[damaged.length - 6] ^= 1;
    for (byte[] bytes : List.of(Arrays.copyOf(good, good.length - 9), damaged)) {
      assertThatThrownBy(() -> Traces.read("t.csv.gz", bytes, null, new StringBuilder()))
          .isInstanceOf(TraceException.class)
          .hasMessageContaining("t.csv.gz: is packed with gzip, and damaged");
    }
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}
