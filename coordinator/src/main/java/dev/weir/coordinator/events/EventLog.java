package dev.weir.coordinator.events;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The newest {@value #KEPT} events. Any thread. */
public final class EventLog {
  /** So many are kept. */
  public static final int KEPT = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);
  private static final long IDS_PER_MILLI = 1000;

  private final Clock clock;
  private final Deque<Event> events = new ArrayDeque<>();
  private final List<Consumer<Event>> listeners = new CopyOnWriteArrayList<>();
  private long lastId;

  /**
   * A log without events.
   *
   * @param clock dates events, and numbers them so that the next run's numbers are larger
   */
  public EventLog(Clock clock) {
    this.clock = clock;
    this.lastId = clock.millis() * IDS_PER_MILLI;
  }

  /** Notes an event; it also goes to the process's log. */
  public void note(Event.Kind kind, String message, Map<String, Object> details) {
    Event event;
    synchronized (events) {
      lastId++;
      event = new Event(lastId, clock.instant(), kind, message, details);
      events.addLast(event);
      if (events.size() > KEPT) {
        events.removeFirst();
      }
      // Told in order, and a listener added meanwhile has seen the event in its list.
      listeners.forEach(listener -> listener.accept(event));
    }
    switch (kind) {
      case LEASE_MOVED -> LOG.debug("{}", message);
      case WARNING,
          FILES_REFUSED,
          DISK_PROBLEM,
          UNKNOWN_REGION,
          AGENT_LOST,
          AGENT_FENCED,
          AGENT_REFUSED,
          FLOOR_WITHHELD ->
          LOG.warn("{}", message);
      default -> LOG.info("{}", message);
    }
  }

  /** The events after the one of that number, oldest first. */
  public List<Event> since(long id) {
    synchronized (events) {
      return events.stream().filter(event -> event.id() > id).toList();
    }
  }

  /**
   * Hands over the events after the one of that number and then each new one.
   *
   * @param listener must not wait
   * @return ends it
   */
  public Runnable follow(long id, Consumer<Event> listener) {
    synchronized (events) {
      new ArrayList<>(since(id)).forEach(listener);
      listeners.add(listener);
    }
    return () -> listeners.remove(listener);
  }
}
