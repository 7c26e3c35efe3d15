package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir ctl release-floor}: an operator's word that a region's agent is dead. */
@Command(
    name = "release-floor",
    description = {
      "Says that the agent of a region is dead, so that its floors may be another's. An agent that"
          + " is stopped properly gives its floors back by itself.",
      "This word is believed. If the agent is alive after all, and merely cut off, it goes on using"
          + " its floors, and more than the quota may be admitted."
    })
final class ReleaseFloor implements Callable<Integer> {
  /** An agent that is alive says something every second. */
  private static final Duration SILENCE = Duration.ofSeconds(3);

  private final Ctl ctl;

  @Option(
      names = "--force",
      description = "Say it even of an agent that the coordinator still hears.")
  private boolean force;

  @Parameters(paramLabel = "REGION")
  private String region = "";

  ReleaseFloor(Ctl ctl) {
    this.ctl = ctl;
  }

  @Override
  public Integer call() throws CtlException, InterruptedException {
    String path = RegionName.path(region) + "/release-floor";
    CoordinatorClient coordinator = ctl.coordinator();
    if (!force) {
      requireSilence(coordinator);
    }
    JsonNode answer = coordinator.post(path);
    if (ctl.isForPeople()) {
      ctl.print(report(answer));
    } else {
      ctl.print(answer);
    }
    return 0;
  }

  private void requireSilence(CoordinatorClient coordinator)
      throws CtlException, InterruptedException {
    JsonNode heard = heardLately(coordinator);
    if (heard == null) {
      return;
    }
    ctl.note(
        "weir ctl: "
            + Agents.name(heard)
            + " was heard "
            + Agents.ago(heard.path("heardMsAgo"))
            + "; waiting to see whether it is still there");
    ctl.pause(SILENCE);
    JsonNode still = heardLately(coordinator);
    if (still != null) {
      boolean refused = Json.string(still, "state").equals("refused");
      throw CtlException.refused(
          Agents.name(still)
              + (refused
                  ? " is alive, though refused here, it was heard "
                  : " is alive, it was heard ")
              + Agents.ago(still.path("heardMsAgo"))
              + (refused
                  ? ", and uses its floors: stop it, and say it again"
                  : ": stop it, and it gives its floors back by itself")
              + ". Nothing was changed");
    }
  }

  private @Nullable JsonNode heardLately(CoordinatorClient coordinator)
      throws CtlException, InterruptedException {
    for (JsonNode agent : coordinator.get("/v1/agents").path("agents")) {
      // One that is refused is none of this cluster's, and uses its floors all the same.
      boolean alive = List.of("alive", "refused").contains(Json.string(agent, "state"));
      boolean lately = agent.path("heardMsAgo").asLong() < SILENCE.toMillis();
      // One that waits for floors is not the one that is said to be dead.
      boolean holds = agent.path("floor").asBoolean(true);
      if (Json.string(agent, "region").equals(region) && alive && lately && holds) {
        return agent;
      }
    }
    return null;
  }

  private String report(JsonNode answer) {
    if (answer.has("released") && !answer.path("released").asBoolean()) {
      return "nobody held the floors of " + region + "\n";
    }
    return "the floors of " + region + " are free: its next agent is given them\n";
  }
}
