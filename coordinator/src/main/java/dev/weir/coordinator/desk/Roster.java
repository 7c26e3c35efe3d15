package dev.weir.coordinator.desk;

import dev.weir.coordinator.desk.AgentView.State;
import dev.weir.coordinator.events.Event;
import dev.weir.coordinator.events.EventLog;
import dev.weir.core.lease.Admission;
import dev.weir.core.lease.HolderId;
import dev.weir.core.message.SyncAnswer.Status;
import dev.weir.core.message.SyncRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who was heard when. It decides nothing: an agent that is lost here keeps what it holds until that
 * expires. Any thread.
 */
public final class Roster {
  private static final long LOST_NANOS = 5_000_000_000L;
  private static final long FORGOTTEN_NANOS = 3_600_000_000_000L;
  private static final int KEPT = 10_000;

  private final Map<HolderId, AgentView> agents = new ConcurrentHashMap<>();
  private final EventLog events;

  /** A roster without agents. */
  public Roster(EventLog events) {
    this.events = events;
  }

  /** Every agent heard within the last hour, by region, the newest run first. */
  public List<AgentView> agents() {
    return agents.values().stream()
        .sorted(
            Comparator.comparing(AgentView::region)
                .thenComparing(Comparator.comparingLong(AgentView::boot).reversed()))
        .toList();
  }

  void heard(SyncRequest request, Admission admission, String address, long nowNanos) {
    HolderId who = new HolderId(request.region(), request.boot());
    if (agents.size() >= KEPT && !agents.containsKey(who)) {
      return;
    }
    AgentView now =
        new AgentView(
            request.region(),
            request.boot(),
            address,
            request.seq(),
            request.generation(),
            request.floorVersion(),
            admission.floor() != null,
            request.buckets().size(),
            admission.status(),
            request.leaving() ? State.LEFT : State.ALIVE,
            nowNanos);
    tell(agents.put(who, now), now, admission);
  }

  private void tell(@Nullable AgentView before, AgentView now, Admission admission) {
    boolean otherStatus = before == null || before.status() != now.status();
    if (now.status() == Status.UNKNOWN_REGION && otherStatus) {
      note(Event.Kind.UNKNOWN_REGION, now, admission.detail());
    } else if (now.status() == Status.FENCED && otherStatus) {
      note(Event.Kind.AGENT_FENCED, now, named(now) + " must stop: " + admission.detail());
    } else if (now.state() == State.LEFT && (before == null || before.state() != State.LEFT)) {
      note(Event.Kind.AGENT_LEFT, now, named(now) + " left and gave back what it held");
    } else if (now.status() == Status.OK && (before == null || before.state() == State.LOST)) {
      note(Event.Kind.AGENT_FOUND, now, named(now) + " is heard at " + now.address());
    }
    if (now.holdsFloor() && (before == null || !before.holdsFloor())) {
      note(Event.Kind.FLOOR_GIVEN, now, named(now) + " holds the floors of its region");
    }
  }

  /** Notices who has fallen silent. */
  void lookAround(long nowNanos) {
    agents.forEach(
        (who, agent) -> {
          long silent = nowNanos - agent.heardAtNanos();
          if (silent > FORGOTTEN_NANOS) {
            agents.remove(who, agent);
          } else if (silent > LOST_NANOS
              && agent.state() == State.ALIVE
              && agents.replace(who, agent, agent.in(State.LOST))
              && agent.status() == Status.OK) {
            note(Event.Kind.AGENT_LOST, agent, named(agent) + " is not heard any more");
          }
        });
  }

  private void note(Event.Kind kind, AgentView agent, String message) {
    events.note(
        kind,
        message,
        Map.of("region", agent.region(), "boot", agent.boot(), "address", agent.address()));
  }

  private static String named(AgentView agent) {
    return "agent " + agent.region() + " (run " + agent.boot() + ")";
  }
}
