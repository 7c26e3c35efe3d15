package dev.weir.core.bucket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The charges of one bucket that may still be given back. Two counters that only grow: a charge
 * joins before its tokens are taken and is resolved after they are kept or given back, so that
 * {@code joined - resolved} is never below what is pending at any instant between reading {@code
 * resolved} and then {@code joined}.
 */
final class Pendings {
  private static final VarHandle JOINED;
  private static final VarHandle RESOLVED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      JOINED = lookup.findVarHandle(Pendings.class, "joined", long.class);
      RESOLVED = lookup.findVarHandle(Pendings.class, "resolved", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile long joined;
  private volatile long resolved;

  void join(long micros) {
    JOINED.getAndAdd(this, micros);
  }

  void resolve(long micros) {
    RESOLVED.getAndAdd(this, micros);
  }

  long joined() {
    return joined;
  }

  long resolved() {
    return resolved;
  }
}
