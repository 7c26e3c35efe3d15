package dev.weir.sim.replay;

import dev.weir.core.quota.Region;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Jain's index of what regions of equal weight were admitted that wanted more at the same time: 1
 * where all got the same. It is worked out bucket by bucket and slot by slot among the regions that
 * asked for more than an even part of what these regions were admitted together, the small wants of
 * others met, and averaged by the tokens they got.
 */
final class Fairness {
  private final List<String> names;
  private List<int[]> equals = List.of();
  private double weighted;
  private double weights;

  Fairness(List<String> names, List<Region> regions) {
    this.names = names;
    regions(regions);
  }

  /** Other regions, or other weights, from now on. */
  void regions(List<Region> regions) {
    Map<Integer, List<Integer>> byWeight = new TreeMap<>();
    for (Region region : regions) {
      byWeight
          .computeIfAbsent(region.weight(), weight -> new ArrayList<>())
          .add(names.indexOf(region.name()));
    }
    equals =
        byWeight.values().stream()
            .filter(of -> of.size() > 1)
            .map(of -> of.stream().mapToInt(Integer::intValue).toArray())
            .toList();
  }

  /** Takes in a slot of a bucket of which the oracle refused something. */
  void add(BucketTally slot) {
    for (int[] of : equals) {
      add(of, slot);
    }
  }

  private void add(int[] of, BucketTally slot) {
    List<Integer> rising = new ArrayList<>();
    long left = 0;
    for (int region : of) {
      rising.add(region);
      left += slot.admittedMicros[region];
    }
    rising.sort(Comparator.comparingLong(region -> slot.askedMicros[region]));
    int first = 0;
    while (first < rising.size()
        && (double) slot.askedMicros[rising.get(first)] * (rising.size() - first) <= left) {
      left -= slot.askedMicros[rising.get(first)];
      first++;
    }
    int many = rising.size() - first;
    double sum = 0;
    double squares = 0;
    for (int region : rising.subList(first, rising.size())) {
      double got = slot.admittedMicros[region];
      sum += got;
      squares += got * got;
    }
    if (many > 1 && sum > 0) {
      weighted += sum * (sum * sum / (many * squares));
      weights += sum;
    }
  }

  /** The mean; 1 where no two regions wanted more at once. */
  double jain() {
    return weights == 0 ? 1 : weighted / weights;
  }
}
