package dev.weir.core.quota;

/** Where a quota is decided. */
public enum Enforcement {
  /** At the edge, from memory, out of leased shares. */
  LEASED,
  /** One by one, by an atomic script in the store. */
  STRICT
}
