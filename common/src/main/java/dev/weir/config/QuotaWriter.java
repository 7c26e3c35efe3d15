package dev.weir.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import dev.weir.core.quota.Algorithm;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Enforcement;
import dev.weir.core.quota.Fallback;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.LostLedger;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import java.io.IOException;
import java.io.StringWriter;

/**
 * Writes quotas as quota files have them. Everything in force is written out, so that a later
 * change of a default changes nothing that was written before; left out is only what has no effect
 * and is as it would be anyway.
 */
final class QuotaWriter {
  private static final JsonFactory JSON = new JsonFactory();
  private static final YAMLFactory YAML =
      YAMLFactory.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .build();

  private final JsonGenerator out;

  private QuotaWriter(JsonGenerator out) {
    this.out = out;
  }

  static String json(QuotaSpec quota) {
    return written(
        JSON,
        out -> new QuotaWriter(out.setPrettyPrinter(new DefaultPrettyPrinter())).quota(quota));
  }

  static String yaml(QuotaSpec quota) {
    return written(YAML, out -> new QuotaWriter(out).quota(quota));
  }

  static String yaml(DomainBook domain) {
    return written(YAML, out -> new QuotaWriter(out).domain(domain));
  }

  private interface Writing {
    void to(JsonGenerator out) throws IOException;
  }

  private static String written(JsonFactory form, Writing writing) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = form.createGenerator(text)) {
      writing.to(out);
    } catch (IOException cannotHappen) {
      throw new IllegalStateException("writing to memory", cannotHappen);
    }
    return text.toString();
  }

  private void domain(DomainBook domain) throws IOException {
    out.writeStartObject();
    out.writeStringField("domain", domain.domain());
    out.writeObjectFieldStart("regions");
    for (Region region : domain.regions()) {
      out.writeObjectFieldStart(region.name());
      out.writeNumberField("weight", region.weight());
      out.writeEndObject();
    }
    out.writeEndObject();
    out.writeArrayFieldStart("quotas");
    for (QuotaSpec quota : domain.quotas()) {
      quota(quota);
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private void quota(QuotaSpec quota) throws IOException {
    out.writeStartObject();
    out.writeStringField("name", quota.id().name());
    match(quota);
    limit(quota.rate());
    tokens("burst", quota.burstMicros());
    tokens("maxCost", quota.maxCostMicros());
    out.writeStringField("enforcement", Words.of(quota.enforcement()));
    out.writeStringField("mode", Words.of(quota.mode()));
    leasedPart(quota);
    strictPart(quota);
    out.writeEndObject();
  }

  private void match(QuotaSpec quota) throws IOException {
    out.writeArrayFieldStart("match");
    for (Match condition : quota.match()) {
      out.writeStartObject();
      out.writeStringField("key", condition.key());
      String value = condition.value();
      if (value != null) {
        out.writeStringField("value", value);
      }
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private void leasedPart(QuotaSpec quota) throws IOException {
    boolean leased = quota.isLeased();
    if (leased || !quota.lease().equals(LeaseTerms.DEFAULT)) {
      lease(quota.lease());
    }
    if (leased || !quota.onLeaseExpiry().equals(Fallback.FLOOR)) {
      fallback("onLeaseExpiry", quota.onLeaseExpiry());
    }
    if (leased || !quota.onFloorExpiry().equals(Fallback.DENY)) {
      fallback("onFloorExpiry", quota.onFloorExpiry());
    }
    if (leased || quota.onLostLedger() != LostLedger.KNOWN) {
      out.writeStringField("onLostLedger", Words.of(quota.onLostLedger()));
    }
  }

  private void strictPart(QuotaSpec quota) throws IOException {
    boolean strict = quota.enforcement() == Enforcement.STRICT;
    if (strict || quota.algorithm() != Algorithm.TOKEN_BUCKET) {
      out.writeStringField("algorithm", Words.of(quota.algorithm()));
    }
    if (strict || !quota.onStoreLoss().equals(Fallback.DENY)) {
      fallback("onStoreLoss", quota.onStoreLoss());
    }
  }

  private void lease(LeaseTerms lease) throws IOException {
    out.writeObjectFieldStart("lease");
    out.writeStringField("ttl", Durations.text(lease.ttlNanos()));
    out.writeStringField("floor", Amounts.percentText(lease.floorPpm()));
    out.writeBooleanField("lend", lease.lend());
    out.writeStringField("floorTtl", Durations.text(lease.floorTtlNanos()));
    out.writeStringField("lendTtl", Durations.text(lease.lendTtlNanos()));
    if (lease.firstLeaseWaitNanos() != LeaseTerms.DEFAULT_WAIT) {
      out.writeStringField("firstLeaseWait", Durations.text(lease.firstLeaseWaitNanos()));
    }
    out.writeEndObject();
  }

  private void fallback(String key, Fallback fallback) throws IOException {
    if (fallback instanceof Fallback.Budget budget) {
      out.writeObjectFieldStart(key);
      out.writeObjectFieldStart("budget");
      limit(budget.rate());
      tokens("burst", budget.burstMicros());
      out.writeEndObject();
      out.writeEndObject();
    } else {
      out.writeStringField(key, word(fallback));
    }
  }

  private static String word(Fallback fallback) {
    if (fallback instanceof Fallback.Floor) {
      return "floor";
    }
    return fallback instanceof Fallback.Deny ? "deny" : "allow";
  }

  private void limit(Rate rate) throws IOException {
    String unit = Limits.unitOf(rate.perNanos());
    if (unit != null) {
      out.writeStringField("limit", Tokens.text(rate.micros()) + "/" + unit);
    } else {
      out.writeObjectFieldStart("limit");
      tokens("tokens", rate.micros());
      out.writeStringField("per", Durations.text(rate.perNanos()));
      out.writeEndObject();
    }
  }

  private void tokens(String key, long micros) throws IOException {
    out.writeFieldName(key);
    out.writeNumber(Tokens.text(micros));
  }
}
