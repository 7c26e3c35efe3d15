package dev.weir.coordinator.api;

import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.math.MathContext;

/** Tokens as people count them. */
final class Amount {
  private Amount() {}

  /** Tokens, with a fraction only where there is one. */
  static Number tokens(long micros) {
    return micros % Tokens.MICROS_PER_TOKEN == 0
        ? (Number) (micros / Tokens.MICROS_PER_TOKEN)
        : new BigDecimal(Tokens.text(micros));
  }

  /** Tokens per second, to six digits where they do not end. */
  static Number perSecond(long micros, long perNanos) {
    BigDecimal rate =
        BigDecimal.valueOf(micros)
            .multiply(BigDecimal.valueOf(1_000))
            .divide(BigDecimal.valueOf(perNanos), MathContext.DECIMAL32)
            .stripTrailingZeros();
    return rate.scale() <= 0 ? (Number) rate.longValue() : rate;
  }

  static Number perSecond(Rate rate) {
    return perSecond(rate.micros(), rate.perNanos());
  }

  static JsonObject share(Share share, long perNanos) {
    return new JsonObject()
        .put("tokensPerSecond", perSecond(share.rateMicros(), perNanos))
        .put("burst", tokens(share.burstMicros()));
  }
}
