package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code weir ctl agents}: which agents the coordinator hears. */
@Command(name = "agents", description = "Lists the agents heard lately, and how each is.")
final class Agents implements Callable<Integer> {
  private final Ctl ctl;

  Agents(Ctl ctl) {
    this.ctl = ctl;
  }

  @Override
  public Integer call() throws CtlException, InterruptedException {
    JsonNode answer = ctl.coordinator().get("/v1/agents");
    if (ctl.isForPeople()) {
      Table table = table(answer.path("agents"));
      ctl.print(table.isEmpty() ? "no agent was heard\n" : table + details(answer.path("agents")));
    } else {
      ctl.print(answer);
    }
    return 0;
  }

  private static Table table(JsonNode agents) {
    Table table =
        new Table()
            .left("REGION")
            .right("RUN")
            .left("STATE")
            .right("HEARD")
            .left("ADDRESS")
            .right("BUCKETS")
            .right("GENERATION");
    for (JsonNode agent : agents) {
      table.row(
          Json.string(agent, "region"),
          Shown.exactly(agent.path("boot")),
          state(agent),
          ago(agent.path("heardMsAgo")),
          Json.string(agent, "address"),
          Shown.exactly(agent.path("buckets")),
          Shown.exactly(agent.path("generation")));
    }
    return table;
  }

  /** Returns what there is to do about agents that are there, a paragraph each. */
  private static String details(JsonNode agents) {
    StringBuilder text = new StringBuilder();
    for (JsonNode agent : agents) {
      String detail = Json.string(agent, "detail");
      if (!detail.isEmpty() && List.of("alive", "refused").contains(Json.string(agent, "state"))) {
        text.append('\n').append(Table.printable(name(agent) + ": " + detail)).append('\n');
      }
    }
    return text.toString();
  }

  /** Returns how an agent is, and what it was told where that is not simply to go on. */
  static String state(JsonNode agent) {
    String state = Json.string(agent, "state");
    String status = Json.string(agent, "status");
    return status.isEmpty() || status.equals("ok") ? state : state + ", " + status;
  }

  /** Returns the name of an agent's run, {@code eu-west run 3}. */
  static String name(JsonNode agent) {
    return Json.string(agent, "region") + " run " + Shown.exactly(agent.path("boot"));
  }

  static String ago(JsonNode millis) {
    String time = Shown.millis(millis);
    return time.isEmpty() ? "" : time + " ago";
  }
}
