package dev.weir.sim.trace;

import static dev.weir.sim.trace.Traces.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.quota.Descriptors;
import dev.weir.testkit.Seeds;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CsvTraceProperties {
  private static final String WITH_REGION = "time,region,key,count\n";
  private static final List<String> TEXTS =
      List.of("a", "b,c", "d\"e", "\"", " f ", "grün", "2001:db8::1", "日本");

  @Seeds(tries = 100)
  void whatIsWrittenIsRead(Random random) throws IOException, TraceException {
    boolean costs = random.nextBoolean();
    List<TraceRow> rows = new ArrayList<>();
    StringBuilder text =
        new StringBuilder("time,region,key,count" + (costs ? ",cost" : "") + ",d.api,d.tier\n");
    long timeNanos = random.nextInt(1_000_000_000) * SECOND;
    for (int i = 0; i < 100; i++) {
      timeNanos += random.nextInt(3) * (random.nextBoolean() ? SECOND : 1);
      String key = any(random);
      String api = any(random);
      TraceRow row =
          new TraceRow(
              timeNanos,
              "r" + random.nextInt(3),
              key,
              1 + random.nextInt(100),
              costs ? 1 + random.nextInt(100) : 1,
              Descriptors.of("api", api, "tier", ""));
      rows.add(row);
      text.append(time(random, timeNanos)).append(',').append(row.region());
      text.append(',').append(quoted(key)).append(',').append(row.count());
      text.append(costs ? "," + row.cost() : "").append(',').append(quoted(api));
      text.append(random.nextBoolean() ? ",\n" : ",\"\"\r\n");
    }
    assertThat(Traces.read("t.csv", text.toString()).rows()).isEqualTo(rows);
  }

  @Test
  void rowsAreReadWithAndWithoutCosts() throws IOException, TraceException {
    assertThat(Traces.read("t.csv", WITH_REGION + "10,eu-west,a,3\n").rows())
        .containsExactly(new TraceRow(10 * SECOND, "eu-west", "a", 3, 1));
    assertThat(
            Traces.read("t.csv", "time,region,key,count,cost\r\n10,eu-west,a,3,25\r\n\r\n").rows())
        .containsExactly(new TraceRow(10 * SECOND, "eu-west", "a", 3, 25));
  }

  @Test
  void columnsMayStandInAnyOrder() throws IOException, TraceException {
    assertThat(Traces.read("t.csv", "key,count,region,time\nk,3,r,10\n").rows())
        .containsExactly(new TraceRow(10 * SECOND, "r", "k", 3, 1));
  }

  @Test
  void timesAreEpochSecondsOrInstants() throws IOException, TraceException {
    assertThat(
            Traces.read(
                    "t.csv",
                    WITH_REGION
                        + "807249599.25,r,a,1\n"
                        + "1995-08-01T04:00:00Z,r,a,1\n"
                        + "1995-08-01T00:00:01.5-04:00,r,a,1\n")
                .rows())
        .extracting(TraceRow::timeNanos)
        .containsExactly(807_249_599_250_000_000L, 807_249_600L * SECOND, 807_249_601_500_000_000L);
  }

  @Test
  void aRegionThatIsFoundOtherwiseNeedsNoColumn() throws IOException, TraceException {
    assertThat(Traces.read("t.csv", "time,key,count\n1,www.fr,1\n", "tld").regions())
        .containsExactly("eu-west");
    assertThat(Traces.read("t.csv", "time,key,count,dc\n1,k,1,fra\n", "column:dc").regions())
        .containsExactly("fra");
    assertThat(
            Traces.read("t.csv", "time,region,key,count,d.dc\n1,r,k,1,fra\n", "column:dc").rows())
        .containsExactly(new TraceRow(SECOND, "fra", "k", 1, 1, Descriptors.of("dc", "fra")));
  }

  @Test
  void whatIsWrongIsSaidWithFileAndLine() {
    assertProblem("", "t.csv: is empty");
    assertProblem("a,b\n", "t.csv:1: the header must be time,region,key,count[,cost], and there");
    assertProblem("time,key,count\n", "there is no region: time,key,count");
    assertProblem("time,region,key,count,costs\n", "\"costs\" is none");
    assertProblem("time,region,key,count,key\n", "the column key is there twice");
    assertProblem(WITH_REGION, "t.csv: has a header and no rows");
    assertProblem(WITH_REGION + "1,r,k\n", "t.csv:2: not a row (expected 4 fields and found 3)");
    assertProblem(WITH_REGION + "1,,k,1\n", "t.csv:2: not a row (the region is empty): 1,,k,1");
    assertProblem(WITH_REGION + "1,r,k,0\n", "count must be at least 1: 0");
    assertProblem(WITH_REGION + "1,r,k,9999999999\n", "count must be at most 2147483647");
    assertProblem(WITH_REGION + "1,r,k,1.5\n", "count is no whole number: \"1.5\"");
    assertProblem("time,region,key,count,cost\n1,r,k,1,-5\n", "cost must be at least 1: -5");
    assertProblem(WITH_REGION + "noon,r,k,1\n", "t.csv:2: not a row (\"noon\" is no time");
    assertProblem(WITH_REGION + "1995-08-01T,r,k,1\n", "is no instant, as in 1995-08-01T04");
    assertProblem(WITH_REGION + "807249599250,r,k,1\n", "divide milliseconds by 1000");
    assertProblem(WITH_REGION + "1e40,r,k,1\n", "t.csv:2: not a row");
    assertProblem(WITH_REGION + "0.0000000001,r,k,1\n", "t.csv:2: not a row");
    assertProblem(WITH_REGION + "2,r,k,1\n\n1,r,k,1\n", "t.csv:4: rows must be sorted by time");
    assertProblem(WITH_REGION + "1,r,\"k,1\n", "t.csv:2: not a row (a quote is not closed)");
    assertProblem(WITH_REGION + "1,r,\"k\"k,1\n", "after a closing quote a comma must follow");
    Traces.assertProblem("t.csv", WITH_REGION, "column:dc", "there is no column dc to take");
    Traces.assertProblem(
        "t.csv", "time,key,count,dc\n1,k,1,\n", "column:dc", "is not known by column:dc");
  }

  private static String any(Random random) {
    return TEXTS.get(random.nextInt(TEXTS.size()));
  }

  private static String time(Random random, long timeNanos) {
    return random.nextBoolean()
        ? BigDecimal.valueOf(timeNanos, 9).toPlainString()
        : Instant.ofEpochSecond(0, timeNanos).toString();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  private static void assertProblem(String text, String message) {
    Traces.assertProblem("t.csv", text, null, message);
  }
}
