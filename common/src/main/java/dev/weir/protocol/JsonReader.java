package dev.weir.protocol;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the values of one kind of object, field by field. For one thread. */
final class JsonReader {
  private final JsonParser parser;

  JsonReader(JsonParser parser) {
    this.parser = parser;
  }

  /** What becomes of a field: reads its value, or skips it when the name is not known. */
  interface Field {
    void read(String name) throws IOException;
  }

  /** Reads a value out of the parser. */
  interface Value<T> {
    T read() throws IOException;
  }

  JsonParser parser() {
    return parser;
  }

  /** Goes to the first token, which must open an object, and reads it and nothing after it. */
  void document(Field field) throws IOException {
    parser.nextToken();
    object(field);
    end();
  }

  /** Nothing may follow. */
  void end() throws IOException {
    if (parser.nextToken() != null) {
      throw new MalformedMessageException("more than one value");
    }
  }

  /** Reads the object whose brace is the current token. */
  void object(Field field) throws IOException {
    expect(JsonToken.START_OBJECT, "an object");
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      field.read(name);
    }
  }

  /** Reads the array whose bracket is the current token. */
  <T> List<T> array(int sizeMax, Value<T> value) throws IOException {
    expect(JsonToken.START_ARRAY, "an array");
    List<T> values = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (values.size() == sizeMax) {
        throw new MalformedMessageException("more than " + sizeMax + " in one array");
      }
      values.add(value.read());
    }
    return values;
  }

  /** Reads an array of exactly so many whole numbers. */
  long[] numbers(int count) throws IOException {
    List<Long> values = array(count, this::number);
    if (values.size() != count) {
      throw new MalformedMessageException(
          "expected " + count + " numbers and found " + values.size());
    }
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  /** Reads a whole number that fits in 64 bits. */
  long number() throws IOException {
    expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
    if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw new MalformedMessageException("a number is too large: " + parser.getText());
    }
    return parser.getLongValue();
  }

  int integer() throws IOException {
    long number = number();
    if (number != (int) number) {
      throw new MalformedMessageException("a number is too large: " + number);
    }
    return (int) number;
  }

  /** Reads the name of a constant. */
  <E extends Enum<E>> E constant(Class<E> type) throws IOException {
    String name = text();
    try {
      return Enum.valueOf(type, name);
    } catch (IllegalArgumentException unknown) {
      throw new MalformedMessageException(
          "unknown " + type.getSimpleName() + " \"" + Fields.shortened(name) + "\"");
    }
  }

  String text() throws IOException {
    expect(JsonToken.VALUE_STRING, "text");
    return parser.getText();
  }

  boolean flag() throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> throw unexpected("true or false");
    };
  }

  /** Skips a value of a field that a newer version of the sender knows. */
  void skip() throws IOException {
    parser.skipChildren();
  }

  private void expect(JsonToken token, String what) {
    if (parser.currentToken() != token) {
      throw unexpected(what);
    }
  }

  private MalformedMessageException unexpected(String what) {
    return new MalformedMessageException(
        parser.currentToken() == null
            ? "expected " + what + " and found nothing"
            : "expected " + what + " at byte " + parser.currentTokenLocation().getByteOffset());
  }
}
