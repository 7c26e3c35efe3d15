package dev.weir.sim.trace;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Several shifts, one after the other: each moves what the ones before it have left, so that a
 * request can move twice.
 */
final class Shifts {
  private final Shift[] shifts;
  private final long[] seeds;

  /**
   * The shifts of a trace's requests.
   *
   * @throws IllegalArgumentException if one leaves a region that nobody asks in
   */
  Shifts(Trace trace, List<Shift> shifts, long seed) {
    this.shifts = shifts.toArray(new Shift[0]);
    this.seeds = new long[this.shifts.length];
    for (int i = 0; i < seeds.length; i++) {
      seeds[i] = Dice.mixed(seed + i + 1);
    }
    regions(trace, shifts);
  }

  /** The regions of the trace, and those that shifts add. */
  static List<String> regions(Trace trace, List<Shift> shifts) {
    Set<String> regions = new LinkedHashSet<>(trace.regions());
    for (Shift shift : shifts) {
      if (!regions.contains(shift.from())) {
        throw new IllegalArgumentException(
            "a shift leaves "
                + shift.from()
                + ", from where nobody asks; requests come from "
                + String.join(", ", regions));
      }
      regions.add(shift.to());
    }
    return new ArrayList<>(regions);
  }

  /** Where a request of this number is asked. */
  String region(String recorded, long number, long atNanos) {
    String region = recorded;
    for (int i = 0; i < shifts.length; i++) {
      Shift shift = shifts[i];
      if (region.equals(shift.from())
          && atNanos >= shift.atNanos()
          && Dice.unit(seeds[i], number) < shift.shareAt(atNanos)) {
        region = shift.to();
      }
    }
    return region;
  }
}
