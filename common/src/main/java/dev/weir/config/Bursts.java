package dev.weir.config;

import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Tokens;
import org.jspecify.annotations.Nullable;

/** The burst that stands beside a limit; by default the amount in the limit, at least one token. */
final class Bursts {
  private Bursts() {}

  /** Returns micro-tokens, or null where there is, noted, no good burst. */
  static @Nullable Long read(Section section, @Nullable Rate limit) {
    Long burstMicros = section.value("burst", Amounts::atLeastOneToken);
    if (limit == null || section.has("burst")) {
      return burstMicros;
    }
    if (limit.micros() == 0) {
      section
          .problems()
          .error(
              section.place("limit"),
              "a limit of 0 needs a burst: the tokens that each bucket has once");
      return null;
    }
    return Math.max(limit.micros(), Tokens.MICROS_PER_TOKEN);
  }
}
