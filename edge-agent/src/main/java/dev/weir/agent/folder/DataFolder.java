package dev.weir.agent.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An agent's data folder, locked by this process until {@link #close}.
 *
 * <p>The lock is a promise to the coordinator (S8): whoever holds it knows that no earlier process
 * of this folder is alive, so the region's floor may pass to it at once. A folder must therefore
 * never be copied to where another process runs from the copy.
 *
 * <p>Files: {@code lock}; {@code id}, a random UUID made once; {@code boot}, the number of the last
 * boot; {@code quotas.json}, the last quotas received. Each is replaced as a whole (written aside,
 * forced to disk, renamed), so that a crash leaves the old content or the new.
 *
 * <p>Used by one thread at a time.
 */
public final class DataFolder implements AutoCloseable {
  private static final String LOCK = "lock";
  private static final String ID = "id";
  private static final String BOOT = "boot";
  private static final String QUOTAS = "quotas.json";

  private final Path path;
  private final FileChannel channel;
  private final FileLock lock;
  private final String id;

  private DataFolder(Path path, FileChannel channel, FileLock lock, String id) {
    this.path = path;
    this.channel = channel;
    this.lock = lock;
    this.id = id;
  }

  /**
   * Opens a folder, makes it where it is missing, and locks it.
   *
   * @throws DataFolderException if it cannot be made, written or locked; the message says which
   */
  public static DataFolder open(Path path) throws DataFolderException {
    FileChannel channel = null;
    try {
      Files.createDirectories(path);
      channel =
          FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw new DataFolderException(
            "data folder " + path + " is in use by another process; each agent needs its own");
      }
      return new DataFolder(path, channel, lock, idOf(path));
    } catch (IOException e) {
      closeQuietly(channel);
      if (e instanceof DataFolderException known) {
        throw known;
      }
      throw new DataFolderException("data folder " + path + " cannot be used: " + reason(e), e);
    }
  }

  /** Returns the id that this folder was given when it was made. */
  public String id() {
    return id;
  }

  /**
   * Returns the number of a new boot, larger than every one returned before: at least {@code
   * startMillis} and above {@code told}. It is on disk before this returns.
   *
   * @param startMillis when the process started, in milliseconds since 1970: larger than any boot
   *     of a folder that was lost
   * @param told the largest number that a coordinator has seen of this region; 0 if none was told
   * @throws DataFolderException if it could not be written
   */
  public long nextBoot(long startMillis, long told) throws DataFolderException {
    try {
      long last = lastBoot();
      long next = Math.max(Math.max(Math.addExact(last, 1), startMillis), Math.addExact(told, 1));
      DurableFile.replace(path, BOOT, Long.toString(next).getBytes(StandardCharsets.UTF_8));
      return next;
    } catch (IOException e) {
      throw new DataFolderException("the boot number cannot be written: " + reason(e), e);
    } catch (ArithmeticException e) {
      throw new DataFolderException("boot numbers are used up", e);
    }
  }

  /**
   * Keeps the newest quotas, for a start without a coordinator.
   *
   * @throws DataFolderException if they could not be written
   */
  public void storeQuotas(byte[] text) throws DataFolderException {
    try {
      DurableFile.replace(path, QUOTAS, text);
    } catch (IOException e) {
      throw new DataFolderException("the quotas cannot be stored: " + reason(e), e);
    }
  }

  /**
   * Returns the quotas that were last kept, or null if there are none.
   *
   * @throws DataFolderException if they could not be read
   */
  public byte @Nullable [] loadQuotas() throws DataFolderException {
    try {
      return Files.readAllBytes(path.resolve(QUOTAS));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new DataFolderException("the stored quotas cannot be read: " + reason(e), e);
    }
  }

  /** Returns where it is. */
  public Path path() {
    return path;
  }

  /** Gives the lock back. */
  @Override
  public void close() {
    try {
      lock.release();
    } catch (IOException e) {
      // Closing the channel releases it as well.
    }
    closeQuietly(channel);
  }

  private long lastBoot() throws IOException {
    Path file = path.resolve(BOOT);
    if (!Files.exists(file)) {
      return 0;
    }
    String text = Files.readString(file).strip();
    try {
      long last = Long.parseLong(text);
      if (last >= 0) {
        return last;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IOException(file + " does not hold a boot number: \"" + text + "\"");
  }

  private static String idOf(Path path) throws IOException {
    Path file = path.resolve(ID);
    if (!Files.exists(file)) {
      DurableFile.replace(path, ID, UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));
    }
    String text = Files.readString(file).strip();
    try {
      return UUID.fromString(text).toString();
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " does not hold an id: \"" + text + "\"", e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // another agent in this process
    }
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // Nothing was written through it.
    }
  }

  private static String reason(Exception e) {
    if (e instanceof FileAlreadyExistsException exists) {
      return exists.getFile() + " is a file, not a folder";
    }
    String message = e.getMessage();
    String kind = e.getClass().getSimpleName();
    return message == null ? kind : kind.equals("IOException") ? message : kind + ": " + message;
  }
}
