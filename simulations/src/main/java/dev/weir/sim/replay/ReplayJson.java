package dev.weir.sim.replay;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.sim.replay.ReplayResult.Event;
import dev.weir.sim.replay.ReplayResult.Latency;
import dev.weir.sim.replay.ReplayResult.QuotaResult;
import dev.weir.sim.replay.ReplayResult.RegionResult;
import dev.weir.sim.replay.ReplayResult.ShiftResult;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A result as JSON, under the names all simulations share. It holds nothing that plan and seed do
 * not decide, no real time above all: the same command gives the same bytes on every machine.
 */
public final class ReplayJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final double MICROS = 1e6;
  private static final double MILLIS = 1e6;
  private static final double SECONDS = 1e9;

  private ReplayJson() {}

  /**
   * The text, ended by a newline.
   *
   * @param missed expectations that were not met
   */
  public static String text(ReplayResult result, List<String> missed) throws IOException {
    // The printer would use the line separator of the machine.
    return JSON.writeValueAsString(of(result, missed)).replace("\r\n", "\n") + "\n";
  }

  private static ObjectNode of(ReplayResult result, List<String> missed) {
    ObjectNode json = JSON.createObjectNode();
    json.put("name", result.name());
    json.put("strategy", result.strategy());
    json.put("seed", result.seed());
    json.put("lengthSeconds", result.lengthNanos() / SECONDS);
    put(json, result.total());
    json.put("utilisation", rounded(result.total().utilisation()));
    json.put("quietFloorTokens", result.quietFloorMicros() / MICROS);
    json.put("utilisationLessQuietFloors", rounded(result.utilisationLessQuietFloors()));
    json.put("overshootTokens", result.overshootMicros() / MICROS);
    json.put("boundTokens", result.boundMicros() / MICROS);
    json.put("boundHeld", result.boundHeld());
    putMillis(json, "convergenceMs", result.convergenceNanos());
    json.put("jain", rounded(result.jain()));
    json.put("syncMessages", result.messages());
    latency(json.putObject("latencyMs"), result.latency());
    ArrayNode met = json.putArray("missed");
    missed.forEach(met::add);
    ObjectNode quotas = json.putObject("quotas");
    for (QuotaResult quota : result.quotas()) {
      quota(quotas.putObject(quota.name()), quota);
    }
    ArrayNode shifts = json.putArray("shifts");
    for (ShiftResult shift : result.shifts()) {
      ObjectNode each = shifts.addObject();
      each.put("atSeconds", shift.atNanos() / SECONDS);
      each.put("from", shift.from());
      each.put("to", shift.to());
      putMillis(each, "convergenceMs", shift.convergenceNanos());
    }
    ArrayNode events = json.putArray("events");
    for (Event event : result.events()) {
      ObjectNode each = events.addObject();
      each.put("atSeconds", event.atNanos() / SECONDS);
      each.put("what", event.text());
    }
    series(json, result);
    return json;
  }

  private static void series(ObjectNode json, ReplayResult result) {
    json.put("slotSeconds", result.slotNanos() / SECONDS);
    json.put("watched", result.watched());
    ObjectNode regions = json.putObject("regions");
    for (RegionResult region : result.regions()) {
      ObjectNode each = regions.putObject(region.name());
      each.put("weight", region.weight());
      put(each, region.counts());
      put(each, "askedPerSlot", region.asked());
      put(each, "admittedPerSlot", region.admitted());
      put(each, "oraclePerSlot", region.oracle());
      put(each, "heldPerSecond", region.heldPerSecond());
    }
    put(json, "poolPerSecond", result.poolPerSecond());
    put(json, "level", result.level());
  }

  private static void put(ObjectNode json, Counts counts) {
    json.put("asked", counts.asked());
    json.put("admitted", counts.admitted());
    json.put("refused", counts.refused());
    json.put("unserved", counts.unserved());
    json.put("oracleAdmitted", counts.oracleAdmitted());
    json.put("falseRefusals", counts.falseRefusals());
    json.put("askedTokens", counts.askedMicros() / MICROS);
    json.put("admittedTokens", counts.admittedMicros() / MICROS);
    json.put("refusedTokens", counts.refusedMicros() / MICROS);
    json.put("unservedTokens", counts.unservedMicros() / MICROS);
    json.put("oracleAdmittedTokens", counts.oracleAdmittedMicros() / MICROS);
    json.put("falseRefusedTokens", counts.falseRefusedMicros() / MICROS);
  }

  private static void quota(ObjectNode json, QuotaResult quota) {
    json.put("buckets", quota.buckets());
    json.put("admittedTokens", quota.admittedMicros() / MICROS);
    json.put("boundTokens", quota.boundMicros() / MICROS);
    json.put("overshootTokens", quota.overshootMicros() / MICROS);
    if (quota.overshootMicros() > 0) {
      json.put("worstAtSeconds", quota.worstAtNanos() / SECONDS);
    }
    json.put("level", rounded(quota.level()));
  }

  private static void latency(ObjectNode json, Latency latency) {
    json.put("mean", rounded(latency.meanNanos() / MILLIS));
    json.put("p50", latency.p50Nanos() / MILLIS);
    json.put("p99", latency.p99Nanos() / MILLIS);
    json.put("p999", latency.p999Nanos() / MILLIS);
    json.put("max", latency.maxNanos() / MILLIS);
  }

  private static void putMillis(ObjectNode json, String name, OptionalDouble nanos) {
    if (nanos.isPresent()) {
      json.put(name, nanos.getAsDouble() / MILLIS);
    } else {
      json.putNull(name);
    }
  }

  private static void put(ObjectNode json, String name, Series series) {
    ArrayNode values = json.putArray(name);
    for (int slot = 0; slot < series.slots(); slot++) {
      double value = series.at(slot);
      if (Double.isNaN(value)) {
        values.addNull();
      } else {
        values.add(rounded(value));
      }
    }
  }

  /** Six decimals: nobody wants more. */
  private static double rounded(double value) {
    return Math.rint(value * 1e6) / 1e6;
  }
}
