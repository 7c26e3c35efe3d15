package dev.weir.config;

import dev.weir.core.quota.Algorithm;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.Enforcement;
import dev.weir.core.quota.Fallback;
import dev.weir.core.quota.LostLedger;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads one quota, every default filled in. */
final class QuotaReader {
  private static final List<String> LEASED_ONLY =
      List.of("lease", "onLeaseExpiry", "onFloorExpiry", "onLostLedger");

  private final Section section;
  private final Problems problems;

  private QuotaReader(Section section) {
    this.section = section;
    this.problems = section.problems();
  }

  /** Returns the quota, or null where something, noted, is wrong with it. */
  static @Nullable QuotaSpec read(Section section, QuotaId id, LeaseDraft leaseDefaults) {
    return new QuotaReader(section).read(id, leaseDefaults);
  }

  private @Nullable QuotaSpec read(QuotaId id, LeaseDraft leaseDefaults) {
    int before = problems.count();
    section.require("match");
    section.require("limit");
    final List<Match> match = match();
    final Rate rate = Limits.read(section, "limit");
    final Long burstMicros = Bursts.read(section, rate);
    final Enforcement enforcement =
        section.value("enforcement", Words.parser(Enforcement.class), Enforcement.LEASED);
    final Long maxCostMicros = maxCost(burstMicros, enforcement);
    final Mode mode = section.value("mode", Words.parser(Mode.class), Mode.ENFORCE);
    final LeaseDraft lease = LeaseDraft.read(section, leaseDefaults);
    final Fallback onLeaseExpiry = Fallbacks.read(section, "onLeaseExpiry", true, Fallback.FLOOR);
    final Fallback onFloorExpiry = Fallbacks.read(section, "onFloorExpiry", false, Fallback.DENY);
    final LostLedger onLostLedger =
        section.value("onLostLedger", Words.parser(LostLedger.class), LostLedger.KNOWN);
    final Algorithm algorithm = algorithm(enforcement);
    final Fallback onStoreLoss = Fallbacks.read(section, "onStoreLoss", false, Fallback.DENY);
    section.close();
    if (problems.count() != before) {
      return null;
    }
    warnOfWhatHasNoEffect(enforcement);
    return new QuotaSpec(
        id,
        match,
        Objects.requireNonNull(rate),
        Objects.requireNonNull(burstMicros),
        Objects.requireNonNull(maxCostMicros),
        enforcement,
        mode,
        lease.terms(),
        onLeaseExpiry,
        onFloorExpiry,
        onLostLedger,
        algorithm,
        onStoreLoss);
  }

  private List<Match> match() {
    List<Match> conditions = new ArrayList<>();
    for (Node item : section.items("match")) {
      Match condition = condition(item);
      if (condition == null) {
        continue;
      }
      if (conditions.stream().anyMatch(other -> other.key().equals(condition.key()))) {
        problems.error(
            item.place(), "match names the key \"" + Quote.shortened(condition.key()) + "\" twice");
      }
      conditions.add(condition);
    }
    if (conditions.size() > Descriptors.PAIRS_MAX) {
      problems.error(
          section.place("match"),
          "match has " + conditions.size() + " conditions; the most is " + Descriptors.PAIRS_MAX);
    }
    return conditions;
  }

  private @Nullable Match condition(Node item) {
    if (!(item instanceof Node.Fields mapping)) {
      problems.error(
          item.place(),
          "a condition of match is a mapping, as in {key: tenant}, not " + item.kind());
      return null;
    }
    Section condition = new Section("match", mapping, problems);
    condition.require("key");
    String key = condition.value("key", QuotaReader::descriptorKey);
    String value = condition.value("value", QuotaReader::descriptorValue);
    condition.close();
    return key == null ? null : new Match(key, value);
  }

  private @Nullable Long maxCost(@Nullable Long burstMicros, Enforcement enforcement) {
    Long maxCostMicros = section.value("maxCost", Amounts::someTokens);
    if (burstMicros == null || maxCostMicros == null) {
      return burstMicros == null
          ? maxCostMicros
          : (Long) QuotaSpec.defaultMaxCostMicros(burstMicros, enforcement);
    }
    if (maxCostMicros > burstMicros) {
      problems.error(
          section.place("maxCost"),
          "maxCost "
              + Tokens.text(maxCostMicros)
              + " is more than the burst, "
              + Tokens.text(burstMicros)
              + ": such a request could never pass");
    }
    return maxCostMicros;
  }

  private Algorithm algorithm(Enforcement enforcement) {
    Algorithm algorithm =
        section.value("algorithm", Words.parser(Algorithm.class), Algorithm.TOKEN_BUCKET);
    if (enforcement == Enforcement.LEASED && algorithm != Algorithm.TOKEN_BUCKET) {
      problems.error(
          section.place("algorithm"),
          "algorithm: \""
              + Words.of(algorithm)
              + "\" needs enforcement: strict; a leased quota is always a token-bucket");
    }
    return algorithm;
  }

  private void warnOfWhatHasNoEffect(Enforcement enforcement) {
    List<String> idle = enforcement == Enforcement.STRICT ? LEASED_ONLY : List.of("onStoreLoss");
    for (String key : idle) {
      if (section.has(key)) {
        problems.warning(
            section.place(key), key + " has no effect on a " + Words.of(enforcement) + " quota");
      }
    }
  }

  private static String descriptorKey(String text) throws BadValue {
    try {
      Descriptors.checkKey(text);
      return text;
    } catch (IllegalArgumentException refused) {
      throw new BadValue("is not possible: " + refused.getMessage());
    }
  }

  private static String descriptorValue(String text) throws BadValue {
    try {
      Descriptors.checkValue("value", text);
      return text;
    } catch (IllegalArgumentException refused) {
      throw new BadValue("is not possible: " + refused.getMessage());
    }
  }
}
