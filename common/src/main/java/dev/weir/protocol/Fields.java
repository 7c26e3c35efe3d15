package dev.weir.protocol;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.core.message.OfferId;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.BucketKey;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Share;
import java.io.IOException;

/** The small values that messages are made of; what is zero, empty or false is left out. */
final class Fields {
  private static final int ID_LENGTH_MAX = 80;

  private Fields() {}

  static void text(JsonGenerator json, String name, String text) throws IOException {
    if (!text.isEmpty()) {
      json.writeStringField(name, text);
    }
  }

  static void number(JsonGenerator json, String name, long number) throws IOException {
    if (number != 0) {
      json.writeNumberField(name, number);
    }
  }

  static void flag(JsonGenerator json, String name, boolean flag) throws IOException {
    if (flag) {
      json.writeBooleanField(name, true);
    }
  }

  static void numbers(JsonGenerator json, String name, long... numbers) throws IOException {
    json.writeFieldName(name);
    json.writeArray(numbers, 0, numbers.length);
  }

  static void share(JsonGenerator json, String name, Share share) throws IOException {
    if (!share.isZero()) {
      numbers(json, name, share.rateMicros(), share.burstMicros());
    }
  }

  static void bucket(JsonGenerator json, BucketId bucket) throws IOException {
    json.writeStringField("q", bucket.quota().toString());
    text(json, "k", bucket.key());
  }

  static Share share(JsonReader json) throws IOException {
    long[] parts = json.numbers(2);
    return new Share(parts[0], parts[1]);
  }

  static OfferId offerId(JsonReader json) throws IOException {
    long[] parts = json.numbers(2);
    return new OfferId(parts[0], parts[1]);
  }

  static QuotaId quota(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new MalformedMessageException("not a domain/quota: \"" + shortened(text) + "\"");
    }
    return new QuotaId(text.substring(0, slash), text.substring(slash + 1));
  }

  /** A key that is not canonical would be a second bucket for the same descriptors. */
  static String key(String text) {
    BucketKey.decode(text);
    return text;
  }

  /** The id of a cluster or a folder: drawn, so of few characters, and safe to show. */
  static String id(String text) {
    boolean printable = text.chars().allMatch(c -> c > ' ' && c < 0x7f);
    if (!printable || text.length() > ID_LENGTH_MAX) {
      throw new MalformedMessageException("not an id: \"" + shortened(text) + "\"");
    }
    return text;
  }

  /** What a message from outside may add to an error message. */
  static String shortened(String text) {
    return text.length() <= 80 ? text : text.substring(0, 80) + "...";
  }
}
