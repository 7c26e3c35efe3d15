package dev.weir.coordinator.desk;

import dev.weir.coordinator.desk.AgentView.State;
import dev.weir.coordinator.desk.AgentView.Told;
import dev.weir.coordinator.events.Event;
import dev.weir.coordinator.events.EventLog;
import dev.weir.core.lease.Admission;
import dev.weir.core.lease.HolderId;
import dev.weir.core.message.SyncRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who was heard when. It decides nothing: an agent that is lost here keeps what it holds until that
 * expires. Any thread.
 */
public final class Roster {
  private static final long LOST_NANOS = 5_000_000_000L;
  private static final long FORGOTTEN_NANOS = 3_600_000_000_000L;
  private static final int KEPT = 10_000;

  /** Whoever they are: agents that are refused must not fill the place of those that are served. */
  private static final int REFUSED_KEPT = 1_000;

  private final Map<HolderId, AgentView> agents = new ConcurrentHashMap<>();
  private final Map<Stranger, AgentView> refused = new ConcurrentHashMap<>();
  private final EventLog events;
  private final int refusedKept;

  /** An agent of another cluster. */
  private record Stranger(String cluster, HolderId who) {}

  /** A roster without agents. */
  public Roster(EventLog events) {
    this(events, REFUSED_KEPT);
  }

  /**
   * A roster without agents.
   *
   * @param refusedKept how many agents are remembered at most of those that are refused
   */
  Roster(EventLog events, int refusedKept) {
    this.events = events;
    this.refusedKept = refusedKept;
  }

  /**
   * Every agent heard within the last hour, by region, those that are not refused first, the newest
   * run first.
   */
  public List<AgentView> agents() {
    return Stream.concat(agents.values().stream(), refused.values().stream())
        .sorted(
            Comparator.comparing(AgentView::region)
                .thenComparing(agent -> agent.told() == Told.OTHER_CLUSTER)
                .thenComparing(Comparator.comparingLong(AgentView::boot).reversed()))
        .toList();
  }

  /** How many agents are refused at the moment, of those that are remembered. */
  public int refused() {
    return (int) refused.values().stream().filter(agent -> agent.state() == State.REFUSED).count();
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
            Told.of(admission.status()),
            admission.detail(),
            request.leaving() ? State.LEFT : State.ALIVE,
            nowNanos);
    tell(agents.put(who, now), now);
    if (!refused.isEmpty()) {
      refused.keySet().removeIf(stranger -> stranger.who().equals(who));
    }
  }

  /**
   * Notes an agent of another cluster, which is refused.
   *
   * @param detail what an operator should do about it
   */
  void refused(SyncRequest request, String detail, String address, long nowNanos) {
    HolderId who = new HolderId(request.region(), request.boot());
    Stranger stranger = new Stranger(request.cluster(), who);
    if (request.leaving()) {
      refused.remove(stranger);
      return;
    }
    if (refused.size() >= refusedKept && !refused.containsKey(stranger)) {
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
            request.floorVersion() > 0,
            request.buckets().size(),
            Told.OTHER_CLUSTER,
            detail,
            State.REFUSED,
            nowNanos);
    AgentView before = refused.put(stranger, now);
    if (before == null) {
      // Of a process that was started again, the run before is gone.
      refused
          .keySet()
          .removeIf(
              old ->
                  old.cluster().equals(request.cluster())
                      && old.who().region().equals(request.region())
                      && old.who().boot() < request.boot());
      note(Event.Kind.AGENT_REFUSED, now, named(now) + " is refused: " + detail);
    }
  }

  private void tell(@Nullable AgentView before, AgentView now) {
    boolean otherwise = before == null || before.told() != now.told();
    if (now.told() == Told.UNKNOWN_REGION && otherwise) {
      note(Event.Kind.UNKNOWN_REGION, now, now.detail());
    } else if (now.told() == Told.FENCED && otherwise) {
      note(Event.Kind.AGENT_FENCED, now, named(now) + " must stop: " + now.detail());
    } else if (now.state() == State.LEFT && (before == null || before.state() != State.LEFT)) {
      note(Event.Kind.AGENT_LEFT, now, named(now) + " left and gave back what it held");
    } else if (now.told() == Told.OK && (before == null || before.state() == State.LOST)) {
      note(Event.Kind.AGENT_FOUND, now, named(now) + " is heard at " + now.address());
    }
    if (now.holdsFloor() && (before == null || !before.holdsFloor())) {
      note(Event.Kind.FLOOR_GIVEN, now, named(now) + " holds the floors of its region");
    }
    boolean without = now.told() == Told.OK && !now.detail().isEmpty();
    if (without && (before == null || !before.detail().equals(now.detail()))) {
      note(Event.Kind.FLOOR_WITHHELD, now, named(now) + " has no floors: " + now.detail());
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
              && agent.told() == Told.OK) {
            note(Event.Kind.AGENT_LOST, agent, named(agent) + " is not heard any more");
          }
        });
    refused.forEach(
        (who, agent) -> {
          long silent = nowNanos - agent.heardAtNanos();
          if (silent > FORGOTTEN_NANOS) {
            refused.remove(who, agent);
          } else if (silent > LOST_NANOS && agent.state() == State.REFUSED) {
            refused.replace(who, agent, agent.in(State.LOST));
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
