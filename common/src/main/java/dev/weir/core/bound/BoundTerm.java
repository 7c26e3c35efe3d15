package dev.weir.core.bound;

import dev.weir.core.math.Check;
import dev.weir.core.quota.Rate;

/**
 * One way in which more than {@code B + R·(1+ρ)·t} may be admitted, and by how much: {@code
 * onceMicros + rate·t}.
 *
 * @param cause a short fixed name, such as {@code lease-expired}
 * @param onceMicros micro-tokens, whatever the length of the window
 * @param rate what is added per unit of time while the cause lasts
 * @param bounded false where a policy sets no limit at all; then the two numbers mean nothing and
 *     are 0
 * @param note one sentence for the operator: when it applies and what the numbers are made of
 */
public record BoundTerm(String cause, long onceMicros, Rate rate, boolean bounded, String note) {
  /** Checks the range of {@code onceMicros}. */
  public BoundTerm {
    Check.notNegative("onceMicros", onceMicros);
  }

  static BoundTerm nothing(String cause, String note) {
    return once(cause, 0, note);
  }

  static BoundTerm once(String cause, long onceMicros, String note) {
    return new BoundTerm(cause, onceMicros, Rate.ZERO, true, note);
  }

  static BoundTerm unbounded(String cause, String note) {
    return new BoundTerm(cause, 0, Rate.ZERO, false, note);
  }

  /** Whether this term adds nothing. */
  public boolean isNothing() {
    return bounded && onceMicros == 0 && rate.micros() == 0;
  }
}
