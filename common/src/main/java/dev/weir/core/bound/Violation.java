package dev.weir.core.bound;

/**
 * A broken promise, with its numbers.
 *
 * @param invariant its name, such as {@code I1}
 * @param message what was to hold and what was found
 */
public record Violation(String invariant, String message) {
  @Override
  public String toString() {
    return invariant + ": " + message;
  }
}
