package dev.weir.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Paths among settings: those of a file are relative to it, others to the working directory. */
final class Paths {
  private final @Nullable Path file;

  Paths(@Nullable Path file) {
    this.file = file;
  }

  /** Returns the path at a key, or null where it is absent or, noted, not good. */
  @Nullable Path read(Section section, String key) {
    Path path = section.value(key, Paths::parse);
    if (path == null || file == null) {
      return path;
    }
    boolean fromFile = section.place(key).file().equals(file.toString());
    return fromFile ? besideFile(path) : path;
  }

  /** Returns a path beside the file, or in the working directory where there is none. */
  Path besideFile(Path path) {
    Path folder = file == null ? null : file.toAbsolutePath().getParent();
    return folder == null ? path : folder.resolve(path).normalize();
  }

  private static Path parse(String text) throws BadValue {
    if (text.isBlank()) {
      throw new BadValue("is not a path");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException invalid) {
      throw new BadValue("is not a path: " + invalid.getReason());
    }
  }
}
