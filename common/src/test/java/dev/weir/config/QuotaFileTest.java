package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.quota.Algorithm;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Enforcement;
import dev.weir.core.quota.Fallback;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.LostLedger;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuotaFileTest {
  private static final long SECOND = 1_000_000_000L;

  /** The example of the documentation, as written there. */
  private static final String SHOP =
      """
      domain: shop
      regions:                               # who may hold floors and leases, and their weights
        eu-west: {weight: 2}
        us-east: {weight: 1}
        ap-south: {weight: 1}
      defaults:
        lease: {ttl: 10s, floor: 10%, lend: true}    # also floorTtl: 24h, lendTtl (2.5 x ttl)
      quotas:
        - name: public-api                   # appears in headers, metrics, problems
          match: [{key: tenant}, {key: api, value: public}]     # no value: one bucket per value
          limit: 6000/min                    # or {tokens: 6000, per: 90s}
          burst: 500                         # bucket size; default: the amount in the limit
          maxCost: 25                        # default: burst/20, at least 1 (strict: the burst)
          enforcement: leased                # leased | strict
          mode: enforce                      # enforce | shadow | off
          onLeaseExpiry: floor               # floor | deny | allow | {budget: ...}
          onFloorExpiry: deny                # deny | allow | {budget: ...}
          onLostLedger: known                # known | full
        - name: payouts
          match: [{key: account}]
          limit: 10/s
          burst: 10
          enforcement: strict
          algorithm: token-bucket
          onStoreLoss: deny                  # deny | allow | {budget: {limit: 1/s, burst: 1}}
      """;

  private static final QuotaSpec PUBLIC_API =
      new QuotaSpec(
          new QuotaId("shop", "public-api"),
          List.of(Match.any("tenant"), new Match("api", "public")),
          Rate.of(6000, 60 * SECOND),
          Tokens.micros(500),
          Tokens.micros(25),
          Enforcement.LEASED,
          Mode.ENFORCE,
          LeaseTerms.DEFAULT,
          Fallback.FLOOR,
          Fallback.DENY,
          LostLedger.KNOWN,
          Algorithm.TOKEN_BUCKET,
          Fallback.DENY);

  private static final QuotaSpec PAYOUTS =
      QuotaSpec.strict(
          new QuotaId("shop", "payouts"),
          List.of(Match.any("account")),
          Rate.perSecond(10),
          Tokens.micros(10));

  @Test
  void theExampleOfTheDocumentationIsReadAsWritten() {
    QuotaFile.Accepted shop = accepted("shop.yaml", SHOP);
    assertThat(shop.domains())
        .containsOnlyKeys("shop")
        .containsEntry(
            "shop",
            new DomainBook(
                "shop",
                List.of(
                    new Region("eu-west", 2), new Region("us-east", 1), new Region("ap-south", 1)),
                List.of(PUBLIC_API, PAYOUTS)));
    assertThat(shop.warnings()).isEmpty();
    assertThat(shop.places())
        .containsEntry(PUBLIC_API.id(), new Place("shop.yaml", 9, 11))
        .containsEntry(PAYOUTS.id(), new Place("shop.yaml", 19, 11));
  }

  @Test
  void jsonSaysTheSame() {
    String json =
        """
        {"domain": "shop",
         "regions": {"eu-west": {"weight": 2}, "us-east": {"weight": 1}, "ap-south": {}},
         "quotas": [
           {"name": "public-api", "match": [{"key": "tenant"}, {"key": "api", "value": "public"}],
            "limit": {"tokens": 6000, "per": "1m"}, "burst": 500},
           {"name": "payouts", "match": [{"key": "account"}], "limit": "10/s",
            "enforcement": "strict"}]}
        """;
    assertThat(accepted("body", json).domains()).isEqualTo(accepted("shop.yaml", SHOP).domains());
    assertThat(accepted("shop.json", json).domains())
        .isEqualTo(accepted("shop.yml", json).domains());
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheText() {
    assertThat(accepted("shop.yaml", "\ufeff" + SHOP).domains()).containsOnlyKeys("shop");
  }

  @Test
  void whatIsLeftOutHasItsDocumentedDefault() {
    QuotaSpec quota = quota("{match: [{key: tenant}], limit: 6000/min}");
    assertThat(quota.burstMicros()).isEqualTo(Tokens.micros(6000));
    assertThat(quota.maxCostMicros()).isEqualTo(Tokens.micros(300));
    assertThat(quota)
        .isEqualTo(
            QuotaSpec.leased(
                quota.id(),
                List.of(Match.any("tenant")),
                Rate.of(6000, 60 * SECOND),
                Tokens.micros(6000)));
    assertThat(quota("{match: [], limit: 10/s, burst: 15}").maxCostMicros())
        .isEqualTo(Tokens.micros(1));
    assertThat(quota("{match: [], limit: 10/s, enforcement: strict}").maxCostMicros())
        .isEqualTo(Tokens.micros(10));
    assertThat(quota("{match: [], limit: 6/min, lease: {ttl: 4s}}").lease())
        .isEqualTo(
            new LeaseTerms(
                4 * SECOND, 100_000, true, 86_400 * SECOND, 10 * SECOND, LeaseTerms.DEFAULT_WAIT));
  }

  /** C11. */
  @Test
  void oddLimitsAreExact() {
    assertThat(quota("{match: [], limit: {tokens: 10, per: 500ms}}").rate())
        .isEqualTo(Rate.of(10, SECOND / 2));
    assertThat(quota("{match: [], limit: {tokens: 1, per: 90s}}").rate())
        .isEqualTo(Rate.of(1, 90 * SECOND));
    assertThat(quota("{match: [], limit: {tokens: 7, per: 7d}}").rate())
        .isEqualTo(Rate.of(7, 7 * 86_400 * SECOND));
    assertThat(quota("{match: [], limit: 0.1/s, burst: 1}").rate())
        .isEqualTo(new Rate(100_000, SECOND));
    assertThat(quota("{match: [], limit: 0.1/s}").burstMicros()).isEqualTo(Tokens.micros(1));
    assertThat(quota("{match: [], limit: 1_000_000_000/s}").whole().rateMicros())
        .isEqualTo(Tokens.micros(1_000_000_000L));
    assertThat(quota("{match: [], limit: 24 / d}").rate()).isEqualTo(Rate.of(24, 86_400 * SECOND));
    assertThat(quota("{match: [], limit: 5/h}").rate()).isEqualTo(Rate.of(5, 3600 * SECOND));
  }

  /** C18. */
  @Test
  void aLimitOfZeroIsItsBurstOnce() {
    QuotaSpec quota = quota("{match: [], limit: 0/s, burst: 1}");
    assertThat(quota.rate()).isEqualTo(Rate.ZERO);
    assertThat(quota.burstMicros()).isEqualTo(Tokens.micros(1));
  }

  @Test
  void aMatchTakesWhatStandsThereAsText() {
    assertThat(
            quota("{match: [{key: tier, value: 1}, {key: vip, value: true}], limit: 1/s}").match())
        .containsExactly(new Match("tier", "1"), new Match("vip", "true"));
    assertThat(quota("{match: [{key: a, value: ''}], limit: 1/s}").match())
        .containsExactly(new Match("a", ""));
  }

  @Test
  void fallbacksMayBeBudgets() {
    QuotaSpec quota =
        quota(
            "{match: [], limit: 10/s, onLeaseExpiry: {budget: {limit: 10/s, burst: 5}},"
                + " onFloorExpiry: {budget: {limit: 6/min}}, onStoreLoss: allow}");
    assertThat(quota.onLeaseExpiry())
        .isEqualTo(new Fallback.Budget(Rate.perSecond(10), Tokens.micros(5)));
    assertThat(quota.onFloorExpiry())
        .isEqualTo(new Fallback.Budget(Rate.of(6, 60 * SECOND), Tokens.micros(6)));
    assertThat(quota.onStoreLoss()).isEqualTo(Fallback.ALLOW);
  }

  @Test
  void everyWordIsTaken() {
    assertThat(quota("{match: [], limit: 1/s, mode: shadow, onLostLedger: full}"))
        .matches(quota -> quota.mode() == Mode.SHADOW && quota.onLostLedger() == LostLedger.FULL);
    assertThat(quota("{match: [], limit: 1/s, mode: 'off'}").mode()).isEqualTo(Mode.OFF);
    assertThat(quota("{match: [], limit: 1/s, mode: off}").mode()).isEqualTo(Mode.OFF);
    for (Algorithm algorithm : Algorithm.values()) {
      assertThat(
              quota(
                      "{match: [], limit: 1/s, enforcement: strict, algorithm: "
                          + Words.of(algorithm)
                          + "}")
                  .algorithm())
          .isEqualTo(algorithm);
    }
  }

  @Test
  void aQuotasOwnTermsStandOverTheFilesDefaults() {
    QuotaFile.Accepted read =
        accepted(
            "a.yaml",
            """
            domain: shop
            regions: {eu: }
            defaults: {lease: {ttl: 20s, floor: 2.5%, lend: false, firstLeaseWait: 200ms}}
            quotas:
              - {name: one, match: [], limit: 100/s}
              - {name: two, match: [], limit: 100/s, lease: {floor: 0%, floorTtl: 2h, lendTtl: 21s}}
            """);
    long ttl = 20 * SECOND;
    long wait = SECOND / 5;
    assertThat(quota(read, "one").lease())
        .isEqualTo(new LeaseTerms(ttl, 25_000, false, 86_400 * SECOND, 50 * SECOND, wait));
    assertThat(quota(read, "two").lease())
        .isEqualTo(new LeaseTerms(ttl, 0, false, 7200 * SECOND, 21 * SECOND, wait));
  }

  @Test
  void aDomainMayHaveSeveralFiles() {
    QuotaFile.Outcome outcome =
        QuotaFile.read(
            List.of(
                new QuotaFile.Source(
                    "r.yaml", "{domain: shop, regions: {eu: {weight: 2}}, quotas: []}"),
                new QuotaFile.Source("a.yaml", file("shop", "one")),
                new QuotaFile.Source("b.yaml", file("bank", "one")),
                new QuotaFile.Source("c.yaml", file("shop", "two"))));
    assertThat(outcome)
        .isInstanceOfSatisfying(
            QuotaFile.Accepted.class,
            read -> {
              assertThat(read.domains()).containsOnlyKeys("bank", "shop");
              DomainBook shop = book(read, "shop");
              assertThat(shop.regions()).containsExactly(new Region("eu", 2));
              assertThat(shop.quotas())
                  .extracting(q -> q.id().name())
                  .containsExactly("one", "two");
              assertThat(read.places().get(new QuotaId("shop", "two"))).hasToString("c.yaml:1:32");
            });
  }

  @Test
  void aSingleQuotaIsReadUnderItsName() {
    QuotaId id = new QuotaId("shop", "public-api");
    assertThat(QuotaFile.readQuota(id, "body", "{\"match\": [], \"limit\": \"5/s\"}").id())
        .isEqualTo(id);
    assertThatThrownBy(
            () -> QuotaFile.readQuota(id, "body", "{\"name\": \"other\", \"limit\": \"5/s\"}"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            """
            body:1:1: quota public-api has no "match"
            body:1:10: name: "other" is not the name of this quota, public-api""");
    assertThatThrownBy(() -> QuotaFile.readQuota(id, "body", "[]"))
        .hasMessage("body:1:1: quota public-api must be a mapping, not a list");
    assertThatThrownBy(() -> QuotaFile.readQuota(id, "body", ""))
        .hasMessage("body:1:1: the file is empty");
  }

  @Test
  void aQuotaAsYamlIsReadable() {
    assertThat(QuotaFile.toYaml(PAYOUTS))
        .isEqualTo(
            """
            name: "payouts"
            match:
            - key: "account"
            limit: "10/s"
            burst: 10
            maxCost: 10
            enforcement: "strict"
            mode: "enforce"
            algorithm: "token-bucket"
            onStoreLoss: "deny"
            """);
    assertThat(QuotaFile.toJson(PUBLIC_API))
        .contains("\"limit\" : \"6000/min\"", "\"floor\" : \"10%\"", "\"floorTtl\" : \"1d\"");
  }

  private static String file(String domain, String quota) {
    return "{domain: " + domain + ", quotas: [{name: " + quota + ", match: [], limit: 9/s}]}";
  }

  private static QuotaSpec quota(String text) {
    return QuotaFile.readQuota(new QuotaId("shop", "q"), "q.yaml", text);
  }

  private static QuotaSpec quota(QuotaFile.Accepted read, String name) {
    return book(read, "shop").quotas().stream()
        .filter(quota -> quota.id().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static DomainBook book(QuotaFile.Accepted read, String domain) {
    DomainBook book = read.domains().get(domain);
    if (book == null) {
      throw new AssertionError("no domain " + domain);
    }
    return book;
  }

  private static QuotaFile.Accepted accepted(String name, String text) {
    QuotaFile.Outcome outcome = QuotaFile.read(name, text);
    if (outcome instanceof QuotaFile.Accepted accepted) {
      return accepted;
    }
    throw new AssertionError(outcome);
  }
}
