package dev.weir.core.quota;

/**
 * Which names quotas, regions and domains may have. They appear in headers, metrics, paths and
 * problems, so none needs escaping anywhere.
 */
public final class Names {
  /** What a quota or region may be called. */
  public static final String NAME_PATTERN = "^[a-z0-9][a-z0-9._-]{0,62}$";

  /** What a domain may be called. */
  public static final String DOMAIN_PATTERN = "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$";

  private static final int LENGTH_MAX = 63;

  private Names() {}

  /** Tells whether this can be the name of a quota or a region ({@link #NAME_PATTERN}). */
  public static boolean isName(String text) {
    return matches(text, false);
  }

  /** Tells whether this can be the name of a domain ({@link #DOMAIN_PATTERN}). */
  public static boolean isDomain(String text) {
    return matches(text, true);
  }

  static void requireName(String what, String text) {
    if (!isName(text)) {
      throw new IllegalArgumentException(
          what + " name must match " + NAME_PATTERN + ": \"" + text + "\"");
    }
  }

  static void requireDomain(String text) {
    if (!isDomain(text)) {
      throw new IllegalArgumentException(
          "domain must match " + DOMAIN_PATTERN + ": \"" + text + "\"");
    }
  }

  private static boolean matches(String text, boolean upper) {
    int length = text.length();
    if (length == 0 || length > LENGTH_MAX || !isLetterOrDigit(text.charAt(0), upper)) {
      return false;
    }
    for (int i = 1; i < length; i++) {
      char c = text.charAt(i);
      if (!isLetterOrDigit(c, upper) && c != '.' && c != '_' && c != '-') {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetterOrDigit(char c, boolean upper) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (upper && c >= 'A' && c <= 'Z');
  }
}
