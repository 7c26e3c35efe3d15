package dev.weir.core.quota;

/** What a pool holds after its ledger was lost (S9). */
public enum LostLedger {
  /** Only what is known to be left. */
  KNOWN,
  /** Its whole burst: may admit one burst more than the bound, once per loss. */
  FULL
}
