package dev.weir.core.bucket;

/**
 * How a bucket gets from one {@link Terms} to the next: at which instant, and what it brings along.
 * A pure function of the word it meets, so that any thread may carry it out.
 */
final class Arrival {
  /** The terms it leaves. */
  final Terms from;

  /** When the new terms begin; not before those it leaves did. */
  final long atNanos;

  /** Tokens that come along, already cut to the room there was. */
  private final long addMicros;

  /** What the thread that carried it out cut off; 0 until it has said so. */
  volatile long cutMicros;

  Arrival(Terms from, long atNanos, long addMicros) {
    this.from = from;
    this.atNanos = atNanos;
    this.addMicros = addMicros;
  }

  /** The word under {@code to} that stands for what {@code word} did under the old terms. */
  long enter(Terms to, long word) {
    long kept = Math.min(levelMicros(word), to.burstMicros);
    long level = kept + Math.min(addMicros, to.burstMicros - kept);
    return to.wordAt(level, atNanos);
  }

  /** What does not fit into the new burst. */
  long cut(Terms to, long word) {
    return Math.max(0, levelMicros(word) - to.burstMicros);
  }

  /**
   * Negative where a thread whose clock was ahead has taken more than was made until {@code
   * atNanos}: that is paid back first.
   */
  private long levelMicros(long word) {
    return from.levelMicros(word, atNanos);
  }
}
