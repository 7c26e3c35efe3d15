package dev.weir.coordinator.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.coordinator.desk.AgentView.State;
import dev.weir.coordinator.events.EventLog;
import dev.weir.core.message.SyncRequest;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

class RosterTest {
  private static final int ROOM = 3;
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final EventLog events = new EventLog(Clock.systemUTC());
  private final Roster roster = new Roster(events, ROOM);

  @Test
  void noMoreStrangersAreRememberedThanThereIsRoomFor() {
    for (int boot = 1; boot <= ROOM + 5; boot++) {
      roster.refused(asks("other-" + boot, 1, false), "go away", "here", 0);
    }
    assertThat(roster.agents()).hasSize(ROOM);
    assertThat(roster.refused()).isEqualTo(ROOM);
    assertThat(events.since(0)).hasSize(ROOM);
    roster.lookAround(2 * 3600 * SECOND_NANOS);
    assertThat(roster.agents()).isEmpty();
  }

  @Test
  void aStrangerThatFellSilentIsLostAndNotTwiceToldOf() {
    roster.refused(asks("other", 1, false), "go away", "here", 0);
    roster.lookAround(6 * SECOND_NANOS);
    assertThat(roster.agents()).extracting(AgentView::state).containsExactly(State.LOST);
    assertThat(roster.refused()).isZero();
    roster.refused(asks("other", 1, false), "go away", "here", 7 * SECOND_NANOS);
    assertThat(roster.agents()).extracting(AgentView::state).containsExactly(State.REFUSED);
    assertThat(events.since(0)).hasSize(1);
  }

  @Test
  void aStrangerThatLeavesIsForgotten() {
    roster.refused(asks("other", 1, false), "go away", "here", 0);
    roster.refused(asks("other", 1, true), "go away", "here", 1);
    assertThat(roster.agents()).isEmpty();
  }

  private static SyncRequest asks(String cluster, long boot, boolean leaving) {
    return new SyncRequest(
        cluster, "eu-west", "folder", boot, 1, 0, 3, leaving, List.of(), List.of());
  }
}
