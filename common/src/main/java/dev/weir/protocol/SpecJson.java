package dev.weir.protocol;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import dev.weir.core.quota.Algorithm;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.Enforcement;
import dev.weir.core.quota.Fallback;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.LostLedger;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One quota within {@link BookJson}. */
final class SpecJson {
  private SpecJson() {}

  static void write(QuotaSpec quota, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", quota.id().name());
    json.writeArrayFieldStart("match");
    for (Match match : quota.match()) {
      json.writeStartObject();
      json.writeStringField("key", match.key());
      if (match.value() != null) {
        json.writeStringField("value", match.value());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    write("rate", quota.rate(), json);
    json.writeNumberField("burst", quota.burstMicros());
    json.writeNumberField("maxCost", quota.maxCostMicros());
    json.writeStringField("enforcement", quota.enforcement().name());
    json.writeStringField("mode", quota.mode().name());
    write(quota.lease(), json);
    write("onLeaseExpiry", quota.onLeaseExpiry(), json);
    write("onFloorExpiry", quota.onFloorExpiry(), json);
    json.writeStringField("onLostLedger", quota.onLostLedger().name());
    json.writeStringField("algorithm", quota.algorithm().name());
    write("onStoreLoss", quota.onStoreLoss(), json);
    json.writeEndObject();
  }

  static Unplaced read(JsonReader json) throws IOException {
    Unplaced fields = new Unplaced();
    json.object(
        name -> {
          switch (name) {
            case "name" -> fields.name = json.text();
            case "match" -> fields.match = json.array(Descriptors.PAIRS_MAX, () -> match(json));
            case "rate" -> fields.rate = rate(json);
            case "burst" -> fields.burstMicros = json.number();
            case "maxCost" -> fields.maxCostMicros = json.number();
            case "enforcement" -> fields.enforcement = json.constant(Enforcement.class);
            case "mode" -> fields.mode = json.constant(Mode.class);
            case "lease" -> fields.lease = lease(json);
            case "onLeaseExpiry" -> fields.onLeaseExpiry = fallback(json);
            case "onFloorExpiry" -> fields.onFloorExpiry = fallback(json);
            case "onLostLedger" -> fields.onLostLedger = json.constant(LostLedger.class);
            case "algorithm" -> fields.algorithm = json.constant(Algorithm.class);
            case "onStoreLoss" -> fields.onStoreLoss = fallback(json);
            default -> json.skip();
          }
        });
    return fields;
  }

  private static void write(LeaseTerms lease, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("lease");
    json.writeNumberField("ttl", lease.ttlNanos());
    json.writeNumberField("floorPpm", lease.floorPpm());
    json.writeBooleanField("lend", lease.lend());
    json.writeNumberField("floorTtl", lease.floorTtlNanos());
    json.writeNumberField("lendTtl", lease.lendTtlNanos());
    json.writeNumberField("firstLeaseWait", lease.firstLeaseWaitNanos());
    json.writeEndObject();
  }

  private static LeaseTerms lease(JsonReader json) throws IOException {
    LeaseFields fields = new LeaseFields();
    json.object(
        name -> {
          switch (name) {
            case "ttl" -> fields.ttlNanos = json.number();
            case "floorPpm" -> fields.floorPpm = json.integer();
            case "lend" -> fields.lend = json.flag();
            case "floorTtl" -> fields.floorTtlNanos = json.number();
            case "lendTtl" -> fields.lendTtlNanos = json.number();
            case "firstLeaseWait" -> fields.firstLeaseWaitNanos = json.number();
            default -> json.skip();
          }
        });
    return new LeaseTerms(
        fields.ttlNanos,
        fields.floorPpm,
        fields.lend,
        fields.floorTtlNanos,
        fields.lendTtlNanos,
        fields.firstLeaseWaitNanos);
  }

  private static void write(String name, Fallback fallback, JsonGenerator json) throws IOException {
    if (fallback instanceof Fallback.Budget budget) {
      json.writeObjectFieldStart(name);
      write("rate", budget.rate(), json);
      json.writeNumberField("burst", budget.burstMicros());
      json.writeEndObject();
    } else {
      json.writeStringField(name, nameOf(fallback));
    }
  }

  private static String nameOf(Fallback fallback) {
    if (fallback instanceof Fallback.Floor) {
      return "floor";
    }
    if (fallback instanceof Fallback.Deny) {
      return "deny";
    }
    if (fallback instanceof Fallback.Allow) {
      return "allow";
    }
    throw new AssertionError(fallback);
  }

  private static Fallback fallback(JsonReader json) throws IOException {
    if (json.parser().currentToken() != JsonToken.START_OBJECT) {
      String name = json.text();
      return switch (name) {
        case "floor" -> Fallback.FLOOR;
        case "deny" -> Fallback.DENY;
        case "allow" -> Fallback.ALLOW;
        default -> throw new MalformedMessageException("unknown fallback \"" + name + "\"");
      };
    }
    BudgetFields fields = new BudgetFields();
    json.object(
        name -> {
          switch (name) {
            case "rate" -> fields.rate = rate(json);
            case "burst" -> fields.burstMicros = json.number();
            default -> json.skip();
          }
        });
    return new Fallback.Budget(fields.rate, fields.burstMicros);
  }

  private static void write(String name, Rate rate, JsonGenerator json) throws IOException {
    Fields.numbers(json, name, rate.micros(), rate.perNanos());
  }

  private static Rate rate(JsonReader json) throws IOException {
    long[] parts = json.numbers(2);
    return new Rate(parts[0], parts[1]);
  }

  private static Match match(JsonReader json) throws IOException {
    MatchFields fields = new MatchFields();
    json.object(
        name -> {
          switch (name) {
            case "key" -> fields.key = json.text();
            case "value" -> fields.value = json.text();
            default -> json.skip();
          }
        });
    return new Match(fields.key, fields.value);
  }

  /** A quota whose domain is not known yet. */
  static final class Unplaced {
    private String name = "";
    private List<Match> match = List.of();
    private Rate rate = Rate.ZERO;
    private long burstMicros;
    private long maxCostMicros;
    private Enforcement enforcement = Enforcement.LEASED;
    private Mode mode = Mode.ENFORCE;
    private LeaseTerms lease = LeaseTerms.DEFAULT;
    private Fallback onLeaseExpiry = Fallback.FLOOR;
    private Fallback onFloorExpiry = Fallback.DENY;
    private LostLedger onLostLedger = LostLedger.KNOWN;
    private Algorithm algorithm = Algorithm.TOKEN_BUCKET;
    private Fallback onStoreLoss = Fallback.DENY;

    QuotaSpec of(String domain) {
      return new QuotaSpec(
          new QuotaId(domain, name),
          match,
          rate,
          burstMicros,
          maxCostMicros,
          enforcement,
          mode,
          lease,
          onLeaseExpiry,
          onFloorExpiry,
          onLostLedger,
          algorithm,
          onStoreLoss);
    }
  }

  private static final class LeaseFields {
    private long ttlNanos;
    private int floorPpm;
    private boolean lend;
    private long floorTtlNanos;
    private long lendTtlNanos;
    private long firstLeaseWaitNanos = LeaseTerms.DEFAULT_WAIT;
  }

  private static final class BudgetFields {
    private Rate rate = Rate.ZERO;
    private long burstMicros;
  }

  private static final class MatchFields {
    private String key = "";
    private @Nullable String value;
  }
}
