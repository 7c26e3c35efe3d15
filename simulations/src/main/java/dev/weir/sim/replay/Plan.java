package dev.weir.sim.replay;

import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.quota.QuotaBook;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;

/**
 * What is replayed, whatever limits it.
 *
 * @param name of the scenario or trace
 * @param book the quotas of one domain and its regions, at the beginning
 * @param links by region; a region without one has {@link LinkTerms#DEFAULT}
 * @param load the requests of a seed: the same every time
 * @param moments what else happens, in the order of time
 * @param lengthNanos for how long requests are asked
 * @param slotNanos length of a slot of the time series
 */
public record Plan(
    String name,
    QuotaBook book,
    LeaseTiming timing,
    Map<String, LinkTerms> links,
    LongFunction<Load> load,
    List<Moment> moments,
    long lengthNanos,
    long slotNanos) {
  private static final long SECOND_NANOS = 1_000_000_000;

  /** Most slots there are by default: what a screen can show. */
  private static final long SLOTS_MAX = 300;

  /**
   * When something happens.
   *
   * @param atNanos true time since the replay began
   */
  public record Moment(long atNanos, Incident incident) {}

  /**
   * A link between a region and the centre.
   *
   * @param roundTripNanos there and back, half of it each way
   * @param jitterNanos most that a message takes longer, each way
   * @param loss part of messages that are lost, each way, in {@code [0, 1]}
   */
  public record LinkTerms(long roundTripNanos, long jitterNanos, double loss) {
    /** 60 ms there and back, 2 ms more at most, and nothing lost. */
    public static final LinkTerms DEFAULT = new LinkTerms(60_000_000, 2_000_000, 0);
  }

  /** Sorts what happens; of one instant in the order given. */
  public Plan {
    if (book.domains().size() != 1) {
      throw new IllegalArgumentException("a replay has one domain: " + book.domains().keySet());
    }
    if (lengthNanos <= 0 || slotNanos <= 0) {
      throw new IllegalArgumentException("length and slot must be above 0");
    }
    links = Map.copyOf(links);
    moments = moments.stream().sorted(Comparator.comparingLong(Moment::atNanos)).toList();
  }

  /** The slot of a replay of this length: whole seconds, at most {@value #SLOTS_MAX} of them. */
  public static long slotNanos(long lengthNanos) {
    long seconds = (lengthNanos + SECOND_NANOS * SLOTS_MAX - 1) / (SECOND_NANOS * SLOTS_MAX);
    return Math.max(1, seconds) * SECOND_NANOS;
  }

  /** Every region there is at any time, by name. */
  public List<String> regions() {
    Set<String> names = new TreeSet<>();
    add(book, names);
    for (Moment moment : moments) {
      if (moment.incident() instanceof Incident.Quotas quotas) {
        add(quotas.book(), names);
      }
    }
    return List.copyOf(names);
  }

  private static void add(QuotaBook book, Set<String> names) {
    book.domains().values().forEach(d -> d.regions().forEach(region -> names.add(region.name())));
  }
}
