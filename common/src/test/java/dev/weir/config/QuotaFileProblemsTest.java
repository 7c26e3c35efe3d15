package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.weir.core.quota.QuotaId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class QuotaFileProblemsTest {
  /** Parts of a quota that is otherwise good, and what is said about each. */
  static Stream<Arguments> quotas() {
    return Stream.of(
        wrong(
            "limit: 6000/min, brust: 500",
            "1:39: unknown key \"brust\" in quota q (did you mean \"burst\"?)"),
        wrong("limit: 6000/min, xyz: 5", "1:39: unknown key \"xyz\" in quota q"),
        wrong(
            "limit: 1/s, burst: 5, burst: 6",
            "1:44: \"burst\" is given twice in quota q, first at f.yaml:1:34"),
        wrong("burst: 5", "1:1: quota q has no \"limit\""),
        wrong("limit: ", "1:22: limit has no value"),
        wrong(
            "limit: 6000",
            "1:29: limit: \"6000\" is not a limit, as in 6000/min or {tokens: 6000, per: 90s}"),
        wrong(
            "limit: 6000/minute",
            "1:29: limit: \"6000/minute\" has an unknown unit; it is s, min, h or d, or write"
                + " {tokens: 6000, per: 7d} (did you mean \"6000/min\"?)"),
        wrong(
            "limit: 6000/mn",
            "1:29: limit: \"6000/mn\" has an unknown unit; it is s, min, h or d, or write"
                + " {tokens: 6000, per: 7d} (did you mean \"6000/min\"?)"),
        wrong(
            "limit: 7/fortnight",
            "1:29: limit: \"7/fortnight\" has an unknown unit; it is s, min, h or d, or write"
                + " {tokens: 7, per: 7d}"),
        wrong("limit: -5/s", "1:29: limit: \"-5/s\" must not be negative"),
        wrong("limit: many/s", "1:29: limit: \"many/s\" is not a number of tokens"),
        wrong("limit: 010/s", "1:29: limit: \"010/s\" is not a number of tokens"),
        wrong("limit: 1e3/s", "1:29: limit: \"1e3/s\" is not a number of tokens"),
        wrong(
            "limit: 9223372036854775807/s, burst: 9223372036854775807",
            "1:29: limit: \"9223372036854775807/s\" is more than 1000000000000 tokens, the most"
                + " there can be",
            "1:59: burst: \"9223372036854775807\" is more than 1000000000000 tokens, the most there"
                + " can be"),
        wrong(
            "limit: 1000000001/s",
            "1:29: limit: \"1000000001/s\" is faster than 1000000000/s, the most there can be"),
        wrong(
            "limit: {tokens: 1001, per: 1us}",
            "1:29: limit: 1001 per 1us is faster than 1000000000/s, the most there can be"),
        wrong(
            "limit: 0.0000001/s, burst: 1",
            "1:29: limit: \"0.0000001/s\" has more decimals than can be kept: a millionth is the"
                + " least"),
        wrong(
            "limit: 0/s", "1:29: a limit of 0 needs a burst: the tokens that each bucket has once"),
        wrong(
            "limit: {token: 5}",
            "1:29: limit has no \"tokens\"",
            "1:29: limit has no \"per\"",
            "1:30: unknown key \"token\" in limit (did you mean \"tokens\"?)"),
        wrong("limit: {tokens: 5, per: 367d}", "1:46: per: \"367d\" must be between 1ns and 366d"),
        wrong("limit: [5]", "1:29: limit must be a single value, not a list"),
        wrong("limit: 1/s, burst: 0", "1:41: burst: \"0\" must be at least 1"),
        wrong("limit: 1/s, burst: 0.5", "1:41: burst: \"0.5\" must be at least 1"),
        wrong("limit: 1/s, burst: big", "1:41: burst: \"big\" is not a number of tokens"),
        wrong("limit: 1/s, maxCost: 0", "1:43: maxCost: \"0\" must be more than 0"),
        wrong(
            "limit: 5/s, maxCost: 6",
            "1:43: maxCost 6 is more than the burst, 5: such a request could never pass"),
        wrong(
            "limit: 5/s, enforcement: strikt",
            "1:47: enforcement: \"strikt\" is none of leased, strict (did you mean \"strict\"?)"),
        wrong("limit: 5/s, mode: no", "1:40: mode: \"no\" is none of enforce, shadow, off"),
        wrong(
            "limit: 5/s, enforcement: strict, algorithm: gcrs",
            "1:66: algorithm: \"gcrs\" is none of token-bucket, sliding-window, sliding-log,"
                + " fixed-window, gcra (did you mean \"gcra\"?)"),
        wrong(
            "limit: 5/s, algorithm: gcra",
            "1:45: algorithm: \"gcra\" needs enforcement: strict; a leased quota is always a"
                + " token-bucket"),
        wrong(
            "limit: 5/s, onLeaseExpiry: alow",
            "1:49: onLeaseExpiry: \"alow\" is none of floor, deny, allow, {budget:"
                + " {limit: 10/s, burst: 5}} (did you mean \"allow\"?)"),
        wrong(
            "limit: 5/s, onFloorExpiry: floor",
            "1:49: onFloorExpiry: \"floor\" is none of deny, allow, {budget: {limit: 10/s, burst: 5}}"),
        wrong(
            "limit: 5/s, onStoreLoss: {bugdet: {}}",
            "1:47: onStoreLoss has no \"budget\"",
            "1:48: unknown key \"bugdet\" in onStoreLoss (did you mean \"budget\"?)"),
        wrong("limit: 5/s, onStoreLoss: {budget: {burst: 5}}", "1:56: budget has no \"limit\""),
        wrong("limit: 5/s, onStoreLoss: {budget: 5}", "1:56: budget must be a mapping, not \"5\""),
        wrong(
            "limit: 5/s, onLostLedger: [full]",
            "1:48: onLostLedger must be a single value, not a list"),
        wrong("limit: 5/s, lease: {ttl: 999ms}", "1:47: ttl: \"999ms\" must be between 1s and 5m"),
        wrong("limit: 5/s, lease: {ttl: 301s}", "1:47: ttl: \"301s\" must be between 1s and 5m"),
        wrong(
            "limit: 5/s, lease: {ttl: 10}",
            "1:47: ttl: \"10\" needs a unit, as in 250ms, 10s, 1m, 1h or 1d"),
        wrong(
            "limit: 5/s, lease: {ttl: 10sec}",
            "1:47: ttl: \"10sec\" has an unknown unit; write it as in 250ms, 10s, 1m, 1h or 1d (did"
                + " you mean \"10s\"?)"),
        wrong(
            "limit: 5/s, lease: {ttl: soon}",
            "1:47: ttl: \"soon\" is not a length of time, as in 250ms, 10s, 1m, 1h or 1d"),
        wrong(
            "limit: 5/s, lease: {ttl: 999999999999999d}",
            "1:47: ttl: \"999999999999999d\" is longer than any time here may be"),
        wrong(
            "limit: 5/s, lease: {floor: 10}",
            "1:49: floor: \"10\" is not a percentage, as in 10% (did you mean \"10%\"?)"),
        wrong("limit: 5/s, lease: {floor: 91%}", "1:49: floor: \"91%\" must be between 0% and 90%"),
        wrong(
            "limit: 5/s, lease: {floor: 0.00001%}",
            "1:49: floor: \"0.00001%\" has more decimals than can be kept: a millionth is the"
                + " least"),
        wrong("limit: 5/s, lease: {lend: yes}", "1:48: lend: \"yes\" is neither true nor false"),
        wrong(
            "limit: 5/s, lease: {floorTtl: 59s}",
            "1:52: floorTtl: \"59s\" must be between 1m and 30d"),
        wrong(
            "limit: 5/s, lease: {lendTtl: 10s}",
            "1:51: lendTtl (10s) must be longer than ttl (10s)"),
        wrong(
            "limit: 5/s, lease: {ttl: 30s, lendTtl: 25s}",
            "1:61: lendTtl (25s) must be longer than ttl (30s)"),
        wrong(
            "limit: 5/s, lease: {firstLeaseWait: 11s}",
            "1:58: firstLeaseWait: \"11s\" must be between 0s and 10s"),
        wrong(
            "limit: 5/s, lease: {ttll: 5s}",
            "1:42: unknown key \"ttll\" in lease (did you mean \"ttl\"?)"),
        wrong("limit: 5/s, lease: 10s", "1:41: lease must be a mapping, not \"10s\""),
        wrong(
            "limit: &x 5/s, burst: *x",
            "1:44: aliases (*x) are not supported",
            "1:44: burst: \"x\" is not a number of tokens"));
  }

  private static Arguments wrong(String part, String... problems) {
    return arguments(part, List.of(problems));
  }

  /** C11: what cannot be represented; C19: what is larger than any quota may be. */
  @ParameterizedTest
  @MethodSource("quotas")
  void whatIsWrongWithAQuotaIsSaidWithItsPlace(String part, List<String> problems) {
    assertProblems("{match: [], name: q, " + part + "}", problems.toArray(String[]::new));
  }

  private static void assertProblems(String quota, String... problems) {
    try {
      QuotaFile.readQuota(new QuotaId("shop", "q"), "f.yaml", quota);
    } catch (ConfigException refused) {
      assertThat(refused.problems().stream().map(ConfigProblem::toString))
          .containsExactlyElementsOf(Stream.of(problems).map(line -> "f.yaml:" + line).toList());
      return;
    }
    throw new AssertionError("accepted: " + quota);
  }

  @Test
  void whatIsWrongWithAMatchIsSaidWithItsPlace() {
    assertProblems("limit: 1/s", "1:1: quota q has no \"match\"");
    assertProblems("{limit: 1/s, match: tenant}", "1:21: match must be a list, not \"tenant\"");
    assertProblems(
        "{limit: 1/s, match: [tenant]}",
        "1:22: a condition of match is a mapping, as in {key: tenant}, not \"tenant\"");
    assertProblems(
        "{limit: 1/s, match: [{kye: tenant}]}",
        "1:22: match has no \"key\"",
        "1:23: unknown key \"kye\" in match (did you mean \"key\"?)");
    assertProblems("{limit: 1/s, match: [{key: a, value: }]}", "1:31: value has no value");
    assertProblems(
        "{limit: 1/s, match: [{key: a}, {key: a, value: b}]}",
        "1:32: match names the key \"a\" twice");
    assertProblems(
        "{limit: 1/s, match: [{key: ''}]}",
        "1:28: key: \"\" is not possible: a descriptor key is empty");
    assertProblems(
        "{limit: 1/s, match: [{key: a, value: " + "v".repeat(10 * 1024) + "}]}",
        "1:38: value: \""
            + "v".repeat(60)
            + "...\" is not possible: the value of descriptor"
            + " \"value\" is 10240 bytes long; the most is 1024");
    String seventeen =
        String.join(
            ", ", Stream.iterate(0, i -> i + 1).limit(17).map(i -> "{key: k" + i + "}").toList());
    assertProblems(
        "{limit: 1/s, match: [" + seventeen + "]}",
        "1:21: match has 17 conditions; the most is 16");
  }

  @Test
  void allProblemsOfAFileComeAtOnceInItsOrder() {
    assertThat(
            problems(
                """
                domian: shop
                regions:
                  EU West: {weight: 1}
                  us-east: {weight: 0}
                  ap-south: {wieght: 1}
                  sa-east: 3
                defaults: {leese: {}}
                quotas:
                  - {name: Public API, match: [], limit: 5/s}
                  - {match: [], limit: 5/x}
                  - 7
                  - {name: twice, match: [], limit: 5/s}
                  - {name: twice, match: []}
                """))
        .containsExactly(
            "f.yaml:1:1: a quota file has no \"domain\"",
            "f.yaml:1:1: unknown key \"domian\" in a quota file (did you mean \"domain\"?)",
            "f.yaml:3:3: region \"EU West\" must match ^[a-z0-9][a-z0-9._-]{0,62}$ (did you mean"
                + " \"eu-west\"?)",
            "f.yaml:4:21: weight: \"0\" must be between 1 and 1000000",
            "f.yaml:5:14: unknown key \"wieght\" in region ap-south (did you mean \"weight\"?)",
            "f.yaml:6:12: region sa-east must be a mapping, not \"3\"",
            "f.yaml:7:12: unknown key \"leese\" in defaults (did you mean \"lease\"?)",
            "f.yaml:9:12: name: \"Public API\" must match ^[a-z0-9][a-z0-9._-]{0,62}$ (did you mean"
                + " \"public-api\"?)",
            "f.yaml:10:5: quota without a name has no \"name\"",
            "f.yaml:10:24: limit: \"5/x\" has an unknown unit; it is s, min, h or d, or write"
                + " {tokens: 5, per: 7d}",
            "f.yaml:11:5: a quota must be a mapping, not \"7\"",
            "f.yaml:13:5: quota twice has no \"limit\"",
            "f.yaml:13:12: quota twice stands twice, first at f.yaml:12:12");
  }

  @Test
  void aQuotaInTwoFilesIsAnErrorThatNamesBoth() {
    String file = "{domain: shop, quotas: [{name: q, match: [], limit: 5/s}]}";
    assertThat(
            refused(
                QuotaFile.read(
                    List.of(
                        new QuotaFile.Source("a.yaml", file),
                        new QuotaFile.Source("b.yaml", file)))))
        .containsExactly("b.yaml:1:32: quota q stands twice, first at a.yaml:1:32");
  }

  @Test
  void weightsThatConflictAreAnErrorThatNamesBoth() {
    assertThat(
            refused(
                QuotaFile.read(
                    List.of(
                        new QuotaFile.Source(
                            "a.yaml",
                            "{domain: shop, regions: {eu: {weight: 2}, us: {}}, quotas: []}"),
                        new QuotaFile.Source(
                            "b.yaml",
                            "{domain: shop, regions: {us: {weight: 1}, eu: {}}, quotas: []}")))))
        .containsExactly("b.yaml:1:43: region eu has weight 1 here, and 2 at a.yaml:1:26");
  }

  @Test
  void oneBrokenFileDoesNotHideWhatIsWrongWithAnother() {
    assertThat(
            refused(
                QuotaFile.read(
                    List.of(
                        new QuotaFile.Source("a.yaml", "domain: [shop"),
                        new QuotaFile.Source("b.yaml", "domain: sh/op\nquotas: []")))))
        .containsExactly(
            "a.yaml:1:14: expected ',' or ']', but got <stream end>: \"domain: [shop\"",
            "b.yaml:1:9: domain: \"sh/op\" must match ^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$");
  }

  @Test
  void brokenTextIsSaidWithItsLine() {
    assertThat(problems("")).containsExactly("f.yaml:1:1: the file is empty");
    assertThat(problems("# nothing\n")).containsExactly("f.yaml:1:1: the file is empty");
    assertThat(problems("shop"))
        .containsExactly("f.yaml:1:1: a quota file must be a mapping, not \"shop\"");
    assertThat(problems("domain: shop\n  quotas: []\n"))
        .containsExactly("f.yaml:2:9: mapping values are not allowed here: \"quotas: []\"");
    assertThat(problems("domain: shop\nquotas:\n\t- name: x\n"))
        .containsExactly(
            "f.yaml:3:1: found character '\\t(TAB)' that cannot start any token. (Do not use"
                + " \\t(TAB) for indentation): \"- name: x\"");
    assertThat(problems("domain: shop\nquotas: []\n---\ndomain: bank\n"))
        .containsExactly("f.yaml:4:1: the file goes on after its end: one document a file");
    assertThat(refused(QuotaFile.read("f.json", "{\"domain\": \"shop\",\n \"quotas\": [}")))
        .containsExactly(
            "f.json:2:13: Unexpected close marker '}': expected ']' (for Array starting at line:"
                + " 2, column: 12): \"\"quotas\": [}\"");
    assertThat(refused(QuotaFile.read("f.json", "{\"domain\": \"shop\", \"quotas\": []} {}")))
        .containsExactly("f.json:1:34: the file goes on after its end: one document a file");
    assertThat(refused(QuotaFile.read("f.json", "[".repeat(100))))
        .containsExactly("f.json:1:18: nested deeper than 16 levels");
  }

  @Test
  void aFileThatSaysNothingAboutQuotasIsNotOneThatHasNone() {
    String problem = "f.yaml:1:1: a quota file says nothing about quotas; `quotas: []` means none";
    assertThat(problems("domain: shop\n")).containsExactly(problem);
    assertThat(problems("domain: shop\nregions:\n  eu: {}\n")).containsExactly(problem);
    assertThat(QuotaFile.read("f.yaml", "domain: shop\nquotas: []\n"))
        .isInstanceOf(QuotaFile.Accepted.class);
  }

  @Test
  void keysOfADefaultThatDoNotFitAreSaidOnce() {
    assertThat(
            problems(
                """
                domain: shop
                defaults: {lease: {ttl: 30s, lendTtl: 20s}}
                quotas:
                  - {name: a, match: [], limit: 5/s}
                  - {name: b, match: [], limit: 5/s, lease: {ttl: 15s}}
                """))
        .containsExactly("f.yaml:2:39: lendTtl (20s) must be longer than ttl (30s)");
  }

  @Test
  void warningsDoNotRefuse() {
    QuotaFile.Outcome outcome =
        QuotaFile.read(
            "f.yaml",
            """
            domain: shop
            regions: {eu: {}, us: {}, ap: {}}
            quotas:
              - {name: small, match: [], limit: 5/s, burst: 59, maxCost: 10}
              - {name: enough, match: [], limit: 5/s, burst: 60, maxCost: 10}
              - {name: floorless, match: [], limit: 5/s, maxCost: 5, lease: {floor: 0%}}
              - {name: open, match: [], limit: 100/s, onLeaseExpiry: allow, onStoreLoss: deny}
              - {name: strict, match: [], limit: 5/s, enforcement: strict, lease: {ttl: 5s},
                 onFloorExpiry: deny, onStoreLoss: allow}
            """);
    assertThat(outcome).isInstanceOf(QuotaFile.Accepted.class);
    assertThat(outcome.warnings().stream().map(ConfigProblem::toString))
        .containsExactly(
            "f.yaml:4:12: quota small is too small for floors: its burst, 59, is less than 6"
                + " requests (two for each region) of maxCost 10, so each first request of a key"
                + " waits for a lease; enforcement: strict is better",
            "f.yaml:7:12: quota open has onLeaseExpiry: allow, which admits without a bound",
            "f.yaml:7:78: onStoreLoss has no effect on a leased quota",
            "f.yaml:8:12: quota strict has onStoreLoss: allow, which admits without a bound",
            "f.yaml:8:71: lease has no effect on a strict quota",
            "f.yaml:9:21: onFloorExpiry has no effect on a strict quota");
  }

  @Test
  void leasedQuotasWithoutRegionsAreWorthAWarning() {
    QuotaFile.Outcome outcome =
        QuotaFile.read("f.yaml", "{domain: shop, quotas: [{name: q, match: [], limit: 5/s}]}");
    assertThat(outcome.warnings().stream().map(ConfigProblem::toString))
        .containsExactly(
            "f.yaml:1:32: domain shop has no regions: no agent can hold a lease or a floor");
    assertThat(outcome)
        .isInstanceOfSatisfying(
            QuotaFile.Accepted.class,
            read ->
                assertThat(read.domains().values())
                    .allSatisfy(
                        domain ->
                            assertThat(QuotaFile.warnings(domain))
                                .extracting(ConfigProblem::toString)
                                .containsExactly(
                                    "domain shop has no regions: no agent can hold a lease or a"
                                        + " floor")));
  }

  private static List<String> problems(String text) {
    return refused(QuotaFile.read("f.yaml", text));
  }

  private static List<String> refused(QuotaFile.Outcome outcome) {
    if (outcome instanceof QuotaFile.Refused refused) {
      return refused.problems().stream().map(ConfigProblem::toString).toList();
    }
    throw new AssertionError("accepted: " + outcome);
  }
}
