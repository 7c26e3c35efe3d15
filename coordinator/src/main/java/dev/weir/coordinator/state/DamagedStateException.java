package dev.weir.coordinator.state;

import java.io.IOException;
import java.nio.file.Path;

/** A file of the data folder is not what was written: no guess is made about what it said. */
public final class DamagedStateException extends IOException {
  private static final long serialVersionUID = 1;

  DamagedStateException(Path file, String what) {
    super(
        file
            + " is damaged: "
            + what
            + ". Restore it from a copy, or start on an empty folder with --lost-data");
  }
}
