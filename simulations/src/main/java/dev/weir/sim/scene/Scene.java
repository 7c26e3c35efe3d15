package dev.weir.sim.scene;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.bound.Invariants;
import dev.weir.core.bound.Party;
import dev.weir.core.bound.Violation;
import dev.weir.core.bound.WindowJudge;
import dev.weir.core.bucket.Bucket;
import dev.weir.core.lease.Authority;
import dev.weir.core.lease.Holder;
import dev.weir.core.lease.HolderId;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.lease.Ledger;
import dev.weir.core.lease.LedgerStep;
import dev.weir.core.lease.LedgerTerms;
import dev.weir.core.lease.Mark;
import dev.weir.core.lease.Outstanding;
import dev.weir.core.lease.Part;
import dev.weir.core.lease.RegionTerms;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.OfferId;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * One ledger and the agents that lean on it, moved along a timeline by hand. Times are milliseconds
 * since the scene began, rates tokens per second; one clock serves all.
 */
final class Scene {
  static final BucketId BUCKET = new BucketId(new QuotaId("shop", "api"), "");
  static final long SECOND_NANOS = 1_000_000_000L;

  final Rules rules;
  final long startNanos;
  final WindowJudge judge;
  final List<HonestAgent> agents = new ArrayList<>();
  LedgerTerms terms;
  Ledger ledger;
  private long nowNanos;
  private long offers;

  private Scene(LedgerTerms terms, Rules rules, long startNanos, Ledger ledger) {
    this.terms = terms;
    this.rules = rules;
    this.startNanos = startNanos;
    this.nowNanos = startNanos;
    this.ledger = ledger;
    this.judge =
        new WindowJudge(
            new Rate(terms.whole().rateMicros(), terms.perNanos()),
            terms.whole().burstMicros(),
            terms.timing().driftPpm());
  }

  /** A first start: nothing was ever granted and the pool is full. */
  static Scene of(LedgerTerms terms, Rules rules, long startNanos) {
    LedgerTerms since = terms.since(startNanos);
    Authority authority = new Authority(1, startNanos);
    Share free = since.leasable();
    Bucket full =
        new Bucket(
            free.burstMicros(),
            0,
            startNanos,
            new Rate(free.rateMicros(), since.perNanos()),
            free.burstMicros());
    return new Scene(
        since, rules, startNanos, Ledger.open(since, authority, full, new Mark(0, 0), startNanos));
  }

  static Scene of(LedgerTerms terms, Rules rules) {
    return of(terms, rules, 0);
  }

  static Share share(double perSecond, double burst) {
    return new Share(micros(perSecond), micros(burst));
  }

  static long micros(double tokens) {
    return Math.round(tokens * 1e6);
  }

  /** Terms with equal regions, one-second leases, and shares in whole tokens. */
  static LedgerTerms terms(Share whole, Share floorEach, String... regions) {
    Map<String, RegionTerms> all = new TreeMap<>();
    Share floors = Share.ZERO;
    for (String region : regions) {
      all.put(region, new RegionTerms(1, floorEach, floorEach, 1, false));
      floors = floors.plus(floorEach);
    }
    return new LedgerTerms(
        whole,
        SECOND_NANOS,
        1_000_000,
        2 * SECOND_NANOS,
        2 * SECOND_NANOS,
        floors,
        all,
        LeaseTiming.DEFAULT,
        0);
  }

  HonestAgent agent(String region) {
    return agent(region, 1);
  }

  HonestAgent agent(String region, long boot) {
    HonestAgent agent = new HonestAgent(this, new HolderId(region, boot));
    agents.add(agent);
    return agent;
  }

  long nanos(double millis) {
    return startNanos + Math.round(millis * 1e6);
  }

  long nowNanos() {
    return nowNanos;
  }

  Scene at(double millis) {
    nowNanos = nanos(millis);
    return this;
  }

  /** Offers are numbered above those that a schedule begins with. */
  Scene nextOffer(long number) {
    offers = number - 1;
    return this;
  }

  void advanceTo(long nanos) {
    nowNanos = nanos;
  }

  /** The coordinator takes a question in and answers. */
  LedgerStep take(HonestAgent.Question question) {
    LedgerStep step =
        ledger.on(
            question.report(), question.from(), question.seq(), terms, ++offers, nowNanos, rules);
    ledger = step.next();
    return step;
  }

  /** The coordinator takes a question in and makes this offer. */
  BucketOffer take(HonestAgent.Question question, Share share, double tokens, double untilMillis) {
    ledger =
        ledger
            .lastWord(question.report(), question.from(), question.seq(), terms, nowNanos, rules)
            .next();
    return offer(question.from(), share, tokens, untilMillis);
  }

  LedgerStep recall(HonestAgent agent, long seq) {
    LedgerStep step = ledger.recall(BUCKET, agent.id(), seq, terms, ++offers, nowNanos, rules);
    ledger = step.next();
    return step;
  }

  /** A whole exchange without delay. */
  LedgerStep exchange(HonestAgent agent, double demand) {
    HonestAgent.Question question = agent.ask(demand);
    LedgerStep step = take(question);
    agent.hear(question, step.offer());
    return step;
  }

  /** Others terms are in force from now on. */
  void change(LedgerTerms next) {
    terms = next.since(nowNanos);
  }

  /** Another coordinator begins with nothing, and learns for so long. */
  void loseLedger(long learningMillis, long knownMicros) {
    begin(
        new Authority(ledger.authority().id() + 1, nowNanos + learningMillis * 1_000_000),
        knownMicros);
  }

