package dev.weir.sim.scene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Rules;
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
import dev.weir.core.lease.RegionTerms;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.OfferId;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.testkit.Quotas;
import dev.weir.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What holds of a ledger whatever it is told: by honest agents, by liars and by late copies. */
class LedgerProperties {
  private static final long SECOND = Scene.SECOND_NANOS;
  private static final String[] REGIONS = {"a", "b", "c"};

  // ------------------------------------------------------------------------------ anything

  private static LedgerTerms anyTerms(Random random, long sinceNanos) {
    Share whole =
        new Share(
            Quotas.between(random, 0, 1_000_000_000_000L),
            Quotas.between(random, 1_000_000, 1_000_000_000_000L));
    Map<String, RegionTerms> regions = new TreeMap<>();
    Share floors = Share.ZERO;
    for (String region : REGIONS) {
      Share floor =
          random.nextBoolean()
              ? Share.ZERO
              : new Share(whole.rateMicros() / 10, whole.burstMicros() / 10);
      floors = floors.plus(floor);
      boolean drained = random.nextInt(10) == 0;
      regions.put(region, new RegionTerms(1 + random.nextInt(4), floor, floor, 1, drained));
    }
    long ttl = (1 + random.nextInt(5)) * SECOND;
    return new LedgerTerms(
        whole,
        random.nextInt(4) == 0 ? 60 * SECOND : SECOND,
        Math.min(whole.burstMicros(), Quotas.between(random, 1, 1_000_000_000L)),
        ttl,
        ttl + random.nextInt(3) * SECOND,
        floors,
        regions,
        LeaseTiming.DEFAULT,
        sinceNanos);
  }

  private static BucketReport anyReport(Random random, List<OfferId> offers, long perNanos) {
    OfferId applied =
        random.nextInt(4) == 0 || offers.isEmpty()
            ? new OfferId(random.nextInt(3), random.nextInt(20))
            : offers.get(random.nextInt(offers.size()));
    long level = Quotas.between(random, 0, Long.MAX_VALUE);
    return new BucketReport(
        Scene.BUCKET,
        applied,
        Quotas.between(random, 0, Long.MAX_VALUE),
        random.nextInt(5) == 0 ? Quotas.between(random, 1, Rate.MAX_PER_NANOS) : perNanos,
        new Share(
            Quotas.between(random, 0, Long.MAX_VALUE), Quotas.between(random, 0, Long.MAX_VALUE)),
        level,
        Quotas.between(random, level, Long.MAX_VALUE),
        Quotas.between(random, 0, Long.MAX_VALUE),
        Quotas.between(random, 0, Long.MAX_VALUE),
        random.nextBoolean());
  }

