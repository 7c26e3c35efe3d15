package dev.weir.core.bucket;

/**
 * What a reservation has to remember to be given back. Belongs to one thread at a time, and may be
 * used again once it was kept or given back.
 */
public final class Receipt {
  long costMicros;

  /**
   * The highest word at which the bucket would have been full, had it done nothing since but
   * refill: the word after the charge, less what others may still have given back.
   */
  long markMicros;

  /** The stretch of the scale it was charged on: void on any other. */
  long baseMicros;

  boolean open;

  /** Whether the reservation it stands for is neither kept nor given back. */
  public boolean isOpen() {
    return open;
  }

  /** What was reserved. */
  public long costMicros() {
    return costMicros;
  }
}
