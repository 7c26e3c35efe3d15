package dev.weir.coordinator.state;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** That a folder is this process's alone, until it is closed or the process ends. */
final class FolderLock implements Closeable {
  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Makes the folder, if need be, and locks it.
   *
   * @throws IOException if it cannot be written to, or another process has it
   */
  static FolderLock of(Path folder) throws IOException {
    FileChannel channel = open(folder);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return new FolderLock(channel);
      }
    } catch (OverlappingFileLockException thisProcess) {
      // Said below.
    }
    channel.close();
    throw new IOException("data folder " + folder + " is in use by another coordinator");
  }

  private static FileChannel open(Path folder) throws IOException {
    try {
      Files.createDirectories(folder);
      return FileChannel.open(
          folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (FileSystemException refused) {
      throw new IOException(
          "data folder " + folder + " cannot be written to: " + reason(refused), refused);
    }
  }

  private static String reason(FileSystemException refused) {
    if (refused instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (refused instanceof FileAlreadyExistsException) {
      return refused.getFile() + " is a file, not a folder";
    }
    return refused.getReason() == null ? refused.toString() : refused.getReason();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
