package dev.weir.sim.trace;

import static dev.weir.sim.trace.Traces.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.core.quota.Descriptors;
import dev.weir.testkit.Seeds;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonTraceProperties {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Seeds(tries = 100)
  void whatIsWrittenIsReadAndSorted(Random random) throws IOException, TraceException {
    List<TraceRow> rows = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      long timeNanos = 1_754_006_400 * SECOND + random.nextInt(20) * (SECOND / 4);
      Descriptors descriptors = Descriptors.of("tenant", "a\"" + random.nextInt(5), "api", "日本");
      long cost = 1L + random.nextInt(3);
      rows.add(
          new TraceRow(
              timeNanos, "r" + random.nextInt(3), descriptors.toString(), 1, cost, descriptors));
      text.append(json(random, rows.get(i))).append('\n');
    }
    rows.sort(Comparator.comparingLong(TraceRow::timeNanos));
    assertThat(Traces.read("t.jsonl", text.toString()).rows()).isEqualTo(rows);
  }

  @Test
  void aReadingStandsForTheCoarsestUnitInWhichAllTimesAreWhole()
      throws IOException, TraceException {
    assertThat(Traces.read("t", line("10") + line("20")).intervalNanos()).isEqualTo(SECOND);
    assertThat(Traces.read("t", line("10") + line("10.25")).intervalNanos()).isEqualTo(1_000_000);
    assertThat(Traces.read("t", line("10.0000001")).intervalNanos()).isEqualTo(1);
  }

  @Test
  void theClientIsTheFieldOrTheDescriptorOrAllDescriptors() throws IOException, TraceException {
    String with = "{\"ts\":1,\"client\":\"c\",\"descriptors\":{\"client\":\"d\"}}";
    String descriptor = "{\"ts\":1,\"descriptors\":{\"client\":\"d\"}}";
    String without = "{\"ts\":1,\"descriptors\":{\"tenant\":\"acme\"}}";
    assertThat(Traces.read("t", with + "\n" + descriptor + "\n" + without, "hash:r").rows())
        .extracting(TraceRow::key)
        .containsExactly("c", "d", "tenant=acme");
  }

  @Test
  void aFieldOrADescriptorNamesTheRegion() throws IOException, TraceException {
    assertThat(
            Traces.read(
                    "t",
                    """
                    {"ts":1,"dc":"fra","descriptors":{}}
                    {"ts":2,"region":"r","descriptors":{"dc":"iad"}}
                    """,
                    "column:dc")
                .regions())
        .containsExactly("fra", "iad");
    assertProblem("{\"ts\":1,\"descriptors\":{}}", "column:dc", "is not known by column:dc");
  }

  @Test
  void whatIsWrongIsSaidWithFileAndLine() {
    assertProblem("{", null, "t.jsonl:1: not JSON (");
    assertProblem("\n[]", null, "t.jsonl:2: not a row (it is no object): []");
    assertProblem(row("\"ts\":1") + "{}", null, "something follows the object");
    assertProblem(row("\"ts\":1,\"ts\":2"), null, "not JSON (Duplicate field 'ts')");
    assertProblem(row("\"cost\":1"), null, "ts is missing");
    assertProblem("{\"ts\":1,\"region\":\"r\"}", null, "descriptors is missing");
    assertProblem("{\"ts\":1,\"descriptors\":{}}", null, "region is missing");
    assertProblem(row("\"ts\":1754006400250"), null, "divide milliseconds by 1000");
    assertProblem(row("\"ts\":\"noon\""), null, "\"noon\" is no instant");
    assertProblem(row("\"ts\":true"), null, "ts is neither a number of seconds nor an instant");
    assertProblem(row("\"ts\":1,\"cost\":0"), null, "cost must be at least 1: 0");
    assertProblem(row("\"ts\":1,\"cost\":1.5"), null, "cost is no whole number");
    assertProblem(row("\"ts\":1,\"costs\":1"), null, "\"costs\" is none of ts, region, client,");
    assertProblem("{\"ts\":1,\"descriptors\":{\"a\":1}}", null, "the value of \"a\" is no string");
    assertProblem("{\"ts\":1,\"descriptors\":[]}", null, "descriptors is no object");
    assertProblem("{\"ts\":1,\"region\":\"r\",\"descriptors\":{\"\":\"\"}}", null, "key is empty");
    assertProblem("", null, "t.jsonl: is empty");
  }

  private static String line(String time) {
    return row("\"ts\":" + time) + "\n";
  }

  private static String row(String fields) {
    return "{\"region\":\"r\",\"descriptors\":{}," + fields + "}";
  }

  private static String json(Random random, TraceRow row) {
    ObjectNode json = MAPPER.createObjectNode();
    if (random.nextBoolean()) {
      json.put("ts", BigDecimal.valueOf(row.timeNanos(), 9));
    } else {
      json.put("ts", Instant.ofEpochSecond(0, row.timeNanos()).toString());
    }
    json.put("region", row.region());
    row.descriptors().asMap().forEach(json.putObject("descriptors")::put);
    if (row.cost() != 1 || random.nextBoolean()) {
      json.put("cost", row.cost());
    }
    return json.toString();
  }

  private static void assertProblem(String text, @Nullable String regionBy, String message) {
    Traces.assertProblem("t.jsonl", text, regionBy, message);
  }
}
