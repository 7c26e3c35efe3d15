package dev.weir.agent;

import dev.weir.core.bucket.HotBucket;
import dev.weir.core.bucket.SharedTerms;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The bucket of one key, and what the process around it must remember of it. */
final class KeyBucket extends HotBucket {
  private static final VarHandle WANTED;

  static {
    try {
      WANTED = MethodHandles.lookup().findVarHandle(KeyBucket.class, "wanted", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What tells it apart from the others of its quota: see {@link QuotaKeys#bucket}. */
  final String name;

  /** Whether the coordinator only confirms at the moment (S9); written by the sync thread. */
  volatile boolean learning;

  private volatile boolean wanted;
  private volatile boolean everWanted;
  private volatile long wantedAtNanos;

  /** A bucket that nobody has touched since its floor began. */
  KeyBucket(String name, SharedTerms terms) {
    super(terms);
    this.name = name;
  }

  /** A bucket that holds so much. */
  KeyBucket(String name, SharedTerms terms, long levelMicros, long nowNanos) {
    super(terms, levelMicros, nowNanos);
    this.name = name;
  }

  /** Returns true to the first who asks since {@link #taken}. */
  boolean isFirstToWant(long nowNanos) {
    if (wanted || !WANTED.compareAndSet(this, false, true)) {
      return false;
    }
    wantedAtNanos = nowNanos;
    everWanted = true;
    return true;
  }

  /** Whether the coordinator was told of it, or is to be, within so long. */
  boolean wasWantedWithin(long lengthNanos, long nowNanos) {
    return everWanted && nowNanos - wantedAtNanos < lengthNanos;
  }

  /** The sync thread looks at it now: from here on it may be wanted again. */
  void taken() {
    wanted = false;
  }
}
