package dev.weir.config;

import java.util.List;
import java.util.stream.Collectors;

/** A text that cannot be used: everything that is wrong with it, at once. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<ConfigProblem> problems;

  ConfigException(List<ConfigProblem> problems) {
    super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** Returns the problems, in the order of the text; at least one. */
  public List<ConfigProblem> problems() {
    return problems;
  }
}
