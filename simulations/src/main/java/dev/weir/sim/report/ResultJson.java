package dev.weir.sim.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.sim.judge.QuotaVerdict;
import dev.weir.sim.live.Timeline;
import dev.weir.sim.live.Timeline.Count;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;

/** The numbers of a replay as JSON, under the names all simulations share. */
public final class ResultJson {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ResultJson() {}

  /** Writes the numbers to a file. */
  public static void write(Run run, Path file) throws IOException {
    Files.writeString(file, JSON.writeValueAsString(of(run)) + "\n");
  }

  static ObjectNode of(Run run) {
    Figures figures = Figures.of(run);
    ObjectNode json = JSON.createObjectNode();
    json.put("trace", run.trace().name());
    json.put("speed", run.pace().speed());
    json.put("scale", run.pace().scale());
    json.put("seed", run.seed());
    json.put("seconds", run.outcome().lengthNanos() / 1e9);
    json.put("asked", figures.asked());
    json.put("admitted", figures.admitted());
    json.put("refused", figures.refused());
    json.put("unanswered", figures.unanswered());
    json.put("oracleAdmitted", figures.oracleAdmitted());
    json.put("utilisation", figures.utilisation());
    json.put("utilisationLessQuietFloors", figures.utilisationLessQuietFloors());
    json.put("quietFloorTokens", figures.quietFloors());
    json.put("falseRefusals", figures.falseRefusals());
    json.put("overshootTokens", figures.overshoot());
    json.put("boundTokens", figures.bound());
    json.put("boundHeld", figures.boundHeld());
    json.put("convergenceMs", Sharing.convergenceNanos(run) / 1_000_000);
    OptionalDouble jain = Sharing.jain(run);
    json.put("jain", jain.isPresent() ? (Double) jain.getAsDouble() : null);
    json.put("syncMessages", run.syncMessages());
    Timeline timeline = run.outcome().timeline();
    ObjectNode regions = json.putObject("regions");
    for (String region : timeline.regions()) {
      ObjectNode of = regions.putObject(region);
      of.put("asked", timeline.total(region, Count.ASKED));
      of.put("admitted", timeline.total(region, Count.ADMITTED));
      of.put("refused", timeline.total(region, Count.REFUSED));
      of.put("oracleAdmitted", timeline.total(region, Count.ORACLE_ADMITTED));
    }
    ObjectNode quotas = json.putObject("quotas");
    for (QuotaVerdict verdict : run.verdicts()) {
      ObjectNode of = quotas.putObject(verdict.quota().id().name());
      of.put("admitted", verdict.admittedMicros() / 1e6);
      of.put("buckets", verdict.buckets());
      of.put("overshootTokens", verdict.worst().overshootMicros() / 1e6);
      of.put("tightestBucket", verdict.tightest());
      of.put("tightestWindowSeconds", verdict.worst().lengthNanos() / 1e9);
      of.put("tightestWindowRoomTokens", Math.max(0, -verdict.worst().excessMicros()) / 1e6);
    }
    return json;
  }
}
