package dev.weir.sim.live;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.weir.sim.trace.Arrival;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The body of {@code POST /v1/decisions} and of its answer. */
final class DecisionJson {
  private static final JsonFactory JSON = new JsonFactory();

  private DecisionJson() {}

  static byte[] request(Question question, List<Arrival> arrivals) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(128 * arrivals.size());
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeArrayFieldStart("requests");
      for (Arrival arrival : arrivals) {
        json.writeStartObject();
        json.writeStringField("domain", question.domain());
        json.writeObjectFieldStart("descriptors");
        for (Map.Entry<String, String> pair : question.descriptors(arrival.key()).entrySet()) {
          json.writeStringField(pair.getKey(), pair.getValue());
        }
        json.writeEndObject();
        json.writeNumberField("cost", arrival.cost());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new AssertionError("writing to memory", e);
    }
    return out.toByteArray();
  }

  /**
   * The verdicts of an answer, in the order of the requests.
   *
   * @throws IOException if it is not an answer to {@code expected} requests
   */
  static boolean[] allowed(byte[] body, int expected) throws IOException {
    boolean[] allowed = new boolean[expected];
    int decisions = 0;
    try (JsonParser json = JSON.createParser(body)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("not an object");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        boolean wanted = json.currentName().equals("decisions");
        JsonToken value = json.nextToken();
        if (!wanted || value != JsonToken.START_ARRAY) {
          json.skipChildren();
          continue;
        }
        for (; json.nextToken() == JsonToken.START_OBJECT; decisions++) {
          boolean verdict = verdict(json);
          if (decisions < expected) {
            allowed[decisions] = verdict;
          }
        }
      }
    }
    if (decisions != expected) {
      throw new IOException("asked for " + expected + " decisions and got " + decisions);
    }
    return allowed;
  }

  private static boolean verdict(JsonParser json) throws IOException {
    boolean seen = false;
    boolean allowed = false;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean wanted = json.currentName().equals("allowed");
      JsonToken value = json.nextToken();
      if (wanted && value.isBoolean()) {
        allowed = json.getBooleanValue();
        seen = true;
      } else {
        json.skipChildren();
      }
    }
    if (!seen) {
      throw new IOException("a decision does not say whether it is allowed");
    }
    return allowed;
  }
}
