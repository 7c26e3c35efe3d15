package dev.weir.core.quota;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The descriptors of one request: an immutable set of {@code key=value}, in the order of the keys.
 *
 * <p>At most {@value #PAIRS_MAX} pairs; a key is 1 to {@value #KEY_BYTES_MAX} bytes of UTF-8, a
 * value 0 to {@value #VALUE_BYTES_MAX}; any character is allowed, half a surrogate pair is not.
 * Text is taken as it comes: composed and decomposed accents stay different, and so do upper and
 * lower case. What breaks these rules is an {@code IllegalArgumentException} whose message can be
 * shown to the caller.
 */
public final class Descriptors implements DescriptorLookup {
  /** Most pairs of one request. */
  public static final int PAIRS_MAX = 16;

  /** Longest key, in bytes of UTF-8. */
  public static final int KEY_BYTES_MAX = 64;

  /** Longest value, in bytes of UTF-8. */
  public static final int VALUE_BYTES_MAX = 1024;

  /** No descriptors. */
  public static final Descriptors NONE = new Descriptors(new String[0]);

  /** Key, value, key, value, ordered by key. */
  private final String[] pairs;

  private Descriptors(String[] pairs) {
    this.pairs = pairs;
  }

  /** Returns the descriptors of a map. */
  public static Descriptors of(Map<String, String> map) {
    String[] pairs = new String[2 * map.size()];
    int next = 0;
    for (Map.Entry<String, String> entry : map.entrySet()) {
      pairs[next++] = entry.getKey();
      pairs[next++] = entry.getValue();
    }
    return sorted(pairs);
  }

  /** Returns the descriptors key, value, key, value and so on. */
  public static Descriptors of(String... keysAndValues) {
    return ofPairs(keysAndValues, keysAndValues.length / 2);
  }

  /**
   * Returns the descriptors in the first {@code count} pairs of an array key, value, key, value:
   * what a parser collects. Makes one object and one array.
   */
  public static Descriptors ofPairs(String[] keysAndValues, int count) {
    return sorted(Arrays.copyOf(keysAndValues, 2 * count));
  }

  /**
   * Checks a key.
   *
   * @throws IllegalArgumentException if it is empty, too long or not well formed
   */
  public static void checkKey(String key) {
    if (key.isEmpty()) {
      throw new IllegalArgumentException("a descriptor key is empty");
    }
    int bytes = utf8Length(key);
    if (bytes < 0) {
      throw new IllegalArgumentException("a descriptor key is not well-formed Unicode");
    }
    if (bytes > KEY_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a descriptor key is " + bytes + " bytes long; the most is " + KEY_BYTES_MAX);
    }
  }

  /**
   * Checks a value.
   *
   * @throws IllegalArgumentException if it is too long or not well formed; the message names its
   *     key
   */
  public static void checkValue(String key, String value) {
    int bytes = utf8Length(value);
    if (bytes < 0) {
      throw new IllegalArgumentException(
          "the value of descriptor \"" + key + "\" is not well-formed Unicode");
    }
    if (bytes > VALUE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "the value of descriptor \""
              + key
              + "\" is "
              + bytes
              + " bytes long; the most is "
              + VALUE_BYTES_MAX);
    }
  }

  /** Returns the number of pairs. */
  public int size() {
    return pairs.length / 2;
  }

  /** Returns the key of pair {@code i}; keys ascend. */
  public String key(int i) {
    return pairs[2 * i];
  }

  /** Returns the value of pair {@code i}. */
  public String value(int i) {
    return pairs[2 * i + 1];
  }

  @Override
  public @Nullable String value(String key) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equals(key)) {
        return pairs[i + 1];
      }
    }
    return null;
  }

  /** Returns a copy as a map, keys ascending. */
  public Map<String, String> asMap() {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return map;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Descriptors that && Arrays.equals(pairs, that.pairs);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(pairs);
  }

  /** Returns the canonical text ({@link BucketKey}). */
  @Override
  public String toString() {
    return BucketKey.encode(this);
  }

  /** Checks and sorts in place, and keeps the array: by insertion, since there are few. */
  private static Descriptors sorted(String[] pairs) {
    int count = pairs.length / 2;
    if (count > PAIRS_MAX) {
      throw new IllegalArgumentException(
          "a request has " + count + " descriptors; the most is " + PAIRS_MAX);
    }
    for (int i = 0; i < pairs.length; i += 2) {
      String key = pairs[i];
      String value = pairs[i + 1];
      checkKey(key);
      checkValue(key, value);
      int at = i;
      while (at > 0 && pairs[at - 2].compareTo(key) > 0) {
        pairs[at] = pairs[at - 2];
        pairs[at + 1] = pairs[at - 1];
        at -= 2;
      }
      if (at > 0 && pairs[at - 2].equals(key)) {
        throw new IllegalArgumentException("descriptor \"" + key + "\" is given twice");
      }
      pairs[at] = key;
      pairs[at + 1] = value;
    }
    return new Descriptors(pairs);
  }

  /**
   * Bytes of UTF-8, or -1 for half a surrogate pair: two of those could encode to the same bytes.
   */
  private static int utf8Length(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes++;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        return -1;
      }
    }
    return bytes;
  }
}
