package dev.weir.coordinator.ctl;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Addresses under a coordinator's. */
final class Urls {
  private Urls() {}

  /** Returns a value as it stands in a query or a path. */
  static String encoded(String value) {
    // A plus sign means a blank in forms only.
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
