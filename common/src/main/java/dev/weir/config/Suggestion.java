package dev.weir.config;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The name that was probably meant. */
final class Suggestion {
  /** As long as this the beginning of a name says which. */
  private static final int PREFIX_MIN = 3;

  private Suggestion() {}

  /** Returns the nearest of the names, or null where none is near. */
  static @Nullable String near(String written, Collection<String> names) {
    String lower = written.toLowerCase(Locale.ROOT);
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    for (String name : names) {
      String candidate = name.toLowerCase(Locale.ROOT);
      int distance = isBeginning(lower, candidate) ? 1 : distance(lower, candidate);
      int shorter = Math.min(lower.length(), candidate.length());
      if (distance <= Math.max(1, shorter / 3) && distance < shorter && distance < bestDistance) {
        best = name;
        bestDistance = distance;
      }
    }
    return best;
  }

  private static boolean isBeginning(String one, String other) {
    return Math.min(one.length(), other.length()) >= PREFIX_MIN
        && (one.startsWith(other) || other.startsWith(one));
  }

  /**
   * Insertions, deletions, replacements and swaps of neighbours between two words (optimal string
   * alignment, a form of Damerau's distance). Words of very different length are far apart.
   */
  static int distance(String one, String other) {
    if (Math.abs(one.length() - other.length()) > 8) {
      return Integer.MAX_VALUE;
    }
    int[][] edits = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        edits[i][j] = i == 0 || j == 0 ? i + j : cheapest(edits, one, other, i, j);
      }
    }
    return edits[one.length()][other.length()];
  }

  private static int cheapest(int[][] edits, String one, String other, int i, int j) {
    boolean same = one.charAt(i - 1) == other.charAt(j - 1);
    int cost = Math.min(edits[i - 1][j], edits[i][j - 1]) + 1;
    cost = Math.min(cost, edits[i - 1][j - 1] + (same ? 0 : 1));
    boolean swapped =
        i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1);
    return swapped ? Math.min(cost, edits[i - 2][j - 2] + 1) : cost;
  }
}
