package dev.weir.coordinator;

import static java.time.temporal.ChronoUnit.SECONDS;

import dev.weir.config.CoordinatorSettings;
import dev.weir.config.Endpoint;
import dev.weir.coordinator.api.ApiServer;
import dev.weir.coordinator.desk.FrontDesk;
import dev.weir.coordinator.events.Event;
import dev.weir.coordinator.events.EventLog;
import dev.weir.coordinator.grid.Grid;
import dev.weir.coordinator.grid.LedgerOwner;
import dev.weir.coordinator.quotas.QuotaKeeper;
import dev.weir.coordinator.state.Identity;
import dev.weir.coordinator.state.LatestWriter;
import dev.weir.coordinator.state.MarkLog;
import dev.weir.coordinator.state.StartRefusedException;
import dev.weir.coordinator.state.StartWord;
import dev.weir.coordinator.state.StateFolder;
import dev.weir.coordinator.state.StoredQuotas;
import dev.weir.coordinator.telemetry.CoordinatorMetrics;
import dev.weir.core.Rules;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.FloorBook;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.lease.Loss;
import dev.weir.core.lease.Mark;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.LostLedger;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaSpec;
import java.io.Closeable;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One coordinator member: its data folder, its desk, its ledgers and its API, started in that order
 * and closed in the other.
 */
public final class Coordinator implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);

  private final Deque<Closeable> parts = new ArrayDeque<>();
  private final ApiServer api;
  private final String cluster;

  /**
   * Starts a member; ready when this returns.
   *
   * @throws StartRefusedException if the operator's word does not fit the data folder
   * @throws IOException if an address is in use, the folder cannot be written to or relied on, or
   *     the quota files are not good and never were
   */
  public static Coordinator start(CoordinatorSettings settings, StartWord word)
      throws StartRefusedException, IOException {
    return new Coordinator(settings, word);
  }

  private Coordinator(CoordinatorSettings settings, StartWord word)
      throws StartRefusedException, IOException {
    try {
      StateFolder state = opened(StateFolder.open(settings.data(), word));
      cluster = state.identity().cluster();
      api = begin(settings, state);
    } catch (IOException | StartRefusedException | RuntimeException failed) {
      close();
      throw failed;
    }
  }

  /** Where the API listens. */
  public Endpoint http() {
    return api.endpoint();
  }

  /** The cluster's id. */
  public String cluster() {
    return cluster;
  }

  private ApiServer begin(CoordinatorSettings settings, StateFolder state) throws IOException {
    FreePorts.require(settings);
    EventLog events = new EventLog(Clock.systemUTC());
    Identity identity = state.identity();
    StoredQuotas stored = state.quotas();
    LatestWriter<FloorBook> floors = opened(new LatestWriter<>("floors", state::store));
    // Never 0, which stands for none.
    long authorityId = new SecureRandom().nextLong() | 1;
    LedgerOwner owner =
        new LedgerOwner(authorityId, System::nanoTime, new DurableMarks(state.marks()), Rules.ALL);
    LeaseTiming timing =
        new LeaseTiming(settings.clock().driftPpm(), settings.clock().guardNanos());
    Desk desk =
        new Desk(
            identity.start(),
            authorityId,
            state.floors(),
            stored.ttlsNanos(),
            new Loss(identity.lostTtlNanos(), stored.ranSinceLossNanos()),
            timing,
            Rules.ALL,
            System.nanoTime());
    Grid grid =
        opened(
            Grid.join(
                identity.cluster(),
                new Grid.Members(settings.cluster().self(), settings.cluster().members()),
                owner));
    FrontDesk front =
        opened(
            new FrontDesk(
                new FrontDesk.Parts(
                    identity.cluster(),
                    desk,
                    owner,
                    grid.ledgers(),
                    new DurableMarks(state.marks()),
                    floors,
                    events,
                    System::nanoTime)));
    QuotaKeeper keeper =
        opened(
            new QuotaKeeper(
                stored,
                firstGeneration(identity),
                settings.quotas(),
                timing,
                state::store,
                front,
                events));
    keeper.beginStored();
    forgetWhereLossIsAccepted(state.marks(), keeper.book());
    grid.ledgers().open(state.marks().buckets());
    keeper.start();
    state.begin();
    CoordinatorMetrics metrics = opened(new CoordinatorMetrics(front, keeper, owner));
    ApiServer server =
        opened(
            ApiServer.listen(
                settings.http(),
                new ApiServer.Parts(
                    front,
                    keeper,
                    events,
                    metrics,
                    settings.clock(),
                    () -> problems(state.marks(), floors))));
    opened(new Housekeeping(front, keeper, grid.ledgers(), events));
    started(events, identity, stored, keeper);
    return server;
  }

  /** After lost data agents may know generations that this cluster does not. */
  private static long firstGeneration(Identity identity) {
    return identity.start() == Desk.Start.LOST_DATA ? System.currentTimeMillis() / 1000 : 1;
  }

  /** A quota that says {@code onLostLedger: full} starts full whatever was marked. */
  private static void forgetWhereLossIsAccepted(MarkLog marks, QuotaBook book) {
    for (BucketId bucket : marks.buckets()) {
      QuotaSpec quota = book.quota(bucket.quota());
      Mark mark = marks.mark(bucket);
      if (quota != null && quota.onLostLedger() == LostLedger.FULL && mark != null) {
        marks.forget(bucket, mark.number() + 1);
      }
    }
  }

  private static List<String> problems(MarkLog marks, LatestWriter<FloorBook> floors) {
    List<String> problems = new ArrayList<>();
    if (marks.problem() != null) {
      problems.add("marks cannot be written: " + marks.problem());
    }
    if (floors.problem() != null) {
      problems.add("floors cannot be written: " + floors.problem());
    }
    return problems;
  }

  private static void started(
      EventLog events, Identity identity, StoredQuotas stored, QuotaKeeper keeper) {
    String how =
        switch (identity.start()) {
          case FIRST -> "for the first time";
          case AGAIN -> "again";
          case LOST_DATA ->
              stored.generation() == 0
                  ? "after its data was lost"
                  : "again, after its data was lost "
                      + Duration.ofNanos(stored.ranSinceLossNanos()).truncatedTo(SECONDS)
                      + " of running ago";
        };
    events.note(
        Event.Kind.STARTED,
        "cluster "
            + identity.cluster()
            + " started "
            + how
            + ", generation "
            + keeper.book().generation(),
        Map.of("cluster", identity.cluster(), "start", identity.start().name()));
  }

  private <T extends Closeable> T opened(T part) {
    parts.push(part);
    return part;
  }

  @Override
  public void close() {
    while (!parts.isEmpty()) {
      Closeable part = parts.pop();
      try {
        part.close();
      } catch (IOException | RuntimeException failed) {
        LOG.warn("{} did not close", part.getClass().getSimpleName(), failed);
      }
    }
  }
}
