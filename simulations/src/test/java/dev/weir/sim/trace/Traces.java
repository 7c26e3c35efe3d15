package dev.weir.sim.trace;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Traces from text, for tests. */
final class Traces {
  static final long SECOND = 1_000_000_000L;

  private Traces() {}

  static Trace read(String name, String text) throws IOException, TraceException {
    return read(name, text, null);
  }

  static Trace read(String name, String text, @Nullable String regionBy)
      throws IOException, TraceException {
    return read(name, text.getBytes(StandardCharsets.UTF_8), regionBy, new StringBuilder());
  }

  static Trace read(String name, byte[] bytes, @Nullable String regionBy, StringBuilder warnings)
      throws IOException, TraceException {
    return TraceReader.read(
        name,
        new ByteArrayInputStream(bytes),
        null,
        regionBy == null ? null : RegionBy.parse(regionBy),
        warnings::append);
  }

  static void assertProblem(String name, String text, @Nullable String regionBy, String message) {
    assertThatThrownBy(() -> read(name, text, regionBy))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining(message);
  }
}
