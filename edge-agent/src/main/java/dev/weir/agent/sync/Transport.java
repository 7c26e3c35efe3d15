package dev.weir.agent.sync;

import dev.weir.core.message.SyncRequest;
import java.util.function.Consumer;

/** Carries requests to one coordinator of several. Used by one thread. */
interface Transport {
  /**
   * Sends a request and returns at once. The reply comes once, on any thread; a request that takes
   * too long is given up by itself and its reply is a {@link Reply.Failed}.
   */
  void send(SyncRequest request, Consumer<Reply> onReply);

  /** Turns to the next coordinator of the list, after the last to the first. */
  void turn();

  /** Returns the address of the coordinator it has turned to. */
  String address();

  /** Stops; what is under way gets no reply. */
  void close();
}
