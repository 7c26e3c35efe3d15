package dev.weir.coordinator.events;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;

/**
 * Something an operator may want to know.
 *
 * @param id grows with every event, also from one run to the next
 * @param time when it happened, by the wall clock
 * @param kind what it is
 * @param message one sentence
 * @param details names and numbers in it
 */
public record Event(long id, Instant time, Kind kind, String message, Map<String, Object> details) {
  public Event {
    details = Map.copyOf(details);
  }

  /** What can happen. */
  public enum Kind {
    /** This run began. */
    STARTED,
    /** A change of quotas is in force. */
    QUOTAS_CHANGED,
    /** Quota files are not good; the last good ones stay in force. */
    FILES_REFUSED,
    /** Quota files are good again. */
    FILES_ACCEPTED,
    /** Ledgers only confirm what agents declare (S9). */
    LEARNING_BEGAN,
    /** They grant again. */
    LEARNING_ENDED,
    /** A large part of a bucket changed hands. */
    LEASE_MOVED,
    /** An agent was heard for the first time, or again. */
    AGENT_FOUND,
    /** An agent was not heard for some time. */
    AGENT_LOST,
    /** An agent said goodbye. */
    AGENT_LEFT,
    /** An agent was told to stop: a newer run of its region was seen. */
    AGENT_FENCED,
    /** An agent asked that belongs to another cluster. */
    AGENT_REFUSED,
    /** An agent asked whose region is not configured. */
    UNKNOWN_REGION,
    /** A run was given its region's floors. */
    FLOOR_GIVEN,
    /** A run has no floors, since another may still use them. */
    FLOOR_WITHHELD,
    /** A region's floors were given back, or taken by an operator's word. */
    FLOOR_RELEASED,
    /** A region gives its leases back. */
    REGION_DRAINED,
    /** A region takes part again. */
    REGION_UNDRAINED,
    /** A ledger saw what should not be. */
    WARNING,
    /** The data folder cannot be written to. */
    DISK_PROBLEM;

    /** As it is written outside: {@code lease-moved}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
