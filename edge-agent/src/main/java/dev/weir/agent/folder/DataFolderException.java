package dev.weir.agent.folder;

import java.io.IOException;

/** The data folder cannot be used; the message says why and can be shown to an operator. */
public final class DataFolderException extends IOException {
  DataFolderException(String message) {
    super(message);
  }

  DataFolderException(String message, Throwable cause) {
    super(message, cause);
  }
}
