package dev.weir.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Rules;
import dev.weir.core.bound.WindowJudge;
import dev.weir.core.bucket.BucketModel.Held;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.Quotas;
import dev.weir.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The lock-free bucket against the pure one, step by step. */
class HotBucketProperties {
  private static final int STEPS = 400;

  @Seeds(tries = 600)
  void itEqualsThePureBucketStepByStep(Random random) {
    ManualTicker clock = ManualTicker.startingAnywhere(random);
    Rate rate = Quotas.anyRate(random);
    Footing footing = anyFooting(random, rate, clock.nanos(), 2);
    long level = Quotas.between(random, 0, footing.share().burstMicros());
    BucketModel model = new BucketModel(footing, level, clock.nanos());
    HotBucket hot = new HotBucket(SharedTerms.first(footing, level, clock.nanos()));
    Deque<Held> held = new ArrayDeque<>();
    Deque<Receipt> receipts = new ArrayDeque<>();

    for (int step = 0; step < STEPS; step++) {
      clock.advance(anyLength(random, rate));
      long now = clock.nanos();
      String at = "step " + step + " at " + now + " on " + model.footing();
      switch (random.nextInt(10)) {
        case 0 -> {
          Change change = anyChange(random, rate, now);
          assertThat(hot.change(change, now)).as(at).isEqualTo(model.change(change, now));
        }
        case 1 -> {
          model.levelAt(now);
          Footing renewed = renewed(random, model.footing());
          assertThat(hot.renew(renewed, now)).as(at).isTrue();
          model.renew(renewed);
        }
        case 2 -> {
          long cost = anyCost(random, model, now);
          Receipt receipt = new Receipt();
          long answer = hot.reserve(cost, now, receipt);
          assertThat(answer).as(at).isEqualTo(model.take(cost, now));
          if (answer >= 0) {
            held.add(model.held(cost));
            receipts.add(receipt);
          }
        }
        case 3 -> {
          if (!held.isEmpty()) {
            if (random.nextBoolean()) {
              Receipt receipt = receipts.remove();
              long given = hot.giveBack(receipt, clock, Rules.ALL);
              // The model has no epochs: a bucket anchored anew may give back nothing.
              boolean voided = hot.terms.baseMicros != receipt.baseMicros;
              assertThat(model.giveBack(held.remove(), now, voided)).as(at).isEqualTo(given);
            } else {
              hot.keep(receipts.remove());
              model.keep(held.remove());
            }
          }
        }
        default -> {
          long cost = anyCost(random, model, now);
          assertThat(hot.take(cost, now)).as(at).isEqualTo(model.take(cost, now));
        }
      }
      assertThat(hot.levelAt(now)).as(at).isEqualTo(model.levelAt(now));
      assertThat(hot.footingAt(now)).as(at).isEqualTo(model.footing());
      assertThat(hot.pendingMicros()).as(at).isEqualTo(model.pendingMicros());
      assertThat(hot.admittedMicros()).as(at).isEqualTo(model.admittedMicros);
      assertThat(hot.refusedMicros()).as(at).isEqualTo(model.refusedMicros);
    }
  }

  @Seeds
  void afterTheWaitItNamesTheRequestPassesAndNotANanosecondBefore(Random random) {
    ManualTicker clock = ManualTicker.startingAnywhere(random);
    Rate rate = Quotas.anyRate(random);
    Footing footing = anyFooting(random, rate, clock.nanos(), 3);
    long start = clock.nanos();
    long cost = Quotas.between(random, 1, Math.max(1, footing.share().burstMicros()));
    long answer = emptyAt(footing, start).take(cost, start);
    if (answer < 0 && answer != HotBucket.NEVER) {
      assertThat(emptyAt(footing, start).take(cost, start - answer)).isNotNegative();
      assertThat(emptyAt(footing, start).take(cost, start - answer - 1)).isNegative();
    }
  }

  @Seeds
  void noWindowAdmitsMoreThanBurstAndRateRoundedUpToAMicroToken(Random random) {
    ManualTicker clock = ManualTicker.startingAnywhere(random);
    Rate rate = Quotas.anyRate(random);
    long burst = Quotas.between(random, 1, Tokens.MAX_MICROS);
    Footing footing =
        Footing.lasting(Standing.FLOOR, new Share(rate.micros(), burst), rate.perNanos());
    HotBucket hot = new HotBucket(SharedTerms.first(footing, burst, clock.nanos()));
    WindowJudge judge = new WindowJudge(rate, burst, 0);
    for (int i = 0; i < 300; i++) {
      long now = clock.advance(anyLength(random, rate));
      long cost = random.nextBoolean() ? hot.levelAt(now) : Quotas.between(random, 1, burst);
      if (hot.take(cost, now) >= 0) {
        judge.admitted(now, cost);
      }
    }
    // Rounded up: the excess is below a micro-token.
    assertThat(judge.worst().excessMicros()).isLessThanOrEqualTo(1);
  }

