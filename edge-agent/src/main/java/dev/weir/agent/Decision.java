package dev.weir.agent;

import java.util.List;

/**
 * The answer to one request.
 *
 * @param allowed whether it may go on; if so, its cost was taken from every quota that matched
 * @param reason {@link Reason#OK} where it may, or the fallback or shadow quota that let it;
 *     otherwise the reason of the first quota that refused
 * @param retryAfterNanos 0 where it may go on; else how long to wait before it can pass, at least
 *     1, or {@link #NEVER}
 * @param quotas every quota that matched, narrowest first; empty where none did
 */
public record Decision(boolean allowed, Reason reason, long retryAfterNanos, List<Verdict> quotas) {
  /** A wait that does not end. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Allowed, since no quota matched. */
  static final Decision UNMATCHED = new Decision(true, Reason.OK, 0, List.of());

  public Decision {
    quotas = List.copyOf(quotas);
  }
}
