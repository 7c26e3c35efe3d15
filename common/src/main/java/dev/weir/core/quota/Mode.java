package dev.weir.core.quota;

/** What becomes of a quota's decisions. */
public enum Mode {
  /** They hold. */
  ENFORCE,
  /** They are counted and reported, and refuse nobody. */
  SHADOW,
  /** There are none: the quota matches no request. */
  OFF
}
