package dev.weir.agent.check;

import dev.weir.agent.Limiter;
import dev.weir.agent.count.Fault;
import dev.weir.config.Suggestion;
import dev.weir.core.quota.QuotaBook;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which domain a question is about.
 *
 * <p>A domain without quotas would let everything pass, so a name that no quota file knows is most
 * likely mistyped, in a gateway that then limits nobody: it is a malformed question. To the limiter
 * itself it stays a domain without quotas; other protocols may have another habit.
 */
final class Domains {
  private static final int NAMES_SHOWN = 5;

  /** Among more names than these none is looked for that was meant: anybody may ask. */
  private static final int NAMES_COMPARED = 1_000;

  private final Limiter limiter;
  private final String own;

  /**
   * Makes the list of an agent.
   *
   * @param own the name under which the agent asks itself; known, and without quotas
   */
  Domains(Limiter limiter, String own) {
    this.limiter = limiter;
    this.own = own;
  }

  /**
   * Returns the domain to ask for: the one named, or the only one there is; null where there is no
   * configuration at all.
   */
  @Nullable String of(@Nullable String named) throws BadQuestionException {
    if (!limiter.hasQuotas()) {
      return null;
    }
    QuotaBook book = limiter.quotas();
    Set<String> known = book.domains().keySet();
    if (named != null) {
      if (book.matcher(named) != null || named.equals(own)) {
        return named;
      }
      throw new BadQuestionException(Fault.UNKNOWN_DOMAIN, unknown(named, known));
    }
    if (known.size() == 1) {
      return known.iterator().next();
    }
    throw new BadQuestionException("say which domain, as ?domain=NAME: there are " + some(known));
  }

  private static String unknown(String named, Set<String> known) {
    String near = known.size() > NAMES_COMPARED ? null : Suggestion.near(named, known);
    return "unknown domain \""
        + named
        + (near == null ? "\"; " : "\" (did you mean \"" + near + "\"?); ")
        + (known.size() == 1 ? "there is only " : "there are ")
        + some(known);
  }

  private static String some(Set<String> known) {
    String names = known.stream().limit(NAMES_SHOWN).collect(Collectors.joining(", "));
    return known.size() <= NAMES_SHOWN
        ? names
        : names + " and " + (known.size() - NAMES_SHOWN) + " more";
  }
}
