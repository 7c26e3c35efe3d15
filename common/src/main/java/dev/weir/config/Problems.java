package dev.weir.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was found while reading: what is wrong, and what is merely worth a warning. */
final class Problems {
  /** Within a file by place; files stay in the order they were read. */
  private static final Comparator<ConfigProblem> BY_PLACE =
      Comparator.comparingInt(ConfigProblem::line).thenComparingInt(ConfigProblem::column);

  private final List<ConfigProblem> errors = new ArrayList<>();
  private final List<ConfigProblem> warnings = new ArrayList<>();

  void error(Place place, String message) {
    error(place, message, null);
  }

  void error(Place place, String message, @Nullable String suggestion) {
    errors.add(ConfigProblem.at(place, message, suggestion));
  }

  void warning(Place place, String message) {
    warnings.add(ConfigProblem.at(place, message, null));
  }

  /** How many errors so far: unchanged after a part that could be read. */
  int count() {
    return errors.size();
  }

  List<ConfigProblem> errors() {
    return inOrder(errors);
  }

  List<ConfigProblem> warnings() {
    return inOrder(warnings);
  }

  void throwIfAny() {
    if (!errors.isEmpty()) {
      throw new ConfigException(errors());
    }
  }

  private static List<ConfigProblem> inOrder(List<ConfigProblem> found) {
    List<String> files = found.stream().map(ConfigProblem::file).distinct().toList();
    return found.stream()
        .sorted(
            Comparator.comparingInt((ConfigProblem problem) -> files.indexOf(problem.file()))
                .thenComparing(BY_PLACE))
        .toList();
  }
}
