package dev.weir.protocol;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The agents' protocol as JSON. Every byte string is a message or {@link Parsed.Malformed}; nothing
 * is thrown for what came from outside. Names are one letter, and what is zero, empty or false is
 * left out; fields that are not known are skipped, so that versions can differ by a field.
 *
 * <p>All methods may be called from any thread.
 */
public final class Wire {
  /** Longest request: 4 MiB. */
  public static final int REQUEST_BYTES_MAX = 4 << 20;

  /** Longest answer: 64 MiB; it may carry every quota there is. */
  public static final int ANSWER_BYTES_MAX = 64 << 20;

  /** Most buckets of one request. */
  public static final int REPORTS_MAX = 10_000;

  /** Most quotas of one request of which it says what was admitted. */
  public static final int USES_MAX = 10_000;

  /** Most offers in one answer. */
  public static final int OFFERS_MAX = 20_000;

  private static final int NESTING_MAX = 24;
  private static final int NUMBER_DIGITS_MAX = 20;
  private static final int TEXT_MAX = 256 << 10;

  static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(NESTING_MAX)
                  .maxNumberLength(NUMBER_DIGITS_MAX)
                  .maxStringLength(TEXT_MAX)
                  .build())
          .build();

  private Wire() {}

  /** Returns a request as bytes. */
  public static byte[] encode(SyncRequest request) {
    return written(json -> RequestJson.write(request, json));
  }

  /** Returns an answer as bytes. */
  public static byte[] encode(SyncAnswer answer) {
    return written(json -> AnswerJson.write(answer, json));
  }

  /** Returns the request that these bytes are. */
  public static Parsed<SyncRequest> request(byte[] bytes) {
    return parsed(bytes, REQUEST_BYTES_MAX, RequestJson::read);
  }

  /** Returns the answer that these bytes are. */
  public static Parsed<SyncAnswer> answer(byte[] bytes) {
    return parsed(bytes, ANSWER_BYTES_MAX, AnswerJson::read);
  }

  interface Writer {
    void write(JsonGenerator json) throws IOException;
  }

  interface Reader<T> {
    T read(JsonReader json) throws IOException;
  }

  static byte[] written(Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      writer.write(json);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  static <T> Parsed<T> parsed(byte[] bytes, int bytesMax, Reader<T> reader) {
    if (bytes.length > bytesMax) {
      return new Parsed.Malformed<>(bytes.length + " bytes; a message has at most " + bytesMax);
    }
    try (JsonParser parser = JSON.createParser(bytes)) {
      return new Parsed.Message<>(reader.read(new JsonReader(parser)));
    } catch (JsonProcessingException notJson) {
      return new Parsed.Malformed<>("not JSON: " + notJson.getOriginalMessage());
    } catch (IOException broken) {
      return new Parsed.Malformed<>("not JSON: " + broken.getMessage());
    } catch (MalformedMessageException | IllegalArgumentException | ArithmeticException wrong) {
      return new Parsed.Malformed<>(String.valueOf(wrong.getMessage()));
    }
  }
}
