package dev.weir.core.quota;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request says about itself, asked key by key. {@link Descriptors} is the checked and
 * immutable form; a server may implement this over its own buffers instead, and then answers for
 * {@link Descriptors#checkKey} and {@link Descriptors#checkValue} itself.
 */
@FunctionalInterface
public interface DescriptorLookup {
  /** Returns the value of a key, or null where the request has none. */
  @Nullable String value(String key);

  /** Returns a view of a map, unchecked. */
  static DescriptorLookup of(Map<String, String> map) {
    return map::get;
  }
}
