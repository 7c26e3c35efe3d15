package dev.weir.coordinator.ctl;

import dev.weir.core.quota.Descriptors;
import java.util.Map;
import java.util.TreeMap;

/** Descriptors as they are typed: {@code tenant=acme,api=public}, as in a request's header. */
final class DescriptorText {
  private final String text;
  private final Map<String, String> pairs = new TreeMap<>();
  private int at;

  private DescriptorText(String text) {
    this.text = text;
  }

  /** Returns the descriptors; a value that has a comma or outer blanks stands in double quotes. */
  static Descriptors parse(String text) throws CtlException {
    if (text.indexOf('\uFFFD') >= 0) {
      throw CtlException.wrongUsage(
          "\"" + text + "\" cannot be read in this locale; set LC_ALL=C.UTF-8");
    }
    DescriptorText reading = new DescriptorText(text);
    while (reading.at < text.length()) {
      reading.pair();
    }
    try {
      return Descriptors.of(reading.pairs);
    } catch (IllegalArgumentException impossible) {
      throw CtlException.wrongUsage(String.valueOf(impossible.getMessage()));
    }
  }

  private void pair() throws CtlException {
    int equals = text.indexOf('=', at);
    int comma = text.indexOf(',', at);
    if (equals < 0 || (comma >= 0 && comma < equals)) {
      throw malformed();
    }
    String key = text.substring(at, equals).strip();
    at = equals + 1;
    while (text.startsWith(" ", at)) {
      at++;
    }
    String value = text.startsWith("\"", at) ? quoted() : plain();
    if (pairs.putIfAbsent(key, value) != null) {
      throw CtlException.wrongUsage("descriptor \"" + key + "\" is given twice");
    }
  }

  private String plain() {
    int comma = text.indexOf(',', at);
    int end = comma < 0 ? text.length() : comma;
    String value = text.substring(at, end).strip();
    at = end + 1;
    return value;
  }

  private String quoted() throws CtlException {
    StringBuilder value = new StringBuilder();
    int next = at + 1;
    while (next < text.length() && text.charAt(next) != '"') {
      if (text.charAt(next) == '\\' && next + 1 < text.length()) {
        next++;
      }
      value.append(text.charAt(next++));
    }
    int comma = text.indexOf(',', next);
    int end = comma < 0 ? text.length() : comma;
    if (next >= text.length() || !text.substring(next + 1, end).isBlank()) {
      throw malformed();
    }
    at = end + 1;
    return value.toString();
  }

  private CtlException malformed() {
    return CtlException.wrongUsage(
        "descriptors are key=value,key=value; a value with a comma stands in double quotes: \""
            + text
            + "\"");
  }
}
