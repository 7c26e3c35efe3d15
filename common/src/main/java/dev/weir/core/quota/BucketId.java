package dev.weir.core.quota;

/**
 * The name of one bucket: a quota, and the values that tell its buckets apart.
 *
 * @param key canonical text of the quota's free keys and their values, as {@link BucketKey} writes
 *     it; empty where the quota has no free key
 */
public record BucketId(QuotaId quota, String key) {
  @Override
  public String toString() {
    return key.isEmpty() ? quota.toString() : quota + "{" + key + "}";
  }
}
