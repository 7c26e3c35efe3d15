package dev.weir.protocol;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.OfferId;
import dev.weir.core.message.QuotaUse;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.Names;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Share;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request: {@code c} cluster, {@code r} region, {@code d} data folder, {@code b} boot, {@code s}
 * seq, {@code g} generation, {@code f} floor version, {@code l} leaving, {@code k} buckets, {@code
 * u} what was admitted, by quota: used and beside. A bucket: {@code q} quota, {@code k} key, {@code
 * o} offer applied, {@code a} time since, {@code p} unit of the rate, {@code h} held, {@code l}
 * level, {@code m} highest, {@code w} demand, {@code t} given back, {@code y} dry.
 */
final class RequestJson {
  private RequestJson() {}

  static void write(SyncRequest request, JsonGenerator json) throws IOException {
    json.writeStartObject();
    Fields.text(json, "c", request.cluster());
    Fields.text(json, "r", request.region());
    Fields.text(json, "d", request.folder());
    Fields.number(json, "b", request.boot());
    Fields.number(json, "s", request.seq());
    Fields.number(json, "g", request.generation());
    Fields.number(json, "f", request.floorVersion());
    Fields.flag(json, "l", request.leaving());
    if (!request.buckets().isEmpty()) {
      json.writeArrayFieldStart("k");
      for (BucketReport report : request.buckets()) {
        write(report, json);
      }
      json.writeEndArray();
    }
    if (!request.uses().isEmpty()) {
      json.writeObjectFieldStart("u");
      for (QuotaUse use : request.uses()) {
        Fields.numbers(json, use.quota().toString(), use.usedMicros(), use.besideMicros());
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  static SyncRequest read(JsonReader json) throws IOException {
    RequestFields fields = new RequestFields();
    json.document(
        name -> {
          switch (name) {
            case "c" -> fields.cluster = Fields.id(json.text());
            case "r" -> fields.region = region(json.text());
            case "d" -> fields.folder = Fields.id(json.text());
            case "b" -> fields.boot = json.number();
            case "s" -> fields.seq = json.number();
            case "g" -> fields.generation = json.number();
            case "f" -> fields.floorVersion = json.number();
            case "l" -> fields.leaving = json.flag();
            case "k" -> fields.buckets = json.array(Wire.REPORTS_MAX, () -> report(json));
            case "u" -> fields.uses = uses(json);
            default -> json.skip();
          }
        });
    if (fields.region.isEmpty()) {
      throw new MalformedMessageException("a request without its region \"r\"");
    }
    return new SyncRequest(
        fields.cluster,
        fields.region,
        fields.folder,
        fields.boot,
        fields.seq,
        fields.generation,
        fields.floorVersion,
        fields.leaving,
        fields.buckets,
        fields.uses);
  }

  private static void write(BucketReport report, JsonGenerator json) throws IOException {
    json.writeStartObject();
    Fields.bucket(json, report.bucket());
    if (!report.applied().equals(OfferId.NONE)) {
      Fields.numbers(json, "o", report.applied().authority(), report.applied().number());
    }
    Fields.number(json, "a", report.sinceAppliedNanos());
    Fields.number(json, "p", report.perNanos());
    Fields.share(json, "h", report.held());
    Fields.number(json, "l", report.levelMicros());
    if (report.highestMicros() != report.levelMicros()) {
      Fields.number(json, "m", report.highestMicros());
    }
    Fields.number(json, "w", report.demandMicros());
    Fields.number(json, "t", report.givenBackMicros());
    Fields.flag(json, "y", report.dry());
    json.writeEndObject();
  }

  private static BucketReport report(JsonReader json) throws IOException {
    ReportFields fields = new ReportFields();
    json.object(
        name -> {
          switch (name) {
            case "q" -> fields.quota = Fields.quota(json.text());
            case "k" -> fields.key = Fields.key(json.text());
            case "o" -> fields.applied = Fields.offerId(json);
            case "a" -> fields.sinceAppliedNanos = json.number();
            case "p" -> fields.perNanos = json.number();
            case "h" -> fields.held = Fields.share(json);
            case "l" -> fields.levelMicros = json.number();
            case "m" -> fields.highestMicros = json.number();
            case "w" -> fields.demandMicros = json.number();
            case "t" -> fields.givenBackMicros = json.number();
            case "y" -> fields.dry = json.flag();
            default -> json.skip();
          }
        });
    if (fields.quota == null) {
      throw new MalformedMessageException("a bucket without its quota \"q\"");
    }
    return new BucketReport(
        new BucketId(fields.quota, fields.key),
        fields.applied,
        fields.sinceAppliedNanos,
        fields.perNanos,
        fields.held,
        fields.levelMicros,
        fields.highestMicros == null ? fields.levelMicros : fields.highestMicros,
        fields.demandMicros,
        fields.givenBackMicros,
        fields.dry);
  }

  private static List<QuotaUse> uses(JsonReader json) throws IOException {
    List<QuotaUse> uses = new ArrayList<>();
    json.object(
        name -> {
          if (uses.size() == Wire.USES_MAX) {
            throw new MalformedMessageException("what was admitted of too many quotas");
          }
          long[] parts = json.numbers(2);
          uses.add(new QuotaUse(Fields.quota(name), parts[0], parts[1]));
        });
    return uses;
  }

  private static String region(String text) {
    if (!Names.isName(text)) {
      throw new MalformedMessageException("not a region: \"" + Fields.shortened(text) + "\"");
    }
    return text;
  }

  private static final class RequestFields {
    private String cluster = "";
    private String region = "";
    private String folder = "";
    private long boot;
    private long seq;
    private long generation;
    private long floorVersion;
    private boolean leaving;
    private List<BucketReport> buckets = List.of();
    private List<QuotaUse> uses = List.of();
  }

  private static final class ReportFields {
    private @Nullable QuotaId quota;
    private String key = "";
    private OfferId applied = OfferId.NONE;
    private long sinceAppliedNanos;
    private long perNanos;
    private Share held = Share.ZERO;
    private long levelMicros;
    private @Nullable Long highestMicros;
    private long demandMicros;
    private long givenBackMicros;
    private boolean dry;
  }
}
