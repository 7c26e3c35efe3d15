package dev.weir.config;

import java.util.Locale;

/**
 * One setting of a process: where it stands in the file, and so what it is called elsewhere.
 *
 * @param path keys from the outside in, {@code sync.interval}
 * @param list whether it is a list, whose items an override separates by commas
 * @param help what it is, in a few words
 */
public record Setting(String path, boolean list, String help) {
  static Setting one(String path, String help) {
    return new Setting(path, false, help);
  }

  static Setting list(String path, String help) {
    return new Setting(path, true, help);
  }

  /** Returns the variable of the environment that overrides it: {@code WEIR_SYNC_INTERVAL}. */
  public String variable() {
    return "WEIR_"
        + path.replaceAll("([a-z])([A-Z])", "$1_$2").replace('.', '_').toUpperCase(Locale.ROOT);
  }
}
