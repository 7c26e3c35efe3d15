package dev.weir.coordinator.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A text that is replaced as a whole and carries its checksum: a first line {@code weir 1 SHA256},
 * the text after it. One thread at a time.
 */
final class CheckedFile {
  private static final String HEAD = "weir 1 ";

  private final Path path;

  CheckedFile(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /**
   * Returns the text, or null where there is no file.
   *
   * @throws DamagedStateException if it is not what was written
   */
  @Nullable String read() throws IOException {
    byte[] content;
    try {
      content = Files.readAllBytes(path);
    } catch (NoSuchFileException absent) {
      return null;
    }
    int end = indexOfLineFeed(content);
    String head = end < 0 ? "" : new String(content, 0, end, UTF_8);
    if (!head.startsWith(HEAD)) {
      throw new DamagedStateException(path, "its first line does not begin with \"weir 1\"");
    }
    byte[] text = Arrays.copyOfRange(content, end + 1, content.length);
    if (!head.substring(HEAD.length()).equals(sum(text))) {
      throw new DamagedStateException(path, "its checksum is wrong");
    }
    return new String(text, UTF_8);
  }

  /** Replaces the text, durably. */
  void write(String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    byte[] head = (HEAD + sum(bytes) + "\n").getBytes(UTF_8);
    byte[] content = Arrays.copyOf(head, head.length + bytes.length);
    System.arraycopy(bytes, 0, content, head.length, bytes.length);
    Disk.replace(path, content);
  }

  private static int indexOfLineFeed(byte[] content) {
    for (int i = 0; i < content.length; i++) {
      if (content[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private static String sum(byte[] text) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible); // every JDK has it
    }
  }
}
