package dev.weir.agent;

import dev.weir.agent.audit.AuditFile;
import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.bucket.Standing;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.Fallback;
import dev.weir.core.quota.Matcher;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides one request: finds its quotas, takes its cost from all of them or from none (S12), and
 * falls back as each quota says where its lease, its floor or its store is missing (section 4 of
 * the design). Any thread; no locks.
 */
final class Judge {
  /** A floor that has room for so many requests asks for a lease before it is empty. */
  private static final long LOW_REQUESTS = 4;

  private static final long LOW_PARTS = 4;

  private final LongSupplier clock;
  private final Wants wants;
  private final @Nullable AuditFile audit;
  private final Rules rules;
  private final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::new);

  /** Told of each bucket that the coordinator should hear of, once until it is looked at. */
  interface Wants {
    void want(QuotaKeys keys, KeyBucket bucket, long costMicros);
  }

  /** What one thread needs while it decides. */
  private static final class Scratch {
    int[] slots = new int[0];
    Leg[] legs = {};
    @Nullable KeyBucket dry;

    void makeRoom(int size) {
      if (slots.length < size) {
        slots = new int[size];
        legs = new Leg[size];
        for (int i = 0; i < size; i++) {
          legs[i] = new Leg();
        }
      }
    }
  }

  Judge(LongSupplier clock, Wants wants, @Nullable AuditFile audit, Rules rules) {
    this.clock = clock;
    this.wants = wants;
    this.audit = audit;
    this.rules = rules;
  }

  /**
   * Decides.
   *
   * @param costMicros not negative
   * @param mayWait whether a refusal for want of a first lease is not the last word: then it is not
   *     counted, and {@link #dryBucket} says which bucket has none
   */
  Decision decide(
      Life life, String domain, Descriptors descriptors, long costMicros, boolean mayWait) {
    Tables.Domain its = life.tables().domain(domain);
    if (its == null) {
      return Decision.UNMATCHED;
    }
    Matcher matcher = its.matcher();
    Scratch mine = scratch.get();
    mine.makeRoom(matcher.matchesMax());
    int count = matcher.match(descriptors, mine.slots);
    if (count == 0) {
      return Decision.UNMATCHED;
    }
    long nowNanos = clock.getAsLong();
    int refusing = weighAll(life, its, descriptors, costMicros, mine, count, nowNanos);
    if (refusing == count) {
      keep(mine.legs, count, costMicros, nowNanos);
    } else {
      giveBack(mine.legs, refusing);
      lookAtRest(its, descriptors, mine, refusing + 1, count, nowNanos);
    }
    if (mayWait && refusing < count && mine.legs[refusing].reason == Reason.NO_LEASE) {
      mine.dry = mine.legs[refusing].bucket();
    } else {
      count(mine.legs, refusing, count, costMicros);
    }
    return decision(mine.legs, refusing, count);
  }

  /**
   * Returns the bucket that made this thread's last decision one that may wait; null if it did not.
   */
  @Nullable KeyBucket dryBucket() {
    Scratch mine = scratch.get();
    KeyBucket dry = mine.dry;
    mine.dry = null;
    return dry;
  }

  /** Returns which leg refused; {@code count} if none did. */
  private int weighAll(
      Life life,
      Tables.Domain domain,
      Descriptors descriptors,
      long costMicros,
      Scratch mine,
      int count,
      long nowNanos) {
    for (int i = 0; i < count; i++) {
      int slot = mine.slots[i];
      Leg leg = mine.legs[i];
      leg.begin(domain.quotas().get(slot), name(domain.matcher(), slot, descriptors));
      weigh(life, leg, costMicros, count > 1, nowNanos);
      if (!leg.allowed && !domain.hasRegion() && hasNothing(life, leg, nowNanos)) {
        leg.refuse(Reason.UNKNOWN_REGION, leg.remainingMicros, Leg.OPERATOR_NANOS);
      }
      if (!leg.allowed && !leg.quota().isEnforced()) {
        leg.allow(Reason.SHADOW, leg.remainingMicros, leg.waitNanos);
      }
      if (!leg.allowed) {
        return i;
      }
    }
    return count;
  }

  /** Whether it was refused since the region has no lease, and so for the region's sake. */
  private static boolean hasNothing(Life life, Leg leg, long nowNanos) {
    return switch (leg.reason) {
      case EXHAUSTED, LEASE_EXPIRED, NO_LEASE, FLOOR_LENT ->
          life.over() == null
              && (leg.bucket == null || leg.bucket.standingAt(nowNanos) != Standing.LEASE);
      default -> false;
    };
  }

  private static String name(Matcher matcher, int slot, Descriptors descriptors) {
    String sole = matcher.soleValue(slot, descriptors);
    return sole != null ? sole : matcher.key(slot, descriptors);
  }

  // ------------------------------------------------------------------------------ one quota

  private void weigh(Life life, Leg leg, long costMicros, boolean revocable, long nowNanos) {
    LiveQuota quota = leg.quota();
    QuotaSpec spec = quota.spec();
    if (costMicros > spec.maxCostMicros()) {
      leg.refuse(Reason.COST_TOO_LARGE, levelOf(leg, nowNanos), Decision.NEVER);
    } else if (!spec.isLeased()) {
      fallBack(
          leg, spec.onStoreLoss(), quota.storeBudget(), Reason.STORE_LOST, costMicros, nowNanos);
    } else if (quota.deniesWhenCutOff() && life.cutOff().isLongerThan(quota.ttlNanos(), nowNanos)) {
      leg.refuse(Reason.LEASE_EXPIRED, 0, Leg.SOME_NANOS);
    } else {
      take(life, leg, costMicros, revocable, nowNanos);
    }
  }

  private void take(Life life, Leg leg, long costMicros, boolean revocable, long nowNanos) {
    QuotaKeys keys = leg.quota().keys();
    while (true) {
      KeyBucket bucket = keys.bucket(leg.name(), nowNanos);
      long left =
          revocable
              ? bucket.reserve(costMicros, nowNanos, leg.receipt)
              : bucket.take(costMicros, nowNanos);
      if (left == HotBucket.RETIRED) {
        keys.drop(bucket);
        continue;
      }
      leg.bucket = bucket;
      if (left >= 0) {
        leg.charged = bucket;
        leg.allow(Reason.OK, left, untilOneMore(bucket, left, nowNanos));
        wantIfLow(leg.quota(), bucket, left, costMicros, nowNanos);
      } else {
        refused(life, leg, bucket, left, costMicros, nowNanos);
      }
      return;
    }
  }

  /** When there will be a token more than there is; {@link Decision#NEVER} for a full bucket. */
  private static long untilOneMore(HotBucket bucket, long levelMicros, long nowNanos) {
    long waitNanos = bucket.waitIfRenewedNanos(levelMicros + Tokens.MICROS_PER_TOKEN, nowNanos);
    return waitNanos == HotBucket.NEVER ? Decision.NEVER : Math.max(1, waitNanos);
  }

  private void wantIfLow(
      LiveQuota quota, KeyBucket bucket, long leftMicros, long costMicros, long nowNanos) {
    long burstMicros = quota.keys().floor().share().burstMicros();
    if (leftMicros < burstMicros / LOW_PARTS
        && burstMicros / LOW_REQUESTS >= quota.spec().maxCostMicros()
        && bucket.isOnSharedTerms()) {
      want(quota.keys(), bucket, costMicros, nowNanos);
    }
  }

  private void want(QuotaKeys keys, KeyBucket bucket, long costMicros, long nowNanos) {
    if (bucket.isFirstToWant(nowNanos)) {
      wants.want(keys, bucket, costMicros);
    }
  }

  // ------------------------------------------------------------------------------ refusals

  private void refused(
      Life life, Leg leg, KeyBucket bucket, long answer, long costMicros, long nowNanos) {
    LiveQuota quota = leg.quota();
    QuotaSpec spec = quota.spec();
    want(quota.keys(), bucket, costMicros, nowNanos);
    boolean cutOff = life.cutOff().isLongerThan(quota.ttlNanos(), nowNanos);
    Standing standing = bucket.standingAt(nowNanos);
    Reason reason = reason(life, quota, bucket, standing, cutOff);
    leg.refuse(
        reason,
        Math.max(0, bucket.levelAt(nowNanos)),
        waitNanos(spec, bucket, standing, cutOff, answer, costMicros, nowNanos));
    if (!cutOff || life.over() != null) {
      return;
    }
    if (life.cutOff().isLongerThan(quota.floorTtlNanos(), nowNanos)) {
      fallBack(
          leg,
          spec.onFloorExpiry(),
          quota.floorBudget(),
          Reason.LEASE_EXPIRED,
          costMicros,
          nowNanos);
      if (!leg.allowed && spec.onFloorExpiry() instanceof Fallback.Budget) {
        fallBack(
            leg,
            spec.onLeaseExpiry(),
            quota.leaseBudget(),
            Reason.LEASE_EXPIRED,
            costMicros,
            nowNanos);
      }
    } else {
      fallBack(
          leg,
          spec.onLeaseExpiry(),
          quota.leaseBudget(),
          Reason.LEASE_EXPIRED,
          costMicros,
          nowNanos);
    }
  }

  private static Reason reason(
      Life life, LiveQuota quota, KeyBucket bucket, Standing standing, boolean cutOff) {
    Reason over = life.over();
    if (over != null) {
      return over;
    }
    if (quota.keys().isOverflow(bucket)) {
      return Reason.OVERFLOW;
    }
    if (!cutOff && bucket.learning) {
      return Reason.LEARNING;
    }
    if (!cutOff && life.isDrained() && standing != Standing.LEASE) {
      return Reason.DRAINED;
    }
    return switch (standing) {
      case LEASE, FLOOR -> cutOff ? Reason.LEASE_EXPIRED : Reason.EXHAUSTED;
      case LEASE_EXPIRED -> cutOff ? Reason.LEASE_EXPIRED : Reason.EXHAUSTED;
      case NO_LEASE -> Reason.NO_LEASE;
      case FLOOR_LENT -> Reason.FLOOR_LENT;
      case LEARNING -> Reason.LEARNING;
      case DRAINED -> Reason.DRAINED;
      case FENCED -> Reason.FENCED;
      case OVERFLOW -> Reason.OVERFLOW;
    };
  }

  /**
   * Returns what to tell: as long as answers come, leases are renewed, and a bucket that has none
   * yet may get one at any moment; cut off, what is known counts.
   */
  private static long waitNanos(
      QuotaSpec spec,
      KeyBucket bucket,
      Standing standing,
      boolean cutOff,
      long answer,
      long costMicros,
      long nowNanos) {
    if (spec.rate().micros() == 0) {
      return Decision.NEVER;
    }
    long waitNanos = cutOff ? answer : bucket.waitIfRenewedNanos(costMicros, nowNanos);
    if (waitNanos == HotBucket.NEVER) {
      return Leg.SOME_NANOS;
    }
    long knownNanos = Math.max(1, Math.abs(waitNanos));
    boolean mayGetLease = !cutOff && standing != Standing.LEASE;
    return mayGetLease ? Math.min(knownNanos, Leg.SOME_NANOS) : knownNanos;
  }

  private void fallBack(
      Leg leg,
      Fallback fallback,
      @Nullable Budgets budgets,
      Reason reason,
      long costMicros,
      long nowNanos) {
    if (fallback instanceof Fallback.Allow) {
      leg.allow(reason, 0, Decision.NEVER);
    } else if (budgets != null) {
      HotBucket bucket = budgets.bucket(leg.name());
      long atNanos = budgets.nanos(nowNanos);
      long left = bucket.reserve(costMicros, atNanos, leg.receipt);
      if (left >= 0) {
        leg.charged = bucket;
        leg.budgets = budgets;
        leg.allow(reason, left, untilOneMore(bucket, left, atNanos));
      } else {
        leg.refuse(
            reason,
            Math.max(0, bucket.levelAt(atNanos)),
            left == HotBucket.NEVER ? Leg.SOME_NANOS : -left);
      }
    } else if (fallback instanceof Fallback.Deny) {
      leg.refuse(reason, 0, leg.waitNanos);
    }
  }

  private static long levelOf(Leg leg, long nowNanos) {
    if (!leg.quota().spec().isLeased()) {
      return 0;
    }
    KeyBucket bucket = leg.quota().keys().bucket(leg.name(), nowNanos);
    return Math.max(0, bucket.levelAt(nowNanos));
  }

  /** Tells whether a bucket has still had no lease, and has no floor. */
  static boolean waitsForLease(KeyBucket bucket, long nowNanos) {
    return bucket.levelAt(nowNanos) != HotBucket.RETIRED
        && bucket.standingAt(nowNanos) == Standing.NO_LEASE;
  }

  // ------------------------------------------------------------------------------ all or none

  private void keep(Leg[] legs, int count, long costMicros, long nowNanos) {
    for (int i = 0; i < count; i++) {
      Leg leg = legs[i];
      if (leg.receipt.isOpen() && leg.charged != null) {
        leg.charged.keep(leg.receipt);
      }
      if (audit != null && costMicros > 0 && leg.quota().isEnforced()) {
        BucketId id = leg.quota().keys().id(leg.bucket, leg.name());
        audit.admitted(nowNanos, id.quota().toString(), id.key(), costMicros);
      }
    }
  }

  private void giveBack(Leg[] legs, int refusing) {
    for (int i = 0; i < refusing; i++) {
      Leg leg = legs[i];
      HotBucket charged = leg.charged;
      if (leg.receipt.isOpen() && charged != null) {
        if (!rules.on(Clause.S12_ALL_OR_NOTHING)) {
          charged.keep(leg.receipt);
          continue;
        }
        Budgets budgets = leg.budgets;
        LongSupplier its = budgets == null ? clock : () -> budgets.nanos(clock.getAsLong());
        leg.remainingMicros += charged.giveBack(leg.receipt, its, rules);
      }
    }
  }

  /** The quotas after the one that refused were not asked: they only show what they have. */
  private void lookAtRest(
      Tables.Domain domain,
      Descriptors descriptors,
      Scratch mine,
      int from,
      int count,
      long nowNanos) {
    for (int i = from; i < count; i++) {
      Leg leg = mine.legs[i];
      int slot = mine.slots[i];
      leg.begin(domain.quotas().get(slot), name(domain.matcher(), slot, descriptors));
      leg.allow(Reason.OK, levelOf(leg, nowNanos), Decision.NEVER);
    }
  }

  /** A cost that no request may have would drown all others in a sum. */
  private static long counted(Leg leg, long costMicros) {
    return Math.min(costMicros, leg.quota().spec().maxCostMicros());
  }

  private static void count(Leg[] legs, int refusing, int count, long costMicros) {
    if (refusing < count) {
      Leg leg = legs[refusing];
      leg.quota().counters().refused(leg.reason, counted(leg, costMicros));
      return;
    }
    for (int i = 0; i < count; i++) {
      Leg leg = legs[i];
      QuotaCounters counters = leg.quota().counters();
      counters.allowed(leg.reason, counted(leg, costMicros));
      if (costMicros > 0 && leg.isNearLimit()) {
        counters.near();
      }
    }
  }

  private static Decision decision(Leg[] legs, int refusing, int count) {
    if (refusing == count && count == 1) {
      Leg leg = legs[0];
      return new Decision(true, leg.reason, 0, List.of(leg.verdict()));
    }
    Reason reason = Reason.OK;
    List<Verdict> verdicts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      verdicts.add(legs[i].verdict());
      if (reason == Reason.OK && refusing == count) {
        reason = legs[i].reason;
      }
    }
    return refusing == count
        ? new Decision(true, reason, 0, verdicts)
        : new Decision(false, legs[refusing].reason, legs[refusing].waitNanos, verdicts);
  }
}