  /**
   * S1 and conservation at every step: pool and accounted leases fill what is not floors, only what
   * is free is offered, and no step makes a token.
   */
  @Seeds(tries = 400)
  void whateverItIsToldItOffersOnlyWhatIsFreeAndMakesNoToken(Random random) {
    long nowNanos = random.nextLong();
    LedgerTerms terms = anyTerms(random, nowNanos);
    Authority authority = new Authority(1, random.nextBoolean() ? nowNanos : nowNanos + 3 * SECOND);
    Share free = terms.leasable();
    Rate rate = new Rate(free.rateMicros(), terms.perNanos());
    Bucket pool =
        new Bucket(free.burstMicros(), 0, authority.learningUntilNanos(), rate, free.burstMicros());
    Ledger ledger = Ledger.open(terms, authority, pool, new Mark(0, 0), nowNanos);
    List<OfferId> offers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      nowNanos += random.nextInt(4) == 0 ? random.nextLong(3 * SECOND) : random.nextInt(50_000_000);
      if (random.nextInt(8) == 0) {
        terms = anyTerms(random, nowNanos);
      }
      Ledger before = ledger.adopt(terms, nowNanos, Rules.ALL);
      HolderId who = new HolderId(REGIONS[random.nextInt(3)], 1 + random.nextInt(2));
      BucketReport report = anyReport(random, offers, terms.perNanos());
      LedgerStep step =
          random.nextInt(5) == 0
              ? before.recall(Scene.BUCKET, who, i, terms, i + 1, nowNanos, Rules.ALL)
              : before.on(report, who, i, terms, i + 1, nowNanos, Rules.ALL);
      ledger = step.next();
      BucketOffer offer = step.offer();
      if (offer != null) {
        offers.add(offer.id());
      }
      partitioned(ledger, nowNanos);
      offeredOnlyWhatWasFree(ledger, who, offer, nowNanos);
      assertThat(ledger.pool().levelMicros() + (offer == null ? 0 : offer.tokensMicros()))
          .as("tokens in pool and offer")
          .isLessThanOrEqualTo(before.pool().levelMicros() + creditable(before, who, nowNanos));
    }
  }

  private static void partitioned(Ledger ledger, long nowNanos) {
    Share leasable = ledger.terms().leasable();
    Share accounted = ledger.accountedAt(nowNanos);
    Share left = leasable.minusOrZero(accounted);
    assertThat(ledger.pool().rate().micros()).isEqualTo(left.rateMicros());
    assertThat(ledger.pool().burstMicros()).isEqualTo(left.burstMicros());
    assertThat(ledger.pool().levelMicros()).isBetween(0L, left.burstMicros());
  }

  private static void offeredOnlyWhatWasFree(
      Ledger ledger, HolderId who, @Nullable BucketOffer offer, long now) {
    if (offer == null) {
      return;
    }
    Share free = ledger.terms().leasable();
    for (Map.Entry<HolderId, Holder> entry : ledger.holders().entrySet()) {
      if (!entry.getKey().equals(who)) {
        free = free.minusOrZero(entry.getValue().accountedAt(now));
      }
    }
    assertThat(offer.share().fitsIn(free)).isTrue();
  }

  /** At most what may come back: an offer's tokens, or as much as the accounted burst can fall. */
  private static long creditable(Ledger before, HolderId who, long nowNanos) {
    Holder holder = before.holders().get(who);
    if (holder == null) {
      return 0;
    }
    Outstanding offer = holder.offer();
    return Math.min(
        1L << 60,
        holder.accountedAt(nowNanos).burstMicros() + (offer == null ? 0 : offer.tokensMicros()));
  }

  /** S2: what somebody else counts for falls by its own word or by time only. */
  @Seeds
  void nobodysWordChangesWhatAnotherCountsFor(Random random) {
    long nowNanos = random.nextLong();
    LedgerTerms terms = anyTerms(random, nowNanos);
    Share free = terms.leasable();
    Rate rate = new Rate(free.rateMicros(), terms.perNanos());
    Ledger ledger =
        Ledger.open(
            terms,
            new Authority(1, nowNanos),
            Bucket.full(rate, free.burstMicros(), nowNanos),
            new Mark(0, 0),
            nowNanos);
    List<OfferId> offers = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      nowNanos += random.nextInt(100_000_000);
      HolderId who = new HolderId(REGIONS[random.nextInt(3)], 1);
      Map<HolderId, Share> before = new HashMap<>();
      for (Map.Entry<HolderId, Holder> entry : ledger.holders().entrySet()) {
        before.put(entry.getKey(), entry.getValue().accountedAt(nowNanos));
      }
      LedgerStep step =
          ledger.on(
              anyReport(random, offers, terms.perNanos()),
              who,
              i,
              terms,
              i + 1,
              nowNanos,
              Rules.ALL);
      ledger = step.next();
      for (Map.Entry<HolderId, Share> entry : before.entrySet()) {
        Holder after = ledger.holders().get(entry.getKey());
        if (!entry.getKey().equals(who)) {
          Share counts = after == null ? Share.ZERO : after.accountedAt(nowNanos);
          assertThat(counts).isEqualTo(entry.getValue());
        }
      }
    }
  }

  // ------------------------------------------------------------------------------ honest agents

  /** A message that has not arrived yet. */
  private record Letter(long atNanos, HonestAgent.Question question, boolean answer, int offer) {}

  /**
   * The tightest agents the rules allow, on the worst of networks: requests and answers late, lost,
   * doubled and overtaking each other, everything spent at random moments.
   */
  @Seeds(tries = 600)
  void noWindowAdmitsMoreWithHonestAgentsOnABadNetwork(Random random) {
    double rate = new double[] {20, 200, 1_000}[random.nextInt(3)];
    double burst = new double[] {5, 60, 500}[random.nextInt(3)];
    double floor = random.nextBoolean() ? 0 : 0.1;
    long startNanos = random.nextLong();
    Scene scene =
        Scene.of(
            Scene.terms(
                Scene.share(rate, burst), Scene.share(floor * rate, floor * burst), REGIONS),
            Rules.ALL,
            startNanos);
    List<HonestAgent> agents = new ArrayList<>();
    for (String region : REGIONS) {
      agents.add(scene.agent(region));
    }
    List<Letter> post = new ArrayList<>();
    List<BucketOffer> offers = new ArrayList<>();
    double loss = random.nextDouble() * 0.4;
    long slowest = random.nextBoolean() ? 60_000_000L : 3 * SECOND;
    for (int i = 0; i < 400; i++) {
      scene.advanceTo(scene.nowNanos() + random.nextInt(40_000_000));
      deliver(scene, post, offers, random, loss, slowest);
      HonestAgent agent = agents.get(random.nextInt(agents.size()));
      switch (random.nextInt(5)) {
        case 0 ->
            post(
                post,
                agent.ask(random.nextDouble() * rate),
                false,
                0,
                scene,
                random,
                loss,
                slowest);
        case 1 -> agent.spendAll();
        case 2 -> agent.spend(random.nextDouble() * burst / 4);
        case 3 -> {
          Share lease = agent.lease();
          if (random.nextInt(4) == 0) {
            agent.giveUpTo(new Share(lease.rateMicros() / 2, lease.burstMicros() / 2));
          }
        }
        default -> {}
      }
      assertThat(scene.truth(0)).isEmpty();
    }
    assertThat(scene.judge.worst().held()).isTrue();
  }

  private static void post(
      List<Letter> post,
      HonestAgent.Question question,
      boolean answer,
      int offer,
      Scene scene,
      Random random,
      double loss,
      long slowestNanos) {
    for (int copies = random.nextInt(8) == 0 ? 2 : 1; copies > 0; copies--) {
      if (random.nextDouble() >= loss) {
        long arrives = scene.nowNanos() + (long) (random.nextDouble() * slowestNanos);
        post.add(new Letter(arrives, question, answer, offer));
      }
    }
  }

  private static void deliver(
      Scene scene,
      List<Letter> post,
      List<BucketOffer> offers,
      Random random,
      double loss,
      long slowestNanos) {
    for (Letter letter : List.copyOf(post)) {
      if (scene.nowNanos() - letter.atNanos() < 0) {
        continue;
      }
      post.remove(letter);
      HonestAgent.Question question = letter.question();
      if (letter.answer()) {
        BucketOffer offer = letter.offer() < 0 ? null : offers.get(letter.offer());
        for (HonestAgent agent : scene.agents) {
          if (agent.id().equals(question.from())) {
            agent.hear(question, offer);
          }
        }
      } else {
        BucketOffer offer = scene.take(question).offer();
        if (offer != null) {
          offers.add(offer);
        }
        int number = offer == null ? -1 : offers.size() - 1;
        post(post, question, true, number, scene, random, loss, slowestNanos);
      }
    }
  }
}
