package dev.weir.core.message;

/**
 * The number of an offer, never used twice: the id drawn when an authority began, and a counter
 * that this authority raises with every offer (rule S3).
 *
 * @param authority id of the authority that made the offer; 0 only in {@link #NONE}
 * @param number counter within that authority, from 1
 */
public record OfferId(long authority, long number) {
  /** No offer was applied yet. */
  public static final OfferId NONE = new OfferId(0, 0);
}
