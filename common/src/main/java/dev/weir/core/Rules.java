package dev.weir.core;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which clauses of the safety rules are in force. Immutable.
 *
 * @param off the clauses switched off; empty outside tests and simulations
 */
public record Rules(Set<Clause> off) {
  /** Every clause is in force. */
  public static final Rules ALL = new Rules(Set.of());

  public Rules {
    off = Set.copyOf(off);
  }

  /** All clauses but these. */
  public static Rules without(Clause... clauses) {
    return new Rules(Set.of(clauses));
  }

  /** All clauses but those of one rule of the design, such as {@code S5}. */
  public static Rules withoutRule(String rule) {
    return new Rules(
        Arrays.stream(Clause.values())
            .filter(clause -> clause.rule().equals(rule))
            .collect(Collectors.toSet()));
  }

  /** Whether the clause is in force. */
  public boolean on(Clause clause) {
    return !off.contains(clause);
  }
}
