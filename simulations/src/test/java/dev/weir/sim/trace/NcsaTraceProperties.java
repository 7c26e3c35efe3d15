package dev.weir.sim.trace;

import static dev.weir.sim.trace.Traces.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.quota.Descriptors;
import dev.weir.testkit.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NcsaTraceProperties {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss xx", Locale.ROOT);
  private static final String GOOD =
      "www.example.fr - - [01/Aug/1995:00:00:01 -0400] \"GET / HTTP/1.0\" 200 7074\n";
  private static final List<String> PATHS =
      List.of("/", "/a%20b", "/\"quoted\"", "/back\\slash", "/grün/日本", "/a b", "*");

  @Seeds(tries = 100)
  void whatIsWrittenIsReadAndSorted(Random random) throws IOException, TraceException {
    List<TraceRow> rows = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      NcsaLine line = line(random);
      rows.add(row(line));
      text.append(text(random, line)).append('\n');
    }
    rows.sort(Comparator.comparingLong(TraceRow::timeNanos));
    Trace trace = Traces.read("access.log", text.toString(), "hash:only");
    assertThat(trace.rows()).isEqualTo(rows);
    assertThat(trace.intervalNanos()).isEqualTo(SECOND);
  }

  @Test
  void theFormsOfRealServersAreRead() throws BrokenLineException {
    NcsaLine apache =
        NcsaLine.of(
            "127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] \"GET /a.gif?x=1 HTTP/1.0\" 200 2326"
                + " \"http://www.example.com/start.html\" \"Mozilla/4.08 [en] (Win98; I ;Nav)\"");
    assertThat(apache)
        .isEqualTo(
            new NcsaLine(
                Instant.parse("2000-10-10T20:55:36Z").getEpochSecond() * SECOND,
                "127.0.0.1",
                "frank",
                "GET",
                "/a.gif",
                "",
                "200"));
    NcsaLine host =
        NcsaLine.of(
            "www.example.org:443 2001:db8::7 - - [29/Feb/2024:23:59:60 +0530]"
                + " \"POST http://other.example/api HTTP/2.0\" 201 - \"-\" \"curl\\\"8\"");
    assertThat(host.host()).isEqualTo("www.example.org");
    assertThat(host.client()).isEqualTo("2001:db8::7");
    assertThat(host.path()).isEqualTo("/api");
    NcsaLine bracketed =
        NcsaLine.of("[::1] - - [01/Jan/2024:00:00:00 +0000] \"OPTIONS * HTTP/1.0\" 200 126");
    assertThat(bracketed.client()).isEqualTo("::1");
    assertThat(bracketed.path()).isEqualTo("*");
  }

  @Test
  void oddRequestsCountAsFarAsTheyCanBeRead() throws BrokenLineException {
    // The first two stand in the log of NASA's server; it knew no escapes and HTTP/0.9.
    assertThat(request("GET /\"shuttle\" HTTP/1.0").path()).isEqualTo("/\"shuttle\"");
    assertThat(request("GET /shuttle/").path()).isEqualTo("/shuttle/");
    assertThat(request("\\x16\\x03\\x01").method()).isEmpty();
    assertThat(request("-").path()).isEmpty();
    assertThat(request("").status()).isEqualTo("400");
    assertThat(request("GET /gr\\xc3\\xbcn\\x22 HTTP/1.1").path()).isEqualTo("/grün\"");
    assertThat(request("GET https://[::1]:8443?q HTTP/1.1").host()).isEqualTo("[::1]");
  }

  @Test
  void aPathLongerThanADescriptorIsCut() throws IOException, TraceException {
    String log = GOOD.replace("GET /", "GET /" + "日".repeat(2000));
    assertThat(Traces.read("a.log", log, "tld").rows().get(0).descriptors().value("path"))
        .isEqualTo("/" + "日".repeat(340));
  }

  @Test
  void brokenLinesAreLeftOutCountedAndAFewShown() throws IOException, TraceException {
    String log = GOOD.repeat(10) + "oops\n".repeat(4) + GOOD.replace("Aug", "Aux").repeat(5);
    StringBuilder warnings = new StringBuilder();
    Trace trace = Traces.read("a.log", log.getBytes(StandardCharsets.UTF_8), "tld", warnings);
    assertThat(trace.requests()).isEqualTo(10);
    assertThat(warnings)
        .startsWith(
            "a.log: left out 9 of 19 lines; the first are\n  a.log:11: no time in brackets: oops\n")
        .contains("a.log:15: the time \"01/Aux/1995:00:00:01 -0400\" is not as in");
    assertThat(warnings.toString().lines()).hasSize(6);
  }

  @Test
  void aLogOfWhichMostIsBrokenIsRefused() {
    Traces.assertProblem(
        "a.log",
        GOOD + "oops\noops\n",
        "tld",
        "a.log: most lines cannot be read: 2 of 3 lines\n  a.log:2: no time in brackets: oops");
  }

  @Test
  void whatIsWrongWithALineIsSaid() {
    assertBroken("h - [01/Aug/1995:00:00:01 -0400] \"GET /\" 200 1", "expected client, identity");
    assertBroken(GOOD.replace("01/Aug", "31/Feb"), "the time \"31/Feb/1995:00:00:01 -0400\"");
    assertBroken(GOOD.replace("01/Aug", "01/ugS"), "is not as in dd/Mon/yyyy:hh:mm:ss +hhmm");
    assertBroken(GOOD.replace(" -0400", " EST  "), "is not as in");
    assertBroken(GOOD.replace(":00:00:", ":24:00:"), "is not as in");
    assertBroken(GOOD.replace("\"GET", "GET"), "no request in quotes after the time");
    assertBroken(GOOD.replace("\" 200", "\" ok"), "no status after a request in quotes");
  }

  @Test
  void aLogWantsToBeToldWhereItsRegionsAre() throws IOException, TraceException {
    Traces.assertProblem("a.log", GOOD, null, "a.log: a log does not say in which region");
    Traces.assertProblem("a.log", GOOD, "column:dc", "it has client, user, method, path, host,");
    assertThat(Traces.read("a.log", GOOD, "column:method").regions()).containsExactly("GET");
    Traces.assertProblem("a.log", GOOD, "column:user", "its region is not known by column:user");
  }

  private static NcsaLine request(String text) throws BrokenLineException {
    return NcsaLine.of("h - - [01/Aug/1995:00:00:01 -0400] \"" + text + "\" 400 -");
  }

  private static void assertBroken(String line, String message) {
    assertThatThrownBy(() -> NcsaLine.of(line.strip()))
        .isInstanceOf(BrokenLineException.class)
        .hasMessageContaining(message);
  }

  private static NcsaLine line(Random random) {
    return new NcsaLine(
        (1_700_000_000L + random.nextInt(30)) * SECOND,
        List.of("10.0.0.1", "2001:db8::1", "www.example.fr", "-x").get(random.nextInt(4)),
        List.of("", "frank", "John Smith").get(random.nextInt(3)),
        List.of("GET", "POST", "M-SEARCH").get(random.nextInt(3)),
        PATHS.get(random.nextInt(PATHS.size())),
        List.of("", "", "a.example", "www.example.org").get(random.nextInt(4)),
        List.of("200", "404", "").get(random.nextInt(3)));
  }

  private static String text(Random random, NcsaLine line) {
    int quarters = random.nextInt(2 * 56) - 48;
    ZoneOffset offset = ZoneOffset.ofTotalSeconds(900 * quarters);
    String query = random.nextBoolean() ? "" : "?q=\\\"1\\\" 200";
    String form = random.nextBoolean() ? "" : " \"-\" \"agent \\\" 500 [x]\"";
    return (line.host().isEmpty() ? "" : line.host() + (random.nextBoolean() ? ":80 " : " "))
        + line.client()
        + " - "
        + (line.user().isEmpty() ? "-" : line.user())
        + " ["
        + TIME.format(Instant.ofEpochSecond(0, line.timeNanos()).atOffset(offset))
        + "] \""
        + line.method()
        + ' '
        + line.path().replace("\\", "\\\\").replace("\"", "\\\"")
        + query
        + " HTTP/1.1\" "
        + (line.status().isEmpty() ? "-" : line.status())
        + (random.nextBoolean() ? " -" : " 7074")
        + form;
  }

  private static TraceRow row(NcsaLine line) {
    List<String> pairs = new ArrayList<>();
    for (String name : NcsaLine.NAMES) {
      if (!line.text(name).isEmpty()) {
        pairs.add(name);
        pairs.add(line.text(name));
      }
    }
    return new TraceRow(
        line.timeNanos(),
        "only",
        line.client(),
        1,
        1,
        Descriptors.of(pairs.toArray(new String[0])));
  }
}
