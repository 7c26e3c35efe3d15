package dev.weir.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceReaderTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void theShippedTraceIsAllThere() {
    Trace trace = TraceReader.shipped();
    assertThat(trace.rows().stream().mapToLong(TraceRow::count).sum()).isEqualTo(30_969);
    assertThat(trace.regions()).containsExactlyInAnyOrder("eu-west", "us-east", "ap-south");
    assertThat(trace.lengthNanos() / SECOND).isBetween(12L * 3600, 13L * 3600);
    assertThat(trace.intervalNanos()).isEqualTo(SECOND);
  }

  @Test
  void rowsAreReadWithAndWithoutCosts() throws IOException, TraceException {
    assertThat(read("time,region,key,count\n10,eu-west,a,3\n").rows())
        .containsExactly(new TraceRow(10 * SECOND, "eu-west", "a", 3, 1));
    assertThat(read("time,region,key,count,cost\r\n10,eu-west,a,3,25\r\n\r\n").rows())
        .containsExactly(new TraceRow(10 * SECOND, "eu-west", "a", 3, 25));
  }

  @Test
  void timesAreEpochSecondsOrInstants() throws IOException, TraceException {
    Trace trace =
        read(
            """
            time,region,key,count
            807249599.25,eu-west,a,1
            1995-08-01T04:00:00Z,eu-west,a,1
            """);
    assertThat(trace.rows())
        .extracting(TraceRow::timeNanos)
        .containsExactly(807_249_599_250_000_000L, 807_249_600L * SECOND);
  }

  @Test
  void aFileIsNamedByItsPath(@TempDir Path folder) throws IOException, TraceException {
    Path file = Files.writeString(folder.resolve("t.csv"), "time,region,key,count\n1,r,k,1\n");
    assertThat(TraceReader.read(file).name()).isEqualTo(file.toString());
  }

  @Test
  void whatIsWrongIsSaidWithFileAndLine() {
    assertProblem("", "t.csv: is empty");
    assertProblem("a,b\n", "t.csv:1: the header must be time,region,key,count[,cost]: a,b");
    assertProblem("time,region,key,count\n", "t.csv: has a header and no rows");
    assertProblem("time,region,key,count\n1,r,k\n", "t.csv:2: expected 4 fields and found 3");
    assertProblem("time,region,key,count\n1,,k,1\n", "t.csv:2: the region is empty");
    assertProblem("time,region,key,count\n1,r,k,0\n", "count must be at least 1: 0");
    assertProblem("time,region,key,count,cost\n1,r,k,1,-5\n", "cost must be at least 1: -5");
    assertProblem("time,region,key,count\nnoon,r,k,1\n", "t.csv:2: not a row");
    assertProblem("time,region,key,count\n1e40,r,k,1\n", "t.csv:2: not a row");
    assertProblem("time,region,key,count\n2,r,k,1\n1,r,k,1\n", "t.csv:3: rows must be sorted");
  }

  private static void assertProblem(String text, String message) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining(message);
  }

  private static Trace read(String text) throws IOException, TraceException {
    return TraceReader.read("t.csv", new StringReader(text));
  }
}
