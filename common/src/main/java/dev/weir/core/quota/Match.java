package dev.weir.core.quota;

import org.jspecify.annotations.Nullable;

/**
 * One condition of a quota: the request has this key, with this value or with any.
 *
 * @param key see {@link Descriptors} for its limits
 * @param value the value it must have; null for any, each value then being a bucket of its own
 */
public record Match(String key, @Nullable String value) {
  public Match {
    Descriptors.checkKey(key);
    if (value != null) {
      Descriptors.checkValue(key, value);
    }
  }

  /** Returns the condition that a key is there: one bucket per value. */
  public static Match any(String key) {
    return new Match(key, null);
  }

  /** Tells whether any value will do. */
  public boolean isFree() {
    return value == null;
  }
}
