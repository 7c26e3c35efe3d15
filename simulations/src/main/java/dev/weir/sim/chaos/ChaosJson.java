package dev.weir.sim.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.sim.fleet.Chaos.Outcome;
import dev.weir.sim.fleet.Chaos.Strike;
import dev.weir.sim.fleet.Sums;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What was found as JSON, under the names all simulations share. It holds nothing that seeds and
 * rules do not decide, no real time above all: the same command gives the same bytes.
 */
final class ChaosJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ChaosJson() {}

  static void write(ChaosResult result, Path file) throws IOException {
    Files.writeString(file, text(result));
  }

  static String text(ChaosResult result) throws IOException {
    // The printer would use the line separator of the machine.
    return JSON.writeValueAsString(of(result)).replace("\r\n", "\n") + "\n";
  }

  private static ObjectNode of(ChaosResult result) {
    Sums sums = result.run().sums();
    ObjectNode json = JSON.createObjectNode();
    json.put("seed", result.from());
    json.put("seeds", result.seeds());
    json.put("fleets", result.run().fleets());
    json.put("break", result.broken());
    json.put("held", result.held());
    json.put("boundHeld", sums.overshootMicros() == 0);
    json.put("overshootTokens", sums.overshootMicros() / 1e6);
    json.put("admitted", sums.admitted());
    json.put("refused", sums.refused());
    json.put("admittedTokens", sums.admittedMicros() / 1e6);
    json.put("refusedTokens", sums.refusedMicros() / 1e6);
    json.put("syncMessages", sums.syncMessages());
    json.put("simulatedSeconds", sums.simulatedNanos() / 1e9);
    json.put("fingerprint", String.format(Locale.ROOT, "%016x", sums.fingerprint()));
    ObjectNode faults = json.putObject("faults");
    result.run().faults().counts().forEach(faults::put);
    ArrayNode schedules = json.putArray("schedules");
    for (ChaosResult.Played played : result.schedules()) {
      ObjectNode of = schedules.addObject();
      of.put("clause", played.schedule().clause().name());
      of.put("name", played.schedule().name());
      of.put("held", played.held());
      of.put("overTokens", played.over());
    }
    Outcome failure = result.run().failure();
    Shrinking.Small small = result.small();
    if (failure != null && small != null) {
      ObjectNode of = json.putObject("failure");
      of.put("seed", failure.seed());
      of.put("overshootTokens", failure.sums().overshootMicros() / 1e6);
      failure.broken().forEach(of.putArray("broken")::add);
      of.put("strikes", failure.strikes().size());
      ObjectNode smallest = of.putObject("smallest");
      small.outcome().broken().forEach(smallest.putArray("broken")::add);
      ArrayNode strikes = smallest.putArray("strikes");
      for (Strike strike : small.strikes()) {
        ObjectNode each = strikes.addObject();
        each.put("atSeconds", strike.atNanos() / 1e9);
        each.put("fault", ChaosText.name(strike.fault()));
        each.put("region", strike.region());
      }
      ArrayNode ambient = smallest.putArray("ambient");
      small.ambient().forEach(fault -> ambient.add(ChaosText.name(fault)));
      small.regions().forEach(smallest.putArray("traffic")::add);
    }
    if (!result.held()) {
      json.put("repeat", result.repeat());
    }
    return json;
  }
}
