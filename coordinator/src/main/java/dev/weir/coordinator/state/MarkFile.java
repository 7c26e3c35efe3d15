package dev.weir.coordinator.state;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Where marks are written: at the end of a file, or into a new one in its place. */
interface MarkFile extends Closeable {
  /** Adds at the end; durable on return. After a failure nothing is known of the file's end. */
  void append(byte[] content) throws IOException;

  /** Replaces everything; durable on return. */
  void replace(byte[] content) throws IOException;

  /** The file of that path. */
  static MarkFile at(Path path) {
    return new OnDisk(path);
  }

  /** A real file. */
  final class OnDisk implements MarkFile {
    private final Path path;
    private @Nullable FileChannel channel;

    private OnDisk(Path path) {
      this.path = path;
    }

    @Override
    public void append(byte[] content) throws IOException {
      FileChannel open = channel;
      if (open == null) {
        open = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        channel = open;
      }
      Disk.write(open, content);
      open.force(false);
    }

    @Override
    public void replace(byte[] content) throws IOException {
      close();
      Disk.replace(path, content);
    }

    @Override
    public void close() throws IOException {
      FileChannel open = channel;
      channel = null;
      if (open != null) {
        open.close();
      }
    }
  }
}
