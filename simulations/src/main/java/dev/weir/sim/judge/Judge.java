package dev.weir.sim.judge;

import dev.weir.core.bound.Overshoot;
import dev.weir.core.bound.WindowJudge;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The independent checker: merges what all agents admitted and holds every window of every bucket
 * against {@code B + R·(1+ρ)·t}, with {@link WindowJudge}.
 */
public final class Judge {
  private final QuotaBook book;
  private final int driftPpm;

  /**
   * A judge by these quotas.
   *
   * @param driftPpm {@code ρ} in parts per million
   */
  public Judge(QuotaBook book, int driftPpm) {
    this.book = book;
    this.driftPpm = driftPpm;
  }

  /**
   * Judges every enforced quota that admitted anything.
   *
   * @throws AuditException if a quota is not in the book
   */
  public List<QuotaVerdict> judge(AuditLog log) throws AuditException {
    Map<QuotaId, QuotaVerdict> verdicts = new LinkedHashMap<>();
    for (Map.Entry<BucketId, Admissions> entry : log.buckets().entrySet()) {
      QuotaSpec quota = book.quota(entry.getKey().quota());
      if (quota == null) {
        throw new AuditException("agents admitted by a quota that is not known: " + entry.getKey());
      }
      if (quota.mode() == Mode.ENFORCE) {
        QuotaVerdict verdict = judge(quota, entry.getKey().key(), entry.getValue());
        verdicts.merge(quota.id(), verdict, Judge::together);
      }
    }
    return new ArrayList<>(verdicts.values());
  }

  private QuotaVerdict judge(QuotaSpec quota, String key, Admissions admissions) {
    WindowJudge judge = new WindowJudge(quota.rate(), quota.burstMicros(), driftPpm);
    admissions.forEachInOrder(judge::admitted);
    return new QuotaVerdict(quota, admissions.size(), judge.totalMicros(), 1, key, judge.worst());
  }

  private static QuotaVerdict together(QuotaVerdict a, QuotaVerdict b) {
    QuotaVerdict tighter = excess(b) > excess(a) ? b : a;
    return new QuotaVerdict(
        a.quota(),
        a.decisions() + b.decisions(),
        a.admittedMicros() + b.admittedMicros(),
        a.buckets() + b.buckets(),
        tighter.tightest(),
        tighter.worst());
  }

  private static long excess(QuotaVerdict verdict) {
    Overshoot worst = verdict.worst();
    return worst.excessMicros();
  }
}
