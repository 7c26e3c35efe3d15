package dev.weir.coordinator.desk;

import dev.weir.coordinator.desk.SyncRefusedException.Reason;
import dev.weir.coordinator.events.Event;
import dev.weir.coordinator.events.EventLog;
import dev.weir.coordinator.grid.DeskView;
import dev.weir.coordinator.grid.LedgerMap;
import dev.weir.coordinator.grid.LedgerOwner;
import dev.weir.coordinator.grid.LedgerReply;
import dev.weir.coordinator.grid.Marks;
import dev.weir.coordinator.quotas.InForce;
import dev.weir.coordinator.state.LatestWriter;
import dev.weir.core.lease.Admission;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.FloorBook;
import dev.weir.core.lease.HolderId;
import dev.weir.core.lease.LedgerTerms;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The desk in motion. One thread owns the {@link Desk}; ledgers step on their own threads; an
 * answer is put together when all its parts are there and what it relies on is durable. Any thread
 * may call; nothing here waits, except where {@link InForce} says so.
 */
public final class FrontDesk implements InForce, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(FrontDesk.class);

  /** An agent gives a request up after a second; what takes longer is of no use to it. */
  private static final long DURABLE_MILLIS_MAX = 800;

  private final String cluster;
  private final Desk desk;
  private final LedgerOwner owner;
  private final LedgerMap ledgers;
  private final Marks marks;
  private final LatestWriter<FloorBook> floors;
  private final EventLog events;
  private final Roster roster;
  private final Usage usage = new Usage();
  private final Moves moves;
  private final LongSupplier clock;
  private final ExecutorService thread = thread("weir-desk");
  private final Adoption adoption;
  private Set<String> drained = Set.of();
  private volatile DeskView view = DeskView.EMPTY;

  /** What it is made of. */
  public record Parts(
      String cluster,
      Desk desk,
      LedgerOwner owner,
      LedgerMap ledgers,
      Marks marks,
      LatestWriter<FloorBook> floors,
      EventLog events,
      LongSupplier clock) {}

  /** A desk at work. */
  public FrontDesk(Parts parts) {
    this.cluster = parts.cluster();
    this.desk = parts.desk();
    this.owner = parts.owner();
    this.ledgers = parts.ledgers();
    this.marks = parts.marks();
    this.floors = parts.floors();
    this.events = parts.events();
    this.clock = parts.clock();
    this.roster = new Roster(events);
    this.moves = new Moves(events);
    this.adoption = new Adoption(parts.ledgers(), parts.marks());
  }

  /** The cluster's id. */
  public String cluster() {
    return cluster;
  }

  /** Who was heard when. */
  public Roster roster() {
    return roster;
  }

  /** What agents say they have admitted. */
  public Usage usage() {
    return usage;
  }

  /** What ledgers must know of a quota now; null if there is no such leased quota. */
  public @Nullable LedgerTerms terms(QuotaId quota) {
    DeskView.QuotaView its = view.quotas().get(quota);
    return its == null ? null : its.terms();
  }

  /**
   * Micro-tokens in the pool of a bucket that nobody has asked about; empty if there is no such
   * leased quota.
   */
  public OptionalLong untouchedMicros(QuotaId quota) {
    DeskView.QuotaView its = view.quotas().get(quota);
    return its == null
        ? OptionalLong.empty()
        : OptionalLong.of(its.untouched().levelAt(nowNanos()));
  }

  /** How many quotas are learning. */
  public Learning learning() {
    long now = nowNanos();
    int quotas = 0;
    long left = 0;
    for (DeskView.QuotaView quota : view.quotas().values()) {
      if (quota.authority().isLearningAt(now)) {
        quotas++;
        left = Math.max(left, quota.authority().learningUntilNanos() - now);
      }
    }
    return new Learning(quotas, left);
  }

  /** The ledgers. */
  public LedgerMap ledgers() {
    return ledgers;
  }

  /** The monotonic clock. */
  public long nowNanos() {
    return clock.getAsLong();
  }

  // ------------------------------------------------------------------------------ agents

  /**
   * Answers an agent.
   *
   * @param address where it calls from, for operators
   * @return fails with {@link SyncRefusedException} where there is no answer
   */
  public CompletionStage<SyncAnswer> sync(SyncRequest request, String address) {
    if (!request.cluster().isEmpty() && !request.cluster().equals(cluster)) {
      SyncRefusedException refusal = otherCluster(request);
      roster.refused(request, String.valueOf(refusal.getMessage()), address, nowNanos());
      return CompletableFuture.failedFuture(refusal);
    }
    return call(now -> admit(request, address, now))
        .thenComposeAsync(admitted -> answered(request, admitted), Runnable::run);
  }

  /** Looks for agents that have fallen silent. To be called about once a second. */
  public void lookAround() {
    roster.lookAround(nowNanos());
    usage.lookAround(nowNanos());
  }

  /**
   * An operator's word that the process holding a region's floors is dead (S8).
   *
   * @return whether there was such a process, once that is durable; fails with {@link
   *     SyncRefusedException} where it cannot be stored
   */
  public CompletionStage<Boolean> releaseFloor(String region) {
    return call(now -> {
          boolean held = desk.releaseFloor(region, now);
          publish(now);
          save();
          if (held) {
            events.note(
                Event.Kind.FLOOR_RELEASED,
                "an operator says that the holder of the floors of " + region + " is dead",
                Map.of("region", region));
          }
          return held;
        })
        .thenComposeAsync(held -> inTime(floors.settled()).thenApply(done -> held), Runnable::run);
  }

  /** Who holds which floor now. */
  public CompletionStage<FloorBook> floorBook() {
    return call(now -> desk.floors());
  }

  /** Floors that nobody holds any more are free once that is on disk. */
  private void save() {
    FloorBook book = desk.floors();
    floors.save(book);
    CompletableFuture<Void> unused =
        floors.settled().thenRunAsync(() -> stored(book, nowNanos()), thread);
  }

  private void stored(FloorBook book, long nowNanos) {
    if (desk.stored(book, nowNanos)) {
      publish(nowNanos);
    }
  }

  private long holder(String region) {
    FloorBook.RegionFloors held = desk.floors().regions().get(region);
    return held == null ? 0 : held.boot();
  }

  private record Admitted(
      Admission admission, QuotaBook book, CompletableFuture<Void> floorsDurable) {}

  private Admitted admit(SyncRequest request, String address, long nowNanos) {
    long holderBefore = holder(request.region());
    Admission admission = desk.admit(request, nowNanos);
    if (admission.floorsChanged()) {
      publish(nowNanos);
      save();
      if (holderBefore != 0 && holder(request.region()) == 0) {
        events.note(
            Event.Kind.FLOOR_RELEASED,
            "the floors of " + request.region() + " were given back",
            Map.of("region", request.region()));
      }
    }
    roster.heard(request, admission, address, nowNanos);
    if (admission.status() != SyncAnswer.Status.UNKNOWN_REGION) {
      usage.heard(request, desk.book(), nowNanos);
    }
    // A floor given a moment ago, to a request that was given up, may still be on its way to disk.
    boolean needsFloors = admission.floorsChanged() || admission.floor() != null;
    return new Admitted(
        admission,
        desk.book(),
        needsFloors ? floors.settled() : CompletableFuture.completedFuture(null));
  }

  private CompletionStage<SyncAnswer> answered(SyncRequest request, Admitted admitted) {
    Admission admission = admitted.admission();
    HolderId who = new HolderId(request.region(), request.boot());
    boolean fenced = admission.status() == SyncAnswer.Status.FENCED;
    List<CompletionStage<LedgerReply>> replies = new ArrayList<>();
    Set<BucketId> named = new HashSet<>();
    for (BucketReport report : request.buckets()) {
      if (named.add(report.bucket())) {
        replies.add(
            safe(
                report.bucket(),
                () -> {
                  if (fenced) {
                    return ledgers.fencedWord(report, who, request.seq());
                  }
                  if (request.leaving()) {
                    return ledgers.lastWord(report, who, request.seq());
                  }
                  return ledgers
                      .report(report, who, request.seq())
                      .thenApplyAsync(
                          reply -> watched(request, admitted, report, reply), Runnable::run);
                }));
      }
    }
    for (BucketId bucket : admission.recalls()) {
      if (named.add(bucket)) {
        replies.add(safe(bucket, () -> ledgers.recall(bucket, who, request.seq())));
      }
    }
    return Stages.all(replies)
        .thenCombine(
            inTime(admitted.floorsDurable()), (all, done) -> answer(request, admitted, all));
  }

  private static CompletableFuture<Void> inTime(CompletableFuture<Void> floorsDurable) {
    return floorsDurable
        .orTimeout(DURABLE_MILLIS_MAX, TimeUnit.MILLISECONDS)
        .exceptionally(
            failure -> {
              throw new SyncRefusedException(
                  Reason.NOT_DURABLE,
                  "who holds which floor cannot be stored: " + failure.getMessage());
            });
  }

  private SyncAnswer answer(SyncRequest request, Admitted admitted, List<LedgerReply> replies) {
    Admission admission = admitted.admission();
    List<BucketOffer> offers = new ArrayList<>();
    for (LedgerReply reply : replies) {
      BucketOffer offer = reply.offer();
      if (offer != null) {
        offers.add(offer);
      }
    }
    return new SyncAnswer(
        cluster,
        request.boot(),
        request.seq(),
        admission.status(),
        admission.detail(),
        admission.newestBoot(),
        admitted.book().generation() == request.generation() ? null : admitted.book(),
        admission.floor(),
        admission.drained(),
        offers);
  }

  /** One bucket's step; whatever goes wrong with it is not another bucket's affair. */
  private CompletionStage<LedgerReply> safe(
      BucketId bucket, Supplier<CompletionStage<LedgerReply>> step) {
    CompletionStage<LedgerReply> reply;
    try {
      reply = step.get();
    } catch (RuntimeException failed) {
      reply = CompletableFuture.failedFuture(failed);
    }
    return reply
        .thenComposeAsync(said -> durable(bucket, said), Runnable::run)
        .exceptionally(
            failure -> {
              LOG.error("no answer about {}", bucket, failure);
              return LedgerReply.NOTHING;
            });
  }

  /** Of a slow bucket nothing is granted before the mark below it is on disk (S9). */
  private CompletionStage<LedgerReply> durable(BucketId bucket, LedgerReply reply) {
    askBack(bucket, reply);
    if (reply.offer() == null || !reply.waitsForMark()) {
      return CompletableFuture.completedFuture(reply);
    }
    return marks
        .durable(bucket)
        .toCompletableFuture()
        .orTimeout(DURABLE_MILLIS_MAX, TimeUnit.MILLISECONDS)
        .handle((done, failure) -> failure == null ? reply : LedgerReply.NOTHING);
  }

  private void askBack(BucketId bucket, LedgerReply reply) {
    if (!reply.recalls().isEmpty()) {
      thread.execute(() -> reply.recalls().forEach(who -> desk.recall(who, bucket)));
    }
    String warning = reply.warning();
    if (warning != null) {
      events.note(Event.Kind.WARNING, bucket + ": " + warning, Map.of("bucket", bucket.toString()));
    }
  }

  private LedgerReply watched(
      SyncRequest request, Admitted admitted, BucketReport report, LedgerReply reply) {
    BucketOffer offer = reply.offer();
    QuotaSpec quota = admitted.book().quota(report.bucket().quota());
    if (offer != null && quota != null) {
      moves.look(request.region(), quota, report, offer, nowNanos());
    }
    return reply;
  }

  private SyncRefusedException otherCluster(SyncRequest request) {
    return new SyncRefusedException(
        Reason.OTHER_CLUSTER,
        "agent "
            + request.region()
            + " belongs to cluster "
            + request.cluster()
            + ", and this is cluster "
            + cluster
            + ": correct `coordinators:` in its settings. If this is its cluster and lost its data:"
            + " stop this coordinator, empty its data folder, and begin it again with --lost-data"
            + " --cluster-id "
            + request.cluster());
  }

  // ------------------------------------------------------------------------------ quotas

  @Override
  public Known knownBefore(QuotaBook next) {
    return join(now -> DeskMemory.before(desk, next, adoption.unmarked(), now));
  }

  @Override
  public Known known() {
    adoption.confirmMarks();
    return join(now -> DeskMemory.of(desk, adoption.unmarked(), now));
  }

  @Override
  public void adoptStored(QuotaBook book, Map<QuotaId, Long> freshMicros) {
    adopt(book, freshMicros);
  }

  @Override
  public void adopt(QuotaBook book) {
    adopt(book, Map.of());
  }

  private void adopt(QuotaBook book, Map<QuotaId, Long> freshMicros) {
    join(
        now -> {
          desk.adopt(book, freshMicros, now);
          publish(now);
          return true;
        });
  }

  @Override
  public void adoptInLedgers() {
    adoption.awaitAll();
    adoption.confirmMarks();
  }

  @Override
  public void drain(Set<String> regions) {
    join(
        now -> {
          drained.stream()
              .filter(region -> !regions.contains(region))
              .forEach(region -> desk.drain(region, false, now));
          regions.forEach(region -> desk.drain(region, true, now));
          drained = Set.copyOf(regions);
          publish(now);
          return true;
        });
  }

  /** Steps from now on see what the desk says now. */
  private void publish(long nowNanos) {
    DeskView next = DeskView.of(desk, nowNanos);
    DeskView before = view;
    view = next;
    owner.view(next);
    adoption.changed(before, next);
  }

  private <T> T join(Function<Long, T> work) {
    return call(work).join();
  }

  private <T> CompletableFuture<T> call(Function<Long, T> work) {
    return CompletableFuture.supplyAsync(() -> work.apply(nowNanos()), thread);
  }

  static ExecutorService thread(String name) {
    return Executors.newSingleThreadExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  @Override
  public void close() {
    thread.shutdown();
    adoption.close();
  }
}
