package dev.weir.sim.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.sim.replay.ReplayResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Several ways of limiting, side by side under one load. */
final class CompareTable {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final List<String> HEAD =
      List.of(
          "way", "used", "less floors", "false", "over", "95 % after", "Jain", "msg/s", "wait p50");

  private CompareTable() {}

  /** As a terminal shows it, its lines ended by newlines. */
  static String text(List<ReplayResult> results) {
    StringBuilder text = new StringBuilder(results.get(0).name()).append('\n');
    List<List<String>> rows = rows(results);
    int[] widths = new int[HEAD.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        String form = i == 0 ? "%-" + widths[0] + "s" : "  %" + widths[i] + "s";
        text.append(String.format(Locale.ROOT, form, row.get(i)));
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** The same as a Markdown table. */
  static String markdown(List<ReplayResult> results) {
    StringBuilder text = new StringBuilder("**" + results.get(0).name() + "**\n\n");
    List<List<String>> rows = rows(results);
    for (int i = 0; i < rows.size(); i++) {
      text.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
      if (i == 0) {
        text.append("|---".repeat(HEAD.size())).append("|\n");
      }
    }
    return text.toString();
  }

  private static List<List<String>> rows(List<ReplayResult> results) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEAD);
    for (ReplayResult result : results) {
      rows.add(
          List.of(
              result.strategy(),
              form("%.2f %%", 100 * result.total().utilisation()),
              form("%.2f %%", 100 * result.utilisationLessQuietFloors()),
              form("%.3f %%", 100 * result.total().falseRefusalPart()),
              result.boundHeld() ? "0" : form("%,.0f", result.overshootMicros() / 1e6),
              converged(result),
              form("%.4f", result.jain()),
              form("%,.1f", perSecond(result)),
              form("%.0f ms", result.latency().p50Nanos() / 1e6)));
    }
    return rows;
  }

  private static String converged(ReplayResult result) {
    if (result.shifts().isEmpty()) {
      return "-";
    }
    OptionalDouble nanos = result.convergenceNanos();
    return nanos.isPresent() ? form("%.0f ms", nanos.getAsDouble() / 1e6) : "never";
  }

  private static double perSecond(ReplayResult result) {
    return result.messages() / (result.lengthNanos() / 1e9);
  }

  private static String form(String form, double value) {
    return String.format(Locale.ROOT, form, value);
  }

  /** The same numbers as JSON, ended by a newline. */
  static String json(List<List<ReplayResult>> all) throws IOException {
    ArrayNode json = JSON.createArrayNode();
    for (List<ReplayResult> results : all) {
      for (ReplayResult result : results) {
        ObjectNode each = json.addObject();
        each.put("name", result.name());
        each.put("strategy", result.strategy());
        each.put("seed", result.seed());
        each.put("admitted", result.total().admitted());
        each.put("refused", result.total().refused());
        each.put("oracleAdmitted", result.total().oracleAdmitted());
        each.put("utilisation", result.total().utilisation());
        each.put("utilisationLessQuietFloors", result.utilisationLessQuietFloors());
        each.put("falseRefusals", result.total().falseRefusals());
        each.put("overshootTokens", result.overshootMicros() / 1e6);
        each.put("boundTokens", result.boundMicros() / 1e6);
        each.put("boundHeld", result.boundHeld());
        if (result.convergenceNanos().isPresent()) {
          each.put("convergenceMs", result.convergenceNanos().getAsDouble() / 1e6);
        } else {
          each.putNull("convergenceMs");
        }
        each.put("jain", result.jain());
        each.put("syncMessages", result.messages());
        each.put("waitMs", result.latency().p50Nanos() / 1e6);
      }
    }
    return JSON.writeValueAsString(json).replace("\r\n", "\n") + "\n";
  }
}
