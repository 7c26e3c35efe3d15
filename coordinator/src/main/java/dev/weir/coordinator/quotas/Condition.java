package dev.weir.coordinator.quotas;

/** What must hold of a quota for a change of it to be made. */
public sealed interface Condition {
  /** Nothing. */
  record None() implements Condition {}

  /** It exists. */
  record Exists() implements Condition {}

  /** There is none of that name. */
  record Absent() implements Condition {}

  /**
   * It changed last in this generation.
   *
   * @param generation as its ETag said
   */
  record Is(long generation) implements Condition {}

  /**
   * Tells whether it holds.
   *
   * @param generation in which the quota changed last; 0 where there is none
   */
  default boolean holds(long generation) {
    if (this instanceof Exists) {
      return generation != 0;
    }
    if (this instanceof Absent) {
      return generation == 0;
    }
    return !(this instanceof Is is) || is.generation() == generation;
  }
}
