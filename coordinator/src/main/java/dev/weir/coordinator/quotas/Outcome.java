package dev.weir.coordinator.quotas;

import dev.weir.config.ConfigProblem;
import java.util.List;

/** What came of a wish to change the quotas. */
public sealed interface Outcome {
  /**
   * It is in force, or would be.
   *
   * @param generation the newest generation, after the change
   * @param difference what changed, or would
   * @param warnings what is worth saying though it is not wrong
   */
  record Done(long generation, Difference difference, List<ConfigProblem> warnings)
      implements Outcome {
    public Done {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * What was sent cannot be a quota.
   *
   * @param problems everything wrong with it
   */
  record Invalid(List<ConfigProblem> problems) implements Outcome {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }

  /**
   * It does not fit what is there.
   *
   * @param why and what to do
   */
  record Conflict(String why) implements Outcome {}

  /**
   * The quota is not, or not any more, what the caller believes.
   *
   * @param generation in which it changed last; 0 where there is none of that name
   * @param why and what to do
   */
  record Stale(long generation, String why) implements Outcome {}

  /**
   * There is no such quota or domain.
   *
   * @param why and what to do
   */
  record Unknown(String why) implements Outcome {}

  /**
   * The change could not be stored, and is not in force.
   *
   * @param why what the disk says
   */
  record NotStored(String why) implements Outcome {}
}
