package dev.weir.core.lease;

import dev.weir.core.quota.Share;

/**
 * A share that counts until an instant. A holder has two, what it declared and what it was offered,
 * each with its own expiry (S2).
 *
 * @param share rate and burst
 * @param untilNanos the first instant at which it no longer counts; without meaning for a zero
 *     share
 */
public record Part(Share share, long untilNanos) {
  static final Part NOTHING = new Part(Share.ZERO, 0);

  /** The share, or nothing once it has expired. */
  public Share at(long nowNanos) {
    return nowNanos - untilNanos < 0 ? share : Share.ZERO;
  }

  boolean isNothing() {
    return share.equals(Share.ZERO);
  }
}
