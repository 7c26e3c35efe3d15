package dev.weir.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * Every small case, once. A body that draws all its choices from here is run for each combination:
 *
 * <pre>{@code
 * Exhaustive all = new Exhaustive();
 * while (all.more()) {
 *   int burst = all.between(1, 3);
 *   boolean leased = all.flip();
 *   …
 * }
 * }</pre>
 *
 * <p>Later draws may depend on earlier ones. It counts like an odometer whose digits come into
 * being as they are drawn, an idea of TigerBeetle's exhaustigen. For one thread.
 */
public final class Exhaustive {
  private final List<Digit> digits = new ArrayList<>();
  private int drawn;
  private boolean started;

  /** Goes to the next case; false when there is none. */
  public boolean more() {
    if (!started) {
      started = true;
      return true;
    }
    // Digits that the last case did not draw belong to an earlier one.
    digits.subList(drawn, digits.size()).clear();
    drawn = 0;
    for (int last = digits.size() - 1; last >= 0; last--) {
      Digit digit = digits.get(last);
      if (digit.value < digit.max) {
        digit.value++;
        return true;
      }
      digits.remove(last);
    }
    return false;
  }

  /** Draws a number in {@code [min, max]}. */
  public int between(int min, int max) {
    if (min > max) {
      throw new IllegalArgumentException("nothing between " + min + " and " + max);
    }
    if (drawn == digits.size()) {
      digits.add(new Digit(max - min));
    }
    Digit digit = digits.get(drawn++);
    if (digit.max != max - min) {
      throw new IllegalStateException("a draw must depend on earlier draws only");
    }
    return min + digit.value;
  }

  /** Draws true or false. */
  public boolean flip() {
    return between(0, 1) == 1;
  }

  /** Draws one of {@code values}. */
  public <T> T of(List<T> values) {
    return values.get(between(0, values.size() - 1));
  }

  private static final class Digit {
    private final int max;
    private int value;

    private Digit(int max) {
      this.max = max;
    }
  }
}
