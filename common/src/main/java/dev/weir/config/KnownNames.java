package dev.weir.config;

import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says to whoever named something that is not there what is there. Of many names it shows a few,
 * and looks for no similar one among very many: anybody may ask.
 */
public final class KnownNames {
  private static final int SHOWN = 5;
  private static final int COMPARED = 1_000;

  private KnownNames() {}

  /** Returns the first of the names, and how many more there are. */
  public static String few(Collection<String> names) {
    String first = names.stream().limit(SHOWN).collect(Collectors.joining(", "));
    return names.size() <= SHOWN ? first : first + " and " + (names.size() - SHOWN) + " more";
  }

  /** Returns the name that was probably meant; null where none is near. */
  public static @Nullable String near(String written, Collection<String> names) {
    return names.size() > COMPARED ? null : Suggestion.near(written, names);
  }

  /**
   * Returns what follows the words that there is nothing of that name: {@code (did you mean
   * "shop"?); there are mail, shop}.
   */
  public static String insteadOf(String written, Collection<String> names) {
    String near = near(written, names);
    String meant = near == null ? "; " : " (did you mean \"" + near + "\"?); ";
    return switch (names.size()) {
      case 0 -> "; there are none";
      case 1 -> meant + "there is only " + few(names);
      default -> meant + "there are " + few(names);
    };
  }
}
