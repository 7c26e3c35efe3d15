package dev.weir.protocol;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.FloorGrant;
import dev.weir.core.message.FloorShare;
import dev.weir.core.message.OfferId;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Share;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An answer: {@code c} cluster, {@code b} boot, {@code s} seq, {@code x} status unless it is OK,
 * {@code e} detail, {@code n} newest boot, {@code q} the quotas, {@code f} floors ({@code v}
 * version, {@code t} table), {@code d} drained, {@code k} offers. An offer: {@code q} quota, {@code
 * k} key, {@code o} number, {@code p} unit of the rate, {@code h} share, {@code t} tokens, {@code
 * e} time to live, {@code c} confirm, {@code w} contended, {@code l} learning.
 */
final class AnswerJson {
  private static final int QUOTAS_MAX = 100_000;

  private AnswerJson() {}

  static void write(SyncAnswer answer, JsonGenerator json) throws IOException {
    json.writeStartObject();
    Fields.text(json, "c", answer.cluster());
    Fields.number(json, "b", answer.boot());
    Fields.number(json, "s", answer.seq());
    if (answer.status() != SyncAnswer.Status.OK) {
      json.writeStringField("x", answer.status().name());
    }
    Fields.text(json, "e", answer.detail());
    Fields.number(json, "n", answer.newestBoot());
    if (answer.book() != null) {
      json.writeFieldName("q");
      BookJson.write(answer.book(), json);
    }
    if (answer.floor() != null) {
      write(answer.floor(), json);
    }
    Fields.flag(json, "d", answer.drained());
    if (!answer.offers().isEmpty()) {
      json.writeArrayFieldStart("k");
      for (BucketOffer offer : answer.offers()) {
        write(offer, json);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  static SyncAnswer read(JsonReader json) throws IOException {
    AnswerFields fields = new AnswerFields();
    json.document(
        name -> {
          switch (name) {
            case "c" -> fields.cluster = Fields.id(json.text());
            case "b" -> fields.boot = json.number();
            case "s" -> fields.seq = json.number();
            case "x" -> fields.status = json.constant(SyncAnswer.Status.class);
            case "e" -> fields.detail = json.text();
            case "n" -> fields.newestBoot = json.number();
            case "q" -> fields.book = BookJson.read(json);
            case "f" -> fields.floor = floor(json);
            case "d" -> fields.drained = json.flag();
            case "k" -> fields.offers = json.array(Wire.OFFERS_MAX, () -> offer(json));
            default -> json.skip();
          }
        });
    return new SyncAnswer(
        fields.cluster,
        fields.boot,
        fields.seq,
        fields.status,
        fields.detail,
        fields.newestBoot,
        fields.book,
        fields.floor,
        fields.drained,
        fields.offers);
  }

  private static void write(FloorGrant floor, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("f");
    Fields.number(json, "v", floor.version());
    if (floor.table() != null) {
      json.writeObjectFieldStart("t");
      for (Map.Entry<QuotaId, FloorShare> entry : new TreeMap<>(floor.table()).entrySet()) {
        FloorShare share = entry.getValue();
        Fields.numbers(
            json,
            entry.getKey().toString(),
            share.perNanos(),
            share.share().rateMicros(),
            share.share().burstMicros(),
            share.ttlNanos());
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static FloorGrant floor(JsonReader json) throws IOException {
    FloorFields fields = new FloorFields();
    json.object(
        name -> {
          switch (name) {
            case "v" -> fields.version = json.number();
            case "t" -> fields.table = table(json);
            default -> json.skip();
          }
        });
    return new FloorGrant(fields.version, fields.table);
  }

  private static Map<QuotaId, FloorShare> table(JsonReader json) throws IOException {
    Map<QuotaId, FloorShare> table = new HashMap<>();
    json.object(
        name -> {
          if (table.size() == QUOTAS_MAX) {
            throw new MalformedMessageException("more than " + QUOTAS_MAX + " floors");
          }
          long[] parts = json.numbers(4);
          table.put(
              Fields.quota(name),
              new FloorShare(parts[0], new Share(parts[1], parts[2]), parts[3]));
        });
    return table;
  }

  private static void write(BucketOffer offer, JsonGenerator json) throws IOException {
    json.writeStartObject();
    Fields.bucket(json, offer.bucket());
    Fields.numbers(json, "o", offer.id().authority(), offer.id().number());
    Fields.number(json, "p", offer.perNanos());
    Fields.share(json, "h", offer.share());
    Fields.number(json, "t", offer.tokensMicros());
    Fields.number(json, "e", offer.ttlNanos());
    Fields.flag(json, "c", offer.confirm());
    Fields.flag(json, "w", offer.contended());
    Fields.flag(json, "l", offer.learning());
    json.writeEndObject();
  }

  private static BucketOffer offer(JsonReader json) throws IOException {
    OfferFields fields = new OfferFields();
    json.object(
        name -> {
          switch (name) {
            case "q" -> fields.quota = Fields.quota(json.text());
            case "k" -> fields.key = Fields.key(json.text());
            case "o" -> fields.id = Fields.offerId(json);
            case "p" -> fields.perNanos = json.number();
            case "h" -> fields.share = Fields.share(json);
            case "t" -> fields.tokensMicros = json.number();
            case "e" -> fields.ttlNanos = json.number();
            case "c" -> fields.confirm = json.flag();
            case "w" -> fields.contended = json.flag();
            case "l" -> fields.learning = json.flag();
            default -> json.skip();
          }
        });
    if (fields.quota == null || fields.id.equals(OfferId.NONE)) {
      throw new MalformedMessageException("an offer without its quota \"q\" or number \"o\"");
    }
    return new BucketOffer(
        new BucketId(fields.quota, fields.key),
        fields.id,
        fields.perNanos,
        fields.share,
        fields.tokensMicros,
        fields.ttlNanos,
        fields.confirm,
        fields.contended,
        fields.learning);
  }

  private static final class AnswerFields {
    private String cluster = "";
    private long boot;
    private long seq;
    private SyncAnswer.Status status = SyncAnswer.Status.OK;
    private String detail = "";
    private long newestBoot;
    private @Nullable QuotaBook book;
    private @Nullable FloorGrant floor;
    private boolean drained;
    private List<BucketOffer> offers = List.of();
  }

  private static final class FloorFields {
    private long version;
    private @Nullable Map<QuotaId, FloorShare> table;
  }

  private static final class OfferFields {
    private @Nullable QuotaId quota;
    private String key = "";
    private OfferId id = OfferId.NONE;
    private long perNanos;
    private Share share = Share.ZERO;
    private long tokensMicros;
    private long ttlNanos;
    private boolean confirm;
    private boolean contended;
    private boolean learning;
  }
}
