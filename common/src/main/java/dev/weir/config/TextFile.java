package dev.weir.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file as text. */
final class TextFile {
  /** No file of quotas or settings comes near to it. */
  private static final long BYTES_MAX = 16 << 20;

  private TextFile() {}

  /** Returns the text, or null where it cannot be read, which is noted. */
  static @Nullable String read(Path file, Problems problems) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        problems.error(Place.of(file.toString()), "larger than " + BYTES_MAX + " bytes");
        return null;
      }
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException failed) {
      problems.error(Place.of(file.toString()), reason(failed));
      return null;
    }
  }

  static String reason(IOException failed) {
    if (failed instanceof NoSuchFileException) {
      return "no such file";
    }
    if (failed instanceof AccessDeniedException) {
      return "may not be read";
    }
    if (failed instanceof CharacterCodingException) {
      return "is not UTF-8";
    }
    return "cannot be read: " + failed.getMessage();
  }
}