  /** Another coordinator begins with an empty pool. */
  void begin(Authority authority) {
    begin(authority, 0);
  }

  private void begin(Authority next, long knownMicros) {
    Share free = terms.leasable();
    Bucket pool =
        new Bucket(
            Math.min(knownMicros, free.burstMicros()),
            0,
            next.learningUntilNanos(),
            new Rate(free.rateMicros(), terms.perNanos()),
            free.burstMicros());
    ledger = Ledger.open(terms, next, pool, new Mark(0, 0), nowNanos);
  }

  /** Enters an agent into the books as it is, its last offer applied and spoken of just now. */
  void account(HonestAgent agent, double untilMillis, double demand) {
    OfferId applied = agent.applied();
    put(
        agent.id(),
        new Holder(
            0,
            new Part(agent.lease(), nanos(untilMillis)),
            null,
            applied,
            nowNanos,
            applied.number(),
            agent.givenBackMicros(),
            agent.levelMicros(),
            micros(demand),
            0,
            nowNanos,
            nowNanos));
  }

  /** An offer made by hand: what the allocator gives whom is not what safety rests on. */
  BucketOffer offer(HolderId who, Share share, double tokens, double untilMillis) {
    ledger = ledger.advance(nowNanos);
    OfferId id = new OfferId(ledger.authority().id(), ++offers);
    long micros = micros(tokens);
    Holder holder = Objects.requireNonNull(ledger.holders().get(who));
    put(
        who,
        holder.with(
            holder.declared(),
            new Outstanding(
                id,
                new Part(share, nanos(untilMillis)),
                Math.max(share.rateMicros(), holder.accountedAt(nowNanos).rateMicros()),
                micros,
                nowNanos)));
    if (rules.on(Clause.S4_TOKENS_LEAVE_THE_POOL)) {
      pool(ledger.pool().levelMicros() - micros);
    }
    ledger = ledger.advance(nowNanos);
    return new BucketOffer(
        BUCKET, id, terms.perNanos(), share, micros, terms.ttlNanos(), false, false, false);
  }

  private void put(HolderId who, Holder holder) {
    Map<HolderId, Holder> holders = new HashMap<>(ledger.holders());
    holders.put(who, holder);
    ledger =
        new Ledger(ledger.terms(), ledger.authority(), ledger.pool(), holders, ledger.mark())
            .advance(nowNanos);
  }

  /** Draws from the pool and spends it, as an agent with room for it would in no time. */
  void spendFromPool(double tokens) {
    long micros = Math.min(micros(tokens), poolMicros());
    pool(poolMicros() - micros);
    judge.admitted(nowNanos, micros);
  }

  /** Everybody spends everything there is. */
  void spendEverything() {
    agents.forEach(HonestAgent::spendAll);
    spendFromPool(Long.MAX_VALUE / 2e6);
  }

  /** By how much the worst window was over, in tokens; not positive where the bound held. */
  double overBy() {
    return judge.worst().excessMicros() / 1e6;
  }

  void pool(long micros) {
    Ledger now = ledger.advance(nowNanos);
    Bucket pool = now.pool();
    ledger =
        new Ledger(
            now.terms(),
            now.authority(),
            new Bucket(micros, pool.carry(), pool.atNanos(), pool.rate(), pool.burstMicros()),
            now.holders(),
            now.mark());
  }

  Share accounted(HonestAgent agent) {
    Holder holder = ledger.advance(nowNanos).holders().get(agent.id());
    return holder == null ? Share.ZERO : holder.accountedAt(nowNanos);
  }

  /** The ledger with the terms of now. */
  Ledger adopted() {
    ledger = ledger.adopt(terms, nowNanos, rules);
    return ledger;
  }

  long poolMicros() {
    return ledger.advance(nowNanos).pool().levelMicros();
  }

  /** S1, as the ledger sees it. */
  List<Violation> partition() {
    Ledger now = ledger.advance(nowNanos);
    List<Party> parties = new ArrayList<>();
    Share pool = new Share(now.pool().rate().micros(), now.pool().burstMicros());
    parties.add(new Party("pool", pool, now.pool().levelMicros()));
    now.holders()
        .forEach(
            (who, holder) ->
                parties.add(new Party(who.toString(), holder.accountedAt(nowNanos), 0)));
    parties.add(new Party("floors", now.terms().floors(), 0));
    return Invariants.partition(now.terms().whole(), parties);
  }

  /**
   * I1 and I2 from what is really held; {@code onTheirWay} is what answers out there still bring.
   */
  List<Violation> truth(long onTheirWayMicros) {
    Ledger now = ledger.advance(nowNanos);
    List<Party> parties = new ArrayList<>();
    boolean learning = now.authority().isLearningAt(nowNanos);
    parties.add(
        new Party(
            "pool",
            learning ? Share.ZERO : new Share(now.pool().rate().micros(), now.pool().burstMicros()),
            now.pool().levelMicros()));
    for (HonestAgent agent : agents) {
      parties.add(new Party(agent.id().toString(), agent.share(), agent.levelMicros()));
    }
    parties.add(new Party("on their way", Share.ZERO, onTheirWayMicros));
    List<Violation> broken = new ArrayList<>();
    broken.addAll(Invariants.tokensWithinBurst(terms.whole().burstMicros(), parties));
    broken.addAll(Invariants.ratesWithinQuota(terms.whole().rateMicros(), parties));
    return broken;
  }
}
