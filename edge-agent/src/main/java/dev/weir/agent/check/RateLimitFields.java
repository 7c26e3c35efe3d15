package dev.weir.agent.check;

import dev.weir.agent.Decision;
import dev.weir.agent.Reason;
import dev.weir.agent.Verdict;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Tokens;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The fields {@code RateLimit-Policy} and {@code RateLimit} (draft-ietf-httpapi-ratelimit-headers,
 * as of its tenth version), written as the structured fields of RFC 9651. One list item per quota
 * in force; a quota in shadow mode limits nobody and is left out.
 *
 * <p>Used by one thread: it remembers the text of each quota's policy, which only a new
 * configuration changes.
 */
final class RateLimitFields {
  /** The largest Integer of RFC 9651. */
  static final long INTEGER_MAX = 999_999_999_999_999L;

  private static final int POLICIES_MAX = 100_000;

  /** By identity: a spec lives as long as its configuration, and comparing two is not free. */
  private final IdentityHashMap<QuotaSpec, Policy> policies = new IdentityHashMap<>();

  /** What does not change about a quota. */
  private record Policy(String policy, String limitStart) {}

  /** Returns the value of {@code RateLimit-Policy}; empty where no quota is in force. */
  String policy(List<Verdict> quotas) {
    if (quotas.size() == 1 && isShown(quotas.get(0))) {
      return of(quotas.get(0).quota()).policy;
    }
    StringBuilder text = new StringBuilder(48 * quotas.size());
    for (Verdict verdict : quotas) {
      if (isShown(verdict)) {
        separate(text).append(of(verdict.quota()).policy);
      }
    }
    return text.toString();
  }

  /**
   * Returns the value of {@code RateLimit}: what can be spent here at once, and the seconds until
   * there is more.
   *
   * @param retryAfterSeconds what stands for the wait of a quota that refused: never less than its
   *     own, so that no client comes back earlier than {@code Retry-After} says
   */
  String limit(List<Verdict> quotas, long retryAfterSeconds) {
    StringBuilder text = new StringBuilder(48 * quotas.size());
    for (Verdict verdict : quotas) {
      if (isShown(verdict)) {
        separate(text).append(of(verdict.quota()).limitStart);
        text.append(Math.min(verdict.remainingMicros() / Tokens.MICROS_PER_TOKEN, INTEGER_MAX));
        if (verdict.retryAfterNanos() != Decision.NEVER) {
          text.append(";t=");
          text.append(verdict.allowed() ? seconds(verdict.retryAfterNanos()) : retryAfterSeconds);
        }
      }
    }
    return text.toString();
  }

  /** Returns the value of {@code X-RateLimit-Shadow}; empty where nothing would have refused. */
  static String shadow(List<Verdict> quotas) {
    StringBuilder text = new StringBuilder();
    for (Verdict verdict : quotas) {
      if (verdict.reason() == Reason.SHADOW) {
        separate(text).append("would-deny;policy=\"").append(verdict.quota().id().name());
        text.append('"');
      }
    }
    return text.toString();
  }

  /** Returns a wait in whole seconds, rounded up, at least 1. */
  static long seconds(long nanos) {
    long up = nanos / Nanos.SECOND_NANOS + (nanos % Nanos.SECOND_NANOS == 0 ? 0 : 1);
    return Math.max(1, Math.min(up, INTEGER_MAX));
  }

  private static boolean isShown(Verdict verdict) {
    return verdict.quota().mode() == Mode.ENFORCE;
  }

  private static StringBuilder separate(StringBuilder text) {
    return text.length() == 0 ? text : text.append(", ");
  }

  private Policy of(QuotaSpec quota) {
    Policy known = policies.get(quota);
    if (known == null) {
      if (policies.size() >= POLICIES_MAX) {
        policies.clear(); // many configurations later
      }
      known = describe(quota);
      policies.put(quota, known);
    }
    return known;
  }

  private static Policy describe(QuotaSpec quota) {
    // A name needs no escaping (Names.NAME_PATTERN).
    String name = "\"" + quota.id().name() + "\"";
    long tokens = Math.min(quota.rate().micros() / Tokens.MICROS_PER_TOKEN, INTEGER_MAX);
    StringBuilder policy = new StringBuilder(name).append(";q=").append(tokens);
    // A window of 0.5 s is not one of 1 s, and the field has no fractions.
    if (quota.rate().perNanos() % Nanos.SECOND_NANOS == 0) {
      policy.append(";w=").append(quota.rate().perNanos() / Nanos.SECOND_NANOS);
    }
    return new Policy(policy.toString(), name + ";r=");
  }
}
