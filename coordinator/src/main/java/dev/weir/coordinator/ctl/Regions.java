package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code weir ctl regions}: the regions, their agents and who holds their floors. */
@Command(
    name = "regions",
    description = "Lists the regions: their weights, their agents, and who holds their floors.")
final class Regions implements Callable<Integer> {
  private final Ctl ctl;

  Regions(Ctl ctl) {
    this.ctl = ctl;
  }

  @Override
  public Integer call() throws CtlException, InterruptedException {
    JsonNode answer = ctl.coordinator().get("/v1/regions");
    if (ctl.isForPeople()) {
      Table table = table(answer.path("regions"));
      ctl.print(table.isEmpty() ? "no regions: weir ctl apply FILE\n" : table.toString());
    } else {
      ctl.print(answer);
    }
    return 0;
  }

  private static Table table(JsonNode regions) {
    Table table =
        new Table()
            .left("REGION")
            .left("WEIGHT")
            .left("LEASES")
            .left("AGENT")
            .right("HEARD")
            .left("FLOORS HELD BY");
    for (JsonNode region : regions) {
      JsonNode newest = region.path("agents").path(0);
      JsonNode floor = region.path("floor");
      table.row(
          Json.string(region, "region"),
          weights(region.path("weights")),
          region.path("drained").asBoolean() ? "drained" : "given",
          newest.isObject()
              ? "run " + newest.path("boot").asText() + ", " + Agents.state(newest)
              : "",
          Agents.ago(newest.path("heardMsAgo")),
          holder(floor));
    }
    return table;
  }

  /** After lost data somebody may hold the floors, and nobody knows who. */
  private static String holder(JsonNode floor) {
    if (!floor.path("held").asBoolean()) {
      return "nobody";
    }
    return floor.path("boot").asLong() < 0 ? "a run unknown" : "run " + floor.path("boot").asText();
  }

  /** Returns the weight, by domain where there are several. */
  private static String weights(JsonNode weights) {
    List<String> texts = new ArrayList<>();
    weights
        .properties()
        .forEach(
            weight ->
                texts.add(
                    (weights.size() == 1 ? "" : weight.getKey() + " ")
                        + weight.getValue().asText()));
    return String.join(", ", texts);
  }
}