  @Seeds
  void timeThatGoesBackwardsMakesNothing(Random random) {
    ManualTicker clock = ManualTicker.startingAnywhere(random);
    Rate rate = Quotas.anyRate(random);
    Footing footing = anyFooting(random, rate, clock.nanos(), 1);
    HotBucket hot = new HotBucket(SharedTerms.first(footing, 0, clock.nanos()));
    long start = clock.nanos();
    long latest = start;
    long taken = 0;
    for (int i = 0; i < 200; i++) {
      clock.advance(Quotas.between(random, -1_000_000_000L, 1_000_000_000L));
      latest = Math.max(latest - start, clock.nanos() - start) + start;
      long cost = Quotas.between(random, 1, Math.max(1, footing.share().burstMicros()));
      taken += hot.take(cost, clock.nanos()) >= 0 ? cost : 0;
      if (taken < 0) {
        return;
      }
      assertThat(taken).isLessThanOrEqualTo(mostMade(footing, start, latest));
    }
  }

  private static HotBucket emptyAt(Footing footing, long nowNanos) {
    return new HotBucket(SharedTerms.first(footing, 0, nowNanos));
  }

  private static long mostMade(Footing footing, long start, long latest) {
    long elapsed = latest - start;
    long first = footing.rate().minted(elapsed);
    long then = footing.following().rate().minted(elapsed);
    return first + then < 0 ? Long.MAX_VALUE : first + then;
  }

  private static long anyLength(Random random, Rate rate) {
    return switch (random.nextInt(12)) {
      case 0, 1 -> 0;
      case 2 -> rate.perNanos();
      case 3 -> Quotas.between(random, 0, 1L << 61);
      case 4 -> Math.min(1L << 60, Math.max(1, rate.nanosToMint(1)) - random.nextInt(2));
      default -> Quotas.between(random, 0, 100_000_000_000L);
    };
  }

  private static long anyCost(Random random, BucketModel model, long now) {
    long level = model.levelAt(now);
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> level;
      case 2 -> level + 1;
      case 3 -> model.footing().share().burstMicros() + random.nextInt(2);
      default -> Quotas.between(random, 1, Math.max(1, level));
    };
  }

  private static Change anyChange(Random random, Rate rate, long now) {
    Footing footing = anyFooting(random, rate, now, 3);
    long burst = footing.share().burstMicros();
    return new Change(
        footing,
        random.nextBoolean() ? 0 : Quotas.between(random, 0, Tokens.MAX_MICROS),
        Quotas.between(random, 0, Math.max(1, burst)));
  }

  /** Any share, and up to so many others after it; ends grow. */
  private static Footing anyFooting(Random random, Rate rate, long now, int depth) {
    Rate mine = random.nextBoolean() ? rate : anyRate(random, rate);
    Share share =
        random.nextInt(8) == 0
            ? Share.ZERO
            : new Share(mine.micros(), Quotas.between(random, 1, Tokens.MAX_MICROS));
    Standing[] all = Standing.values();
    Footing lasting = Footing.lasting(all[random.nextInt(all.length)], share, mine.perNanos());
    if (depth == 0 || random.nextInt(3) == 0) {
      return lasting;
    }
    long endNanos = now + 1 + Quotas.between(random, 0, 1L << 45);
    return lasting.until(endNanos, following(random, rate, endNanos, depth), Rules.ALL);
  }

  private static @Nullable Footing following(Random random, Rate rate, long end, int depth) {
    return random.nextInt(5) == 0 ? null : anyFooting(random, rate, end, depth - 1);
  }

  private static Rate anyRate(Random random, Rate rate) {
    return random.nextBoolean()
        ? Quotas.anyRate(random)
        : new Rate(Quotas.between(random, 0, rate.micros()), rate.perNanos());
  }

  private static Footing renewed(Random random, Footing footing) {
    Footing lasting = Footing.lasting(footing.standing(), footing.share(), footing.perNanos());
    if (!footing.ends()) {
      return lasting;
    }
    long endNanos = footing.endsAtNanos() + Quotas.between(random, 0, 1L << 40);
    return lasting.until(endNanos, anyFooting(random, footing.rate(), endNanos, 1), Rules.ALL);
  }
}
