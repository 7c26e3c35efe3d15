package dev.weir.coordinator.state;

import org.jspecify.annotations.Nullable;

/** What the operator says of the data folder (S9). */
public sealed interface StartWord {
  /** Nothing: the folder has been used before. */
  record None() implements StartWord {}

  /** {@code --first-start}: nothing was ever granted. */
  record FirstStart() implements StartWord {}

  /**
   * {@code --lost-data}: what was granted is not known any more.
   *
   * @param cluster the id of the cluster, which its agents keep to; null if it is not known
   * @param longestTtlNanos the longest time to live a lease can have had
   */
  record LostData(@Nullable String cluster, long longestTtlNanos) implements StartWord {}
}
