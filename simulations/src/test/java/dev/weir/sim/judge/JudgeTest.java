package dev.weir.sim.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JudgeTest {
  private static final QuotaSpec SHARED = quota("public-api", new Match("api", "public"));
  private static final QuotaSpec PER_TENANT = quota("per-tenant", Match.any("tenant"));
  private static final QuotaSpec SHADOW =
      quota("trial", new Match("api", "trial")).withMode(Mode.SHADOW);
  private static final QuotaBook BOOK =
      new QuotaBook(
          1,
          Map.of(
              "shop",
              new DomainBook(
                  "shop",
                  List.of(new Region("eu-west", 1), new Region("us-east", 1)),
                  List.of(SHARED, PER_TENANT, SHADOW))));

  private final AuditLog log = new AuditLog();
  private final Judge judge = new Judge(BOOK, 500);

  @Test
  void twoRegionsThatEachKeepToTheQuotaBreakItTogether() throws IOException, AuditException {
    admit("eu-west", 0, "public-api", "", 5);
    admit("us-east", 1000, "public-api", "", 5);
    QuotaVerdict verdict = only(judge.judge(log));
    assertThat(verdict.held()).isFalse();
    // 10 at once, of a burst of 5; what 1 us refills does not make a micro-token less than 10.
    assertThat(verdict.worst().overshootMicros()).isEqualTo(5 * Tokens.MICROS_PER_TOKEN - 10);
    assertThat(verdict.decisions()).isEqualTo(2);
    assertThat(verdict.admittedMicros()).isEqualTo(10 * Tokens.MICROS_PER_TOKEN);
  }

  @Test
  void bucketsOfOneQuotaAreJudgedApartAndTheTightestIsNamed() throws IOException, AuditException {
    admit("eu-west", 0, "per-tenant", "tenant=a", 3);
    admit("us-east", 0, "per-tenant", "tenant=b", 5);
    QuotaVerdict verdict = only(judge.judge(log));
    assertThat(verdict.held()).isTrue();
    assertThat(verdict.buckets()).isEqualTo(2);
    assertThat(verdict.tightest()).isEqualTo("tenant=b");
    assertThat(verdict.worst().excessMicros()).isZero();
  }

  @Test
  void aQuotaThatOnlyCountsIsNotJudged() throws IOException, AuditException {
    admit("eu-west", 0, "trial", "", 1000);
    assertThat(judge.judge(log)).isEmpty();
  }

  @Test
  void anUnknownQuotaIsAnError() throws IOException, AuditException {
    admit("eu-west", 0, "nobody", "", 1);
    assertThatThrownBy(() -> judge.judge(log))
        .isInstanceOf(AuditException.class)
        .hasMessageContaining("shop/nobody");
  }

  private void admit(String region, long atNanos, String quota, String key, long tokens)
      throws IOException, AuditException {
    String line = atNanos + ",shop/" + quota + "," + key + "," + Tokens.micros(tokens) + "\n";
    log.add(region, new StringReader(line));
  }

  private static QuotaVerdict only(List<QuotaVerdict> verdicts) {
    assertThat(verdicts).hasSize(1);
    return verdicts.get(0);
  }

  private static QuotaSpec quota(String name, Match match) {
    return QuotaSpec.leased(
        new QuotaId("shop", name), List.of(match), Rate.perSecond(10), 5 * Tokens.MICROS_PER_TOKEN);
  }
}
