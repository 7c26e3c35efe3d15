package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.config.ConfigProblem;
import org.jspecify.annotations.Nullable;

/** A problem of a quota file, read here or by the coordinator. */
final class Problem {
  private Problem() {}

  /** Returns one line, as compilers write it. */
  static String line(ConfigProblem problem, String kind) {
    String place = place(problem.file(), problem.line(), problem.column());
    return place + kind + ": " + said(problem.message(), problem.suggestion());
  }

  /** Returns one line of what the coordinator says is wrong. */
  static String line(JsonNode problem) {
    if (problem.isTextual()) {
      return Table.printable(problem.asText());
    }
    String place =
        place(
            Json.string(problem, "file"),
            problem.path("line").asInt(0),
            problem.path("column").asInt(0));
    return place + said(Json.string(problem, "message"), Json.string(problem, "suggestion"));
  }

  static ObjectNode json(ConfigProblem problem) {
    ObjectNode json =
        Json.object()
            .put("file", problem.file())
            .put("line", problem.line())
            .put("column", problem.column())
            .put("message", problem.message());
    if (problem.suggestion() != null) {
      json.put("suggestion", problem.suggestion());
    }
    return json;
  }

  private static String place(String file, int line, int column) {
    String place = line == 0 ? file : file + ":" + line + ":" + column;
    return place.isEmpty() ? "" : Table.printable(place) + ": ";
  }

  private static String said(String message, @Nullable String suggestion) {
    return suggestion == null || suggestion.isEmpty()
        ? Table.printable(message)
        : Table.printable(message + " (did you mean \"" + suggestion + "\"?)");
  }
}
