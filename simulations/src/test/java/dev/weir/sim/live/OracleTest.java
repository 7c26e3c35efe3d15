package dev.weir.sim.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OracleTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 42;
  private static final Question QUESTION = new Question("shop", "tenant", Map.of("api", "public"));

  @Test
  void itIsOneBucketForAllThatStartsFull() {
    Oracle oracle = oracle(quota("shared", 1, 3, new Match("api", "public")));
    assertThat(oracle.admits("a", 1, START)).isTrue();
    assertThat(oracle.admits("b", 1, START)).isTrue();
    assertThat(oracle.admits("c", 1, START)).isTrue();
    assertThat(oracle.admits("d", 1, START)).isFalse();
    assertThat(oracle.admits("e", 1, START + SECOND)).isTrue();
    assertThat(oracle.admits("f", 1, START + SECOND)).isFalse();
  }

  @Test
  void whatOneQuotaRefusesCostsTheOthersNothing() {
    Oracle oracle =
        oracle(
            quota("shared", 1, 3, new Match("api", "public")),
            quota("per-tenant", 1, 1, Match.any("tenant")));
    assertThat(oracle.admits("a", 1, START)).isTrue();
    assertThat(oracle.admits("a", 1, START)).isFalse();
    assertThat(oracle.admits("a", 1, START)).isFalse();
    assertThat(oracle.admits("b", 1, START)).isTrue();
    assertThat(oracle.admits("c", 1, START)).isTrue();
    assertThat(oracle.admits("d", 1, START)).isFalse();
  }

  @Test
  void moreThanTheLargestCostIsNeverAdmitted() {
    Oracle oracle = oracle(quota("shared", 1, 40, new Match("api", "public")));
    assertThat(oracle.admits("a", 3, START)).isFalse();
    assertThat(oracle.admits("a", 2, START)).isTrue();
  }

  @Test
  void aQuotaThatOnlyCountsDecidesNothing() {
    Oracle oracle = oracle(quota("shared", 1, 1, new Match("api", "public")).withMode(Mode.SHADOW));
    assertThat(oracle.admits("a", 1, START)).isTrue();
    assertThat(oracle.admits("a", 1, START)).isTrue();
  }

  private static Oracle oracle(QuotaSpec... quotas) {
    DomainBook domain = new DomainBook("shop", List.of(new Region("eu-west", 1)), List.of(quotas));
    return new Oracle(new QuotaBook(1, Map.of("shop", domain)), QUESTION);
  }

  private static QuotaSpec quota(String name, long perSecond, long burst, Match match) {
    return QuotaSpec.leased(
        new QuotaId("shop", name), List.of(match), Rate.perSecond(perSecond), Tokens.micros(burst));
  }
}
