package dev.weir.core.quota;

/** How a strict quota counts. A leased quota is always a {@link #TOKEN_BUCKET}. */
public enum Algorithm {
  /** A level that refills continuously. */
  TOKEN_BUCKET,
  /** Two fixed windows, the older weighted by its overlap. */
  SLIDING_WINDOW,
  /** Every admitted request of the last window, remembered. */
  SLIDING_LOG,
  /** A count that starts anew with each window. */
  FIXED_WINDOW,
  /** A token bucket as one instant, the theoretical arrival time. */
  GCRA
}
