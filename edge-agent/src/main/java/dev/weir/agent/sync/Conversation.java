package dev.weir.agent.sync;

import dev.weir.config.SyncSettings;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.lease.Edge;
import dev.weir.core.math.Nanos;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When an agent sends what its {@link Edge} has to say, and what becomes of failures: the schedule
 * of one boot after another, without a thread or a clock. Used by one thread.
 */
final class Conversation {
  private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);

  /**
   * How long a boot that was replaced by a living one waits before it tries again; doubled each
   * time. Two agents with the name of one region would otherwise fence each other for ever.
   */
  static final long FENCED_WAIT_NANOS = 30 * Nanos.SECOND_NANOS;

  private static final int FENCED_DOUBLINGS_MAX = 5;

  /**
   * The clocks are compared at least this often, however long a tick is: the bound counts on it for
   * what a machine that wakes may spend before it notices (S7).
   */
  static final long CLOCKS_NANOS = 100 * Nanos.MILLISECOND_NANOS;

  /** How long beyond its time-out a request is waited for, should the transport forget it. */
  static final long FORGOTTEN_NANOS = Nanos.SECOND_NANOS;

  /** A region that is not configured is asked for again only now and then. */
  static final long UNKNOWN_WAIT_NANOS = Nanos.SECOND_NANOS;

  /** A boot whose number could not be written down is tried again after this. */
  private static final long NO_BOOT_WAIT_NANOS = 5 * Nanos.SECOND_NANOS;

  /** Where replies go, from any thread: they come back by {@link #on}. */
  interface Inbox {
    void put(long sendNumber, Reply reply);
  }

  private final Transport transport;
  private final SyncSettings settings;
  private final Boots boots;
  private final Inbox inbox;
  private final Backoff backoff;
  private final Refreshes refreshes = new Refreshes();

  /** By address: why a coordinator does not answer this agent, as it was logged. */
  private final Map<String, String> refusals = new HashMap<>();

  private @Nullable Edge edge;
  private long boot;
  private SyncStatus.State state = SyncStatus.State.STARTING;
  private String detail = "";
  private boolean answeredThisBoot;
  private int timesFenced;
  private long told;

  private @Nullable SyncRequest farewell;
  private boolean out;
  private long sendNumber;
  private long bucketsNamed;
  private long sentAtNanos;
  private long tickAtNanos;
  private long lookAtNanos;

  /** Nothing is sent before. */
  private long sendFromNanos;

  /** Whether the last request got no answer, so that the next need not wait for a tick. */
  private boolean overdue;

  private long roundTripNanos;

  Conversation(
      Transport transport,
      int coordinators,
      SyncSettings settings,
      Boots boots,
      Inbox inbox,
      DoubleSupplier dice) {
    this.transport = transport;
    this.settings = settings;
    this.boots = boots;
    this.inbox = inbox;
    this.backoff = new Backoff(settings.intervalNanos(), coordinators - 1, dice);
  }

  /**
   * Begins the first boot.
   *
   * @throws IOException if its number could not be written down
   */
  void start(long nowNanos) throws IOException {
    begin(nowNanos);
    sendFromNanos = nowNanos;
  }

  /** Notes that a bucket is dry or low. */
  void want(BucketId id, HotBucket bucket, long costMicros, long nowNanos) {
    if (edge != null) {
      edge.want(id, bucket, costMicros, nowNanos);
    }
  }

  /** Whether a dry bucket should be made known now: nothing is out, and nothing is waited for. */
  boolean wantsToHearAt(long nowNanos) {
    return edge != null && !out && Nanos.hasReached(nowNanos, sendFromNanos);
  }

  /**
   * Does what is due.
   *
   * @return the instant at which to call this again, if nothing happens before
   */
  long step(long nowNanos, long wallNanos) {
    if (edge != null) {
      edge.noticeSuspension(nowNanos, wallNanos);
    }
    long nextNanos = looked(nowNanos, wallNanos);
    return edge == null ? nextNanos : Nanos.earlier(nextNanos, nowNanos + CLOCKS_NANOS);
  }

  private long looked(long nowNanos, long wallNanos) {
    if (edge == null || !edge.isWatching()) {
      return talk(nowNanos, wallNanos);
    }
    if (Nanos.hasReached(nowNanos, lookAtNanos)) {
      edge.look(nowNanos);
      lookAtNanos = nowNanos + Edge.LOOK_NANOS;
    }
    return Nanos.earlier(talk(nowNanos, wallNanos), lookAtNanos);
  }

  private long talk(long nowNanos, long wallNanos) {
    if (out) {
      long forgottenNanos = sentAtNanos + settings.timeoutNanos() + FORGOTTEN_NANOS;
      if (!Nanos.hasReached(nowNanos, forgottenNanos)) {
        return Nanos.earlier(forgottenNanos, tickAfter(nowNanos));
      }
      failed("no reply", nowNanos);
    }
    if (!Nanos.hasReached(nowNanos, sendFromNanos)) {
      return edge == null ? sendFromNanos : Nanos.earlier(sendFromNanos, tickAfter(nowNanos));
    }
    if (edge == null) {
      beginAgain(nowNanos);
    }
    return edge == null ? sendFromNanos : speak(edge, nowNanos, wallNanos);
  }

  private long speak(Edge speaker, long nowNanos, long wallNanos) {
    boolean ticks = overdue || Nanos.hasReached(nowNanos, tickAtNanos);
    SyncRequest request =
        ticks ? speaker.tick(nowNanos, wallNanos) : speaker.atOnce(nowNanos, wallNanos);
    if (ticks) {
      overdue = false;
      tickAtNanos = tickAfter(nowNanos);
    }
    if (request != null) {
      send(request, nowNanos);
    } else if (speaker.isSoon()) {
      return Nanos.earlier(tickAtNanos, sentAtNanos + Edge.AT_ONCE_NANOS);
    }
    return tickAtNanos;
  }

  /** The next tick, in step with those before however late this one is. */
  private long tickAfter(long nowNanos) {
    if (!Nanos.hasReached(nowNanos, tickAtNanos)) {
      return tickAtNanos;
    }
    long lateNanos = nowNanos - tickAtNanos;
    return nowNanos + settings.intervalNanos() - lateNanos % settings.intervalNanos();
  }

  private void send(SyncRequest request, long nowNanos) {
    out = true;
    sentAtNanos = nowNanos;
    long number = ++sendNumber;
    bucketsNamed += request.buckets().size();
    transport.send(request, reply -> inbox.put(number, reply));
  }

  // ------------------------------------------------------------------------------ replies

  /** Takes a reply; one that is not to the newest request changes nothing. */
  void on(long number, Reply reply, long nowNanos, long wallNanos) {
    if (!out || number != sendNumber) {
      return;
    }
    out = false;
    if (reply instanceof Reply.Answered answered) {
      answered(answered.answer(), nowNanos, wallNanos);
    } else if (reply instanceof Reply.Refused refused) {
      refused(refused.why(), nowNanos);
    } else if (reply instanceof Reply.Failed failed) {
      failed(failed.why(), nowNanos);
    }
  }

  private void answered(SyncAnswer answer, long nowNanos, long wallNanos) {
    if (edge == null) {
      return;
    }
    if (!edge.cluster().isEmpty() && !edge.cluster().equals(answer.cluster())) {
      refused("answers for cluster " + answer.cluster() + ", not " + edge.cluster(), nowNanos);
      return;
    }
    long tripNanos = nowNanos - sentAtNanos;
    refreshes.took(tripNanos);
    switch (edge.on(answer, nowNanos, wallNanos)) {
      case GO_ON -> {
        refreshes.count(Refreshes.Result.OK);
        backoff.succeeded();
        answeredThisBoot = true;
        roundTripNanos += roundTripNanos == 0 ? tripNanos : (tripNanos - roundTripNanos) / 8;
        boots.heard(answer, sentAtNanos, nowNanos);
        refusals.clear();
        become(
            edge.isDrained() ? SyncStatus.State.DRAINING : SyncStatus.State.NORMAL,
            answer.detail());
      }
      case UNKNOWN_REGION -> {
        refreshes.count(Refreshes.Result.UNKNOWN_REGION);
        backoff.succeeded();
        sendFromNanos = nowNanos + UNKNOWN_WAIT_NANOS;
        become(SyncStatus.State.UNKNOWN_REGION, answer.detail());
      }
      case FENCED -> fenced(answer, nowNanos);
      // The machine was suspended while the answer was on its way.
      case IGNORED -> {
        refreshes.count(Refreshes.Result.IGNORED);
        edge.giveUp();
      }
    }
  }

  /** It has failed, and each coordinator's reason is logged as often as it is another one. */
  private void refused(String why, long nowNanos) {
    if (!why.equals(refusals.put(transport.address(), why))) {
      LOG.warn("the coordinator at {} refuses this agent: {}", transport.address(), why);
    }
    // What has just been said need not be said again.
    state = edge == null ? state : SyncStatus.State.UNREACHABLE;
    failed(why, nowNanos);
  }

  private void failed(String why, long nowNanos) {
    refreshes.count(Refreshes.Result.FAILED);
    out = false;
    if (edge != null) {
      edge.giveUp();
    }
    String from = transport.address();
    transport.turn();
    sendFromNanos = nowNanos + backoff.failedNanos();
    overdue = true;
    if (edge != null) {
      become(SyncStatus.State.UNREACHABLE, from + ": " + why);
    }
  }

  /**
   * A boot that never had an answer is a newcomer whose number was too small: it starts again above
   * the one it was told. One that had answers was replaced by a process that is alive.
   */
  private void fenced(SyncAnswer answer, long nowNanos) {
    refreshes.count(Refreshes.Result.FENCED);
    boots.end(SyncStatus.State.FENCED);
    edge = null;
    told = Math.max(told, answer.newestBoot());
    if (answeredThisBoot) {
      long waitNanos = FENCED_WAIT_NANOS << Math.min(timesFenced++, FENCED_DOUBLINGS_MAX);
      sendFromNanos = nowNanos + waitNanos;
      become(
          SyncStatus.State.FENCED,
          answer.detail()
              + "; this process tries again after "
              + waitNanos / Nanos.SECOND_NANOS
              + " s, and stops that run if it is then given the region. If both are meant to run,"
              + " give one of them a region of its own; else stop one");
    } else {
      sendFromNanos = nowNanos + backoff.failedNanos();
    }
  }

  // ------------------------------------------------------------------------------ boots

  private void beginAgain(long nowNanos) {
    try {
      begin(nowNanos);
      become(SyncStatus.State.STARTING, "");
    } catch (IOException e) {
      sendFromNanos = nowNanos + NO_BOOT_WAIT_NANOS;
      become(SyncStatus.State.FENCED, "no new run can begin: " + e.getMessage());
    }
  }

  private void begin(long nowNanos) throws IOException {
    Boots.Boot begun = boots.begin(told);
    edge = begun.edge();
    boot = begun.number();
    answeredThisBoot = false;
    lookAtNanos = nowNanos;
    tickAtNanos = nowNanos; // the first request goes out at once
  }

  /**
   * Gives everything back with one last request; nothing is admitted from here on.
   *
   * @return whether anything was sent, so that a reply will come
   */
  boolean leave(long nowNanos) {
    if (edge == null) {
      return false;
    }
    SyncRequest request = edge.leave(nowNanos);
    boots.end(SyncStatus.State.LEFT);
    edge = null;
    become(SyncStatus.State.LEFT, "");
    farewell = request;
    send(request, nowNanos);
    return true;
  }

  /** Sends the last request once more, to the next coordinator. */
  void leaveAgain(long nowNanos) {
    if (farewell != null) {
      send(farewell, nowNanos);
    }
  }

  /** Whether a reply is still awaited. */
  boolean isOut() {
    return out;
  }

  private void become(SyncStatus.State next, String why) {
    boolean changed = state != next;
    // Why nobody answers may be another reason each time: that is said once.
    if (changed || (!detail.equals(why) && next != SyncStatus.State.UNREACHABLE)) {
      log(next, why);
    }
    state = next;
    detail = why;
  }

  private void log(SyncStatus.State next, String why) {
    switch (next) {
      case UNREACHABLE -> LOG.warn("no coordinator answers; {}", why);
      case UNKNOWN_REGION -> LOG.error("this region is not configured: {}", why);
      case FENCED -> LOG.error("this agent admits nothing: {}", why);
      case NORMAL, DRAINING -> {
        if (why.isEmpty()) {
          LOG.info("{}", next);
        } else {
          LOG.warn("{}, but this agent has no floors: {}", next, why);
        }
      }
      default -> LOG.info("{}{}", next, why.isEmpty() ? "" : ": " + why);
    }
  }

  // ------------------------------------------------------------------------------ views

  /** The edge of the boot that is running; null between boots. */
  @Nullable Edge edge() {
    return edge;
  }

  /** What became of requests. Any thread. */
  Refreshes refreshes() {
    return refreshes;
  }

  SyncStatus status() {
    return new SyncStatus(
        state,
        detail,
        transport.address(),
        edge == null ? "" : edge.cluster(),
        boot,
        edge == null ? 0 : edge.floorVersion(),
        backoff.failures(),
        roundTripNanos,
        sendNumber,
        bucketsNamed);
  }
}
