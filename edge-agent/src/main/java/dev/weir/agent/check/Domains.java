package dev.weir.agent.check;

import dev.weir.agent.Limiter;
import dev.weir.agent.count.Fault;
import dev.weir.config.KnownNames;
import dev.weir.core.quota.QuotaBook;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which domain a question is about.
 *
 * <p>A domain without quotas would let everything pass, so a name that no quota file knows is most
 * likely mistyped, in a gateway that then limits nobody: it is a malformed question. To the limiter
 * itself it stays a domain without quotas; other protocols may have another habit.
 */
final class Domains {
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
      throw new BadQuestionException(
          Fault.UNKNOWN_DOMAIN,
          "unknown domain \"" + named + "\"" + KnownNames.insteadOf(named, known));
    }
    if (known.size() == 1) {
      return known.iterator().next();
    }
    throw new BadQuestionException(
        "say which domain, as ?domain=NAME: there are " + KnownNames.few(known));
  }
}
