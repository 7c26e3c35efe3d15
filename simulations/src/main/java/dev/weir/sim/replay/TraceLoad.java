package dev.weir.sim.replay;

import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.Tokens;
import dev.weir.sim.trace.Arrival;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A trace's requests: an open loop. */
public final class TraceLoad implements Load {
  private final Iterator<Arrival> arrivals;
  private final QuotaBook book;
  private final String domain;
  private final String keyName;
  private final Map<String, Subject> subjects = new HashMap<>();
  private final Map<Descriptors, Subject> described = new HashMap<>();
  private @Nullable Arrival next;

  /**
   * The requests of some arrivals.
   *
   * @param keyName the descriptor that carries an arrival's key, where the key is all that is known
   */
  public TraceLoad(Iterator<Arrival> arrivals, QuotaBook book, String keyName) {
    this.arrivals = arrivals;
    this.book = book;
    this.domain = book.domains().keySet().iterator().next();
    this.keyName = keyName;
    advance();
  }

  private void advance() {
    next = arrivals.hasNext() ? arrivals.next() : null;
  }

  @Override
  public long nextNanos() {
    Arrival due = next;
    return due == null ? NEVER : due.atNanos();
  }

  @Override
  public Request take() {
    Arrival due = next;
    if (due == null) {
      throw new IllegalStateException("the trace is over");
    }
    advance();
    return new Request(due.atNanos(), due.region(), subject(due), Tokens.micros(due.cost()));
  }

  private Subject subject(Arrival arrival) {
    Descriptors descriptors = arrival.descriptors();
    if (descriptors.equals(Descriptors.NONE)) {
      return subjects.computeIfAbsent(
          arrival.key(), key -> Subject.of(book, domain, key, Descriptors.of(keyName, key)));
    }
    return described.computeIfAbsent(
        descriptors, its -> Subject.of(book, domain, arrival.key(), its));
  }
}
