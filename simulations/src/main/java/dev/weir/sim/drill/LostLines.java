package dev.weir.sim.drill;

import dev.weir.core.quota.Tokens;
import dev.weir.sim.judge.Admitted;
import dev.weir.sim.live.Outcome;
import dev.weir.sim.live.Timeline;
import dev.weir.sim.live.Timeline.Count;
import java.util.ArrayList;
import java.util.List;

/**
 * What a killed agent had admitted and answered but not written down: the sender has seen more than
 * the audit file says, and what it saw last is what is missing.
 */
final class LostLines {
  private final Outcome outcome;
  private final String region;

  LostLines(Outcome outcome, String region) {
    this.outcome = outcome;
    this.region = region;
  }

  /**
   * The admissions that the file of one run lacks, at the instants they were asked for.
   *
   * @param written what the file says
   * @param fromNanos not before this run
   * @param killedNanos its end
   */
  List<Admitted> missing(List<Admitted> written, long fromNanos, long killedNanos) {
    Timeline timeline = outcome.timeline();
    int first = slot(fromNanos);
    int last = Math.min(slot(killedNanos), timeline.slots() - 1);
    long seen = 0;
    for (int slot = first; slot <= last; slot++) {
      seen += timeline.tokens(region, Count.ADMITTED, slot);
    }
    long lost = seen;
    for (Admitted each : written) {
      lost -= each.costMicros() / Tokens.MICROS_PER_TOKEN;
    }
    List<Admitted> missing = new ArrayList<>();
    for (int slot = last; slot >= first && lost > 0; slot--) {
      long here = Math.min(lost, timeline.tokens(region, Count.ADMITTED, slot));
      if (here > 0) {
        long atNanos = outcome.startNanos() + slot * timeline.slotNanos();
        missing.add(new Admitted(atNanos, Tokens.micros(here)));
        lost -= here;
      }
    }
    return missing;
  }

  private int slot(long nanos) {
    return (int) (Math.max(0, nanos - outcome.startNanos()) / outcome.timeline().slotNanos());
  }
}
