package dev.weir.sim.report;

import dev.weir.core.quota.Region;
import dev.weir.sim.live.Timeline;
import dev.weir.sim.live.Timeline.Count;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * How evenly, and how promptly, what there was came to whom wanted it: read off the slots of a
 * timeline, and so no finer than these.
 */
final class Sharing {
  /** So much of what could be admitted counts as all of it. */
  private static final double REACHED = 0.95;

  private Sharing() {}

  /**
   * Returns Jain's index of what regions of equal weight got that wanted more at the same time: 1
   * where all got the same. It is worked out slot by slot among the regions that asked for more
   * than an even part of what these regions were admitted together, the small wants of others met,
   * and averaged by the tokens they got; empty where there never were two.
   */
  static OptionalDouble jain(Run run) {
    Timeline timeline = run.outcome().timeline();
    Map<Integer, List<String>> byWeight =
        run.regions().stream()
            .filter(region -> timeline.regions().contains(region.name()))
            .collect(
                Collectors.groupingBy(
                    Region::weight, Collectors.mapping(Region::name, Collectors.toList())));
    double weighted = 0;
    double weights = 0;
    for (int slot = 0; slot < timeline.slots(); slot++) {
      for (List<String> equals : byWeight.values()) {
        long[] got = gotOfThoseThatWantMore(timeline, equals, slot);
        double sum = 0;
        double squares = 0;
        for (long each : got) {
          sum += each;
          squares += (double) each * each;
        }
        if (got.length > 1 && sum > 0) {
          weighted += sum * (sum * sum / (got.length * squares));
          weights += sum;
        }
      }
    }
    return weights == 0 ? OptionalDouble.empty() : OptionalDouble.of(weighted / weights);
  }

  private static long[] gotOfThoseThatWantMore(Timeline timeline, List<String> equals, int slot) {
    List<String> rising = new ArrayList<>(equals);
    rising.sort(Comparator.comparingLong(each -> timeline.tokens(each, Count.ASKED, slot)));
    long left =
        equals.stream().mapToLong(each -> timeline.tokens(each, Count.ADMITTED, slot)).sum();
    int first = 0;
    while (first < rising.size()) {
      long asked = timeline.tokens(rising.get(first), Count.ASKED, slot);
      if (asked * (rising.size() - first) > left) {
        break;
      }
      left -= asked;
      first++;
    }
    return rising.subList(first, rising.size()).stream()
        .mapToLong(each -> timeline.tokens(each, Count.ADMITTED, slot))
        .toArray();
  }

  /**
   * Returns the longest time, in nanoseconds, for which the quota was not to be had where it was
   * wanted: of slots in a row in which the central bucket was refusing and the regions admitted
   * less than 95 % of what it did, floors that their regions left unused set aside.
   */
  static long convergenceNanos(Run run) {
    Timeline timeline = run.outcome().timeline();
    long longest = 0;
    long slots = 0;
    for (int slot = 0; slot < timeline.slots(); slot++) {
      slots = isBehind(run, slot) ? slots + 1 : 0;
      longest = Math.max(longest, slots);
    }
    return longest * timeline.slotNanos();
  }

  private static boolean isBehind(Run run, int slot) {
    Timeline timeline = run.outcome().timeline();
    double reachable =
        Figures.tokens(timeline, Count.ORACLE_ADMITTED, slot) - Figures.unusedFloors(run, slot);
    return Figures.isContended(timeline, slot)
        && Figures.tokens(timeline, Count.ADMITTED, slot) < REACHED * reachable;
  }
}
