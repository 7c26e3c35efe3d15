package dev.weir.agent.check;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.weir.agent.Decision;
import dev.weir.agent.Verdict;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.Tokens;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bodies of {@code /v1/decisions}. */
final class Batch {
  /** Most questions in one body. */
  static final int ITEMS_MAX = 10_000;

  private static final JsonFactory JSON = new JsonFactory();
  private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private Batch() {}

  /**
   * One question.
   *
   * @param domain null where none was said
   * @param cost in whole tokens; what does not fit in a {@code long} is the largest
   * @param idempotencyKey tells a repeat of it from another one like it; null without
   */
  record Item(
      @Nullable String domain,
      Descriptors descriptors,
      long cost,
      @Nullable String idempotencyKey) {}

  /** Returns the questions of a body; one that is wrong spoils all of them. */
  static List<Item> parse(byte[] body) throws BadQuestionException {
    try (JsonParser json = JSON.createParser(body)) {
      return parse(json);
    } catch (JsonProcessingException e) {
      throw new BadQuestionException("not JSON: " + e.getOriginalMessage() + place(e));
    } catch (IOException e) {
      throw new BadQuestionException("not JSON: " + e.getMessage());
    }
  }

  /** Returns the answers, in the order of the questions. */
  static byte[] answer(List<Decision> decisions) {
    StringBuilder json = new StringBuilder(64 + 192 * decisions.size());
    json.append("{\"decisions\":[");
    for (int i = 0; i < decisions.size(); i++) {
      append(i == 0 ? json : json.append(','), decisions.get(i));
    }
    return json.append("]}\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static List<Item> parse(JsonParser json) throws IOException, BadQuestionException {
    List<Item> items = null;
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new BadQuestionException("the body must be an object {\"requests\": [...]}");
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      if (!json.currentName().equals("requests") || items != null) {
        throw new BadQuestionException(
            "the body has \"requests\" and nothing else: \"" + json.currentName() + "\"");
      }
      if (json.nextToken() != JsonToken.START_ARRAY) {
        throw new BadQuestionException("\"requests\" must be an array");
      }
      items = items(json);
    }
    if (items == null) {
      throw new BadQuestionException("the body has no \"requests\"");
    }
    if (json.nextToken() != null) {
      throw new BadQuestionException("something follows the end of the body");
    }
    return items;
  }

  private static List<Item> items(JsonParser json) throws IOException, BadQuestionException {
    List<Item> items = new ArrayList<>();
    for (JsonToken token = json.nextToken();
        token != JsonToken.END_ARRAY;
        token = json.nextToken()) {
      try {
        if (items.size() == ITEMS_MAX) {
          throw new BadQuestionException("there are at most " + ITEMS_MAX);
        }
        if (token != JsonToken.START_OBJECT) {
          throw new BadQuestionException("not an object");
        }
        items.add(new ItemReader(json).read());
      } catch (BadQuestionException e) {
        throw new BadQuestionException("requests[" + items.size() + "]: " + e.getMessage());
      }
    }
    return items;
  }

  /** Reads one question. */
  private static final class ItemReader {
    private final JsonParser json;
    private @Nullable String domain;
    private @Nullable Descriptors descriptors;
    private @Nullable Long cost;
    private @Nullable String idempotencyKey;

    ItemReader(JsonParser json) {
      this.json = json;
    }

    Item read() throws IOException, BadQuestionException {
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        switch (name) {
          case "domain" -> {
            once(name, domain);
            domain = Question.domain(text(name, value));
          }
          case "descriptors" -> {
            once(name, descriptors);
            descriptors = descriptors(value);
          }
          case "cost" -> {
            once(name, cost);
            cost = cost(value);
          }
          case "idempotencyKey" -> {
            once(name, idempotencyKey);
            idempotencyKey = Question.idempotencyKey(text(name, value));
          }
          default ->
              throw new BadQuestionException(
                  "unknown field \""
                      + name
                      + "\"; there are domain, descriptors, cost and idempotencyKey");
        }
      }
      return new Item(
          domain,
          descriptors == null ? Descriptors.NONE : descriptors,
          cost == null ? 1 : cost,
          idempotencyKey);
    }

    /** Of two neither is meant more; most readers of JSON would take the last. */
    private static void once(String name, @Nullable Object before) throws BadQuestionException {
      if (before != null) {
        throw new BadQuestionException(name + " is given twice");
      }
    }

    private String text(String name, JsonToken value) throws IOException, BadQuestionException {
      if (value != JsonToken.VALUE_STRING) {
        throw new BadQuestionException(name + " must be a string");
      }
      return json.getText();
    }

    private Descriptors descriptors(JsonToken value) throws IOException, BadQuestionException {
      if (value != JsonToken.START_OBJECT) {
        throw new BadQuestionException("descriptors must be an object {\"key\": \"value\"}");
      }
      String[] pairs = new String[2 * Descriptors.PAIRS_MAX];
      int count = 0;
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        if (count == Descriptors.PAIRS_MAX) {
          throw new BadQuestionException(
              "a request has at most " + Descriptors.PAIRS_MAX + " descriptors");
        }
        String key = json.currentName();
        pairs[2 * count] = key;
        pairs[2 * count + 1] = text("descriptor \"" + key + "\"", json.nextToken());
        count++;
      }
      return Question.descriptors(pairs, count);
    }

    private long cost(JsonToken value) throws IOException, BadQuestionException {
      if (value != JsonToken.VALUE_NUMBER_INT) {
        throw new BadQuestionException("cost must be a whole number of tokens, 0 or more");
      }
      BigInteger cost = json.getBigIntegerValue();
      if (cost.signum() < 0) {
        throw new BadQuestionException("cost must not be negative: " + cost);
      }
      return cost.min(LONG_MAX).longValue();
    }
  }

  private static void append(StringBuilder json, Decision decision) {
    json.append("{\"allowed\":").append(decision.allowed());
    json.append(",\"reason\":\"").append(decision.reason()).append("\",\"retryAfterMs\":");
    millis(json, decision.retryAfterNanos()).append(",\"quotas\":[");
    for (int i = 0; i < decision.quotas().size(); i++) {
      Verdict verdict = decision.quotas().get(i);
      json.append(i == 0 ? "{" : ",{").append("\"name\":\"").append(verdict.quota().id().name());
      json.append("\",\"allowed\":").append(verdict.allowed()).append(",\"remaining\":");
      json.append(verdict.remainingMicros() / Tokens.MICROS_PER_TOKEN).append(",\"retryAfterMs\":");
      millis(json, verdict.allowed() ? 0 : verdict.retryAfterNanos());
      json.append(",\"reason\":\"").append(verdict.reason()).append("\"}");
    }
    json.append("]}");
  }

  /** Rounded up; {@code null} for never. */
  private static StringBuilder millis(StringBuilder json, long nanos) {
    if (nanos == Decision.NEVER) {
      return json.append("null");
    }
    long rounding = nanos % Nanos.MILLISECOND_NANOS == 0 ? 0 : 1;
    return json.append(nanos / Nanos.MILLISECOND_NANOS + rounding);
  }

  private static String place(JsonProcessingException e) {
    return e.getLocation() == null
        ? ""
        : " (line "
            + e.getLocation().getLineNr()
            + ", column "
            + e.getLocation().getColumnNr()
            + ")";
  }
}
