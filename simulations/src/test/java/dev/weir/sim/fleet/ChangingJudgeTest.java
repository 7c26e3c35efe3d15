package dev.weir.sim.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.bound.WindowJudge;
import dev.weir.core.quota.Rate;
import dev.weir.testkit.Seeds;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The quick judge finds what a slow one finds that counts in numbers without a limit. */
class ChangingJudgeTest {
  private static final int PPM = 500;

  private record Admission(long atNanos, long micros) {}

  private record Change(long atNanos, long lagNanos, Rate rate, long burstMicros) {}

  private static final long[] PER_NANOS = {
    1_000_000_000L, 60_000_000_000L, 86_400_000_000_000L, Rate.MAX_PER_NANOS
  };

  @Seeds
  void withoutChangesItAgreesWithTheJudgeOfOneQuota(Random random) {
    for (long perNanos : PER_NANOS) {
      long burst = 1L + random.nextInt(1 << random.nextInt(1, 30));
      Rate rate = new Rate(random.nextLong(1L << random.nextInt(1, 50)), perNanos);
      Allowances allowances = new Allowances(PPM);
      allowances.change(0, 0, rate, burst);
      ChangingJudge quick = new ChangingJudge(allowances);
      WindowJudge slow = new WindowJudge(rate, burst, PPM);
      long at = 0;
      for (int i = 0; i < 200; i++) {
        at += random.nextLong(1L << random.nextInt(1, 45));
        long micros = random.nextLong(1 + burst / 2 + random.nextInt(1_000));
        quick.admitted(at, micros);
        slow.admitted(at, micros);
      }
      // One rounds down, the other up.
      assertThat(slow.worst().overshootMicros() - quick.excessMicros()).isBetween(0L, 1L);
      assertThat(quick.totalMicros()).isEqualTo(slow.totalMicros());
    }
  }

  @Seeds
  void withChangesItFindsWhatTryingEveryWindowFinds(Random random) {
    for (long perNanos : new long[] {1_000_000_000L, 1_000L, Rate.MAX_PER_NANOS}) {
      List<Change> changes = new ArrayList<>();
      List<Admission> admissions = new ArrayList<>();
      Allowances allowances = new Allowances(PPM);
      ChangingJudge quick = new ChangingJudge(allowances);
      long at = 0;
      for (int i = 0; i < 30; i++) {
        if (i == 0 || random.nextInt(6) == 0) {
          Change change =
              new Change(
                  at,
                  random.nextInt(2_000_000_000),
                  new Rate(random.nextLong(1L << random.nextInt(1, 45)), perNanos),
                  1 + random.nextInt(1_000_000));
          allowances.change(at, change.lagNanos(), change.rate(), change.burstMicros());
          changes.add(change);
        }
        at += random.nextInt(1_000_000_000);
        if (i < 3) {
          continue;
        }
        Admission next = new Admission(at, random.nextInt(600_000));
        admissions.add(next);
        quick.admitted(next.atNanos(), next.micros());
      }
      long slow = worst(changes, admissions);
      assertThat(quick.excessMicros()).isBetween(slow - 1, slow);
    }
  }

  /** Beyond what is allowed, in the worst of all windows that begin at an admission or a change. */
  private static long worst(List<Change> changes, List<Admission> admissions) {
    BigInteger worst = BigInteger.ZERO;
    BigInteger unit =
        BigInteger.valueOf(Rate.MAX_PER_NANOS).multiply(BigInteger.valueOf(1_000_000));
    for (int from = 0; from < admissions.size(); from++) {
      long sinceNanos = admissions.get(from).atNanos();
      BigInteger admitted = BigInteger.ZERO;
      for (Admission each : admissions.subList(from, admissions.size())) {
        admitted = admitted.add(BigInteger.valueOf(each.micros()).multiply(unit));
        BigInteger least = null;
        long beforeNanos = from == 0 ? 0 : admissions.get(from - 1).atNanos();
        for (Start start : starts(changes, beforeNanos, sinceNanos)) {
          BigInteger may =
              BigInteger.valueOf(start.burstMicros())
                  .multiply(unit)
                  .add(made(changes, start.atNanos(), each.atNanos()));
          least = least == null ? may : least.min(may);
        }
        worst = worst.max(admitted.subtract(least));
      }
    }
    return worst.divide(unit).longValueExact();
  }

  private record Start(long atNanos, long burstMicros) {}

  /** Where a window with this admission as its first may begin: now, or just before a change. */
  private static List<Start> starts(List<Change> changes, long afterNanos, long nowNanos) {
    List<Start> starts = new ArrayList<>();
    starts.add(new Start(nowNanos, burst(changes, nowNanos)));
    for (Change change : changes) {
      if (change.atNanos() >= afterNanos && change.atNanos() <= nowNanos && change.atNanos() > 0) {
        starts.add(new Start(change.atNanos(), burst(changes, change.atNanos() - 1)));
      }
    }
    return starts;
  }

  private static boolean holds(List<Change> changes, int i, long nanos) {
    Change change = changes.get(i);
    boolean begun = change.atNanos() <= nanos;
    boolean last = i == changes.size() - 1;
    return begun && (last || nanos < changes.get(i + 1).atNanos() + changes.get(i + 1).lagNanos());
  }

  private static long burst(List<Change> changes, long nanos) {
    long most = 0;
    for (int i = 0; i < changes.size(); i++) {
      most = holds(changes, i, nanos) ? Math.max(most, changes.get(i).burstMicros()) : most;
    }
    return most;
  }

  private static BigInteger made(List<Change> changes, long from, long to) {
    List<Long> cuts = new ArrayList<>(List.of(from, to));
    for (Change change : changes) {
      cuts.add(change.atNanos());
      cuts.add(change.atNanos() + change.lagNanos());
    }
    List<Long> within =
        cuts.stream().filter(c -> c >= from && c <= to).sorted().distinct().toList();
    BigInteger sum = BigInteger.ZERO;
    for (int cut = 1; cut < within.size(); cut++) {
      BigInteger fastest = BigInteger.ZERO;
      for (int i = 0; i < changes.size(); i++) {
        if (holds(changes, i, within.get(cut - 1))) {
          Rate rate = changes.get(i).rate();
          fastest =
              fastest.max(
                  BigInteger.valueOf(rate.micros())
                      .multiply(BigInteger.valueOf(1_000_000 + PPM))
                      .multiply(BigInteger.valueOf(Rate.MAX_PER_NANOS / rate.perNanos())));
        }
      }
      sum = sum.add(fastest.multiply(BigInteger.valueOf(within.get(cut) - within.get(cut - 1))));
    }
    return sum;
  }
}
