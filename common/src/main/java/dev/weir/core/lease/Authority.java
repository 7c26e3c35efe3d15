package dev.weir.core.lease;

/**
 * The right of one coordinator to decide about a ledger, from an instant on (S9, S10).
 *
 * @param id drawn when authority began; part of every offer's number
 * @param learningUntilNanos until then the ledger only confirms what agents declare; the beginning
 *     itself, when nothing was ever granted before
 */
public record Authority(long id, long learningUntilNanos) {
  /** Whether agents are only confirmed at this instant. */
  public boolean isLearningAt(long nowNanos) {
    return nowNanos - learningUntilNanos < 0;
  }
}
