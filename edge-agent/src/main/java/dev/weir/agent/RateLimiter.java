package dev.weir.agent;

import dev.weir.agent.audit.AuditFile;
import dev.weir.agent.folder.DataFolder;
import dev.weir.agent.folder.DataFolderException;
import dev.weir.agent.sync.Boots;
import dev.weir.agent.sync.Clocks;
import dev.weir.agent.sync.Refreshes;
import dev.weir.agent.sync.SyncLoop;
import dev.weir.agent.sync.SyncStatus;
import dev.weir.agent.sync.Waiting;
import dev.weir.config.AgentSettings;
import dev.weir.core.Rules;
import dev.weir.core.lease.Edge;
import dev.weir.core.lease.HeldSum;
import dev.weir.core.lease.HoldingView;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.math.Check;
import dev.weir.core.math.Nanos;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Tokens;
import dev.weir.protocol.BookJson;
import dev.weir.protocol.Parsed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An edge agent to embed: decides requests from memory, and keeps its leases fresh in a thread of
 * its own. The agent's server is a shell around it.
 *
 * <pre>{@code
 * try (RateLimiter limiter = RateLimiter.start(AgentSettings.read(file, System.getenv(), Map.of()))) {
 *   Decision decision = limiter.decide("shop", Descriptors.of("tenant", "acme"), 1);
 * }
 * }</pre>
 *
 * <p>It starts without a coordinator as well: on the quotas it stored last, with empty buckets, and
 * what each quota's fallbacks allow.
 */
public final class RateLimiter implements Limiter, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RateLimiter.class);

  /** How long {@link #close} waits for the coordinator to hear of it. */
  private static final long LEAVE_NANOS = Nanos.SECOND_NANOS;

  /** The longest default wait for a first lease: three round trips, but no longer than this. */
  private static final long FIRST_LEASE_WAIT_NANOS = 500 * Nanos.MILLISECOND_NANOS;

  private static final int FIRST_LEASE_TRIPS = 3;

  private final AgentSettings settings;
  private final Clocks clocks;
  private final long startMillis;
  private final DataFolder folder;
  private final @Nullable AuditFile audit;
  private final Judge judge;
  private final SyncLoop sync;
  private final KeyRoom room;
  private final Map<QuotaId, QuotaCounters> counters = new ConcurrentHashMap<>();
  private final LongAdder unmatched = new LongAdder();
  private volatile Life life;
  private volatile boolean closed;

  private RateLimiter(
      AgentSettings settings, Clocks clocks, DataFolder folder, @Nullable AuditFile audit) {
    this.settings = settings;
    this.clocks = clocks;
    this.folder = folder;
    this.audit = audit;
    this.startMillis = clocks.wallNanos().getAsLong() / Nanos.MILLISECOND_NANOS;
    this.room = new KeyRoom(settings.keysMax());
    this.judge = new Judge(clocks.nanos(), this::want, audit, Rules.ALL);
    this.life = newLife(storedQuotas(folder));
    this.sync =
        new SyncLoop(
            settings.coordinators(),
            settings.sync(),
            new Shell(),
            clocks,
            () -> ThreadLocalRandom.current().nextDouble());
  }

  /**
   * Starts an agent. It may be asked at once.
   *
   * @throws IOException if its data folder or its audit file cannot be used; the message says why
   */
  public static RateLimiter start(AgentSettings settings) throws IOException {
    return start(settings, Clocks.SYSTEM);
  }

  /**
   * Starts an agent with clocks of one's own, for tests.
   *
   * @throws IOException if its data folder or its audit file cannot be used
   */
  static RateLimiter start(AgentSettings settings, Clocks clocks) throws IOException {
    DataFolder folder = DataFolder.open(settings.data());
    AuditFile audit = null;
    try {
      audit = settings.auditFile() == null ? null : AuditFile.open(settings.auditFile());
      RateLimiter limiter = new RateLimiter(settings, clocks, folder, audit);
      limiter.sync.start();
      return limiter;
    } catch (IOException | RuntimeException e) {
      if (audit != null) {
        audit.close();
      }
      folder.close();
      throw e;
    }
  }

  // ------------------------------------------------------------------------------ decisions

  @Override
  public Decision decide(String domain, Descriptors descriptors, long cost) {
    return decide(domain, descriptors, micros(cost), false);
  }

  @Override
  public CompletionStage<Decision> decideLater(String domain, Descriptors descriptors, long cost) {
    long costMicros = micros(cost);
    Decision decision = decide(domain, descriptors, costMicros, true);
    if (decision.reason() != Reason.NO_LEASE) {
      return CompletableFuture.completedFuture(decision);
    }
    FirstLease wait = new FirstLease(domain, descriptors, costMicros, decision);
    if (!wait.mayWait() || !sync.add(wait)) {
      wait.finish();
    }
    return wait.result;
  }

  private Decision decide(
      String domain, Descriptors descriptors, long costMicros, boolean mayWait) {
    Life now = life;
    if (now.tables().book().domains().isEmpty()) {
      throw new IllegalStateException("there are no quotas yet");
    }
    Decision decision = judge.decide(now, domain, descriptors, costMicros, mayWait);
    if (decision.quotas().isEmpty()) {
      unmatched.increment();
    }
    return decision;
  }

  /** Costs beyond what any quota allows stay beyond it. */
  private static long micros(long cost) {
    Check.notNegative("cost", cost);
    return cost > Tokens.MAX_TOKENS ? Long.MAX_VALUE : Tokens.micros(cost);
  }

  private void want(QuotaKeys keys, KeyBucket bucket, long costMicros) {
    sync.want(keys.id(bucket), bucket, costMicros, bucket::taken);
  }

  @Override
  public boolean hasQuotas() {
    return !quotas().domains().isEmpty();
  }

  @Override
  public QuotaBook quotas() {
    return life.tables().book();
  }

  // ------------------------------------------------------------------------------ waiting

  /** A decision that waits for a first lease; while it does, nothing is taken for it. */
  private final class FirstLease implements Waiting {
    final CompletableFuture<Decision> result = new CompletableFuture<>();
    private final String domain;
    private final Descriptors descriptors;
    private final long costMicros;
    private @Nullable KeyBucket dry;
    private Decision last;
    private long triedNanos;
    private long deadlineNanos;

    /** To be made by the thread that has just decided. */
    FirstLease(String domain, Descriptors descriptors, long costMicros, Decision decision) {
      this.domain = domain;
      this.descriptors = descriptors;
      this.costMicros = costMicros;
      this.last = decision;
      this.dry = judge.dryBucket();
    }

    /** Nobody waits for a coordinator that is not there. */
    boolean mayWait() {
      SyncStatus status = sync.status();
      boolean maySoon =
          status.state() == SyncStatus.State.NORMAL || status.state() == SyncStatus.State.STARTING;
      boolean answers = maySoon && status.failures() == 0 && !closed;
      triedNanos = clocks.nanos().getAsLong();
      deadlineNanos = triedNanos + (answers ? waitNanos(last, status) : 0);
      return deadlineNanos != triedNanos;
    }

    private long waitNanos(Decision decision, SyncStatus status) {
      for (Verdict verdict : decision.quotas()) {
        if (!verdict.allowed()) {
          long setNanos = verdict.quota().lease().firstLeaseWaitNanos();
          return setNanos == LeaseTerms.DEFAULT_WAIT ? defaultWaitNanos(status) : setNanos;
        }
      }
      return 0;
    }

    private long defaultWaitNanos(SyncStatus status) {
      return status.roundTripNanos() == 0
          ? FIRST_LEASE_WAIT_NANOS
          : Math.min(
              FIRST_LEASE_WAIT_NANOS,
              // A request may be out already, and answers wait for a tick at worst.
              settings.sync().intervalNanos() + FIRST_LEASE_TRIPS * status.roundTripNanos());
    }

    @Override
    public long deadlineNanos() {
      return deadlineNanos;
    }

    /**
     * Tries again when a lease has come, and at each tick: to a coordinator, a bucket that nobody
     * asks for any more needs no lease.
     */
    @Override
    public boolean isOverAt(long nowNanos) {
      KeyBucket bucket = dry;
      boolean late = Nanos.hasReached(nowNanos, deadlineNanos);
      boolean tick = nowNanos - triedNanos >= settings.sync().intervalNanos();
      if (bucket != null && Judge.waitsForLease(bucket, nowNanos) && !tick) {
        return late && finish();
      }
      triedNanos = nowNanos;
      last = decide(domain, descriptors, costMicros, true);
      dry = judge.dryBucket();
      return (dry == null || late) && finish();
    }

    private boolean finish() {
      for (Verdict verdict : last.quotas()) {
        if (!verdict.allowed() && dry != null) {
          countersOf(verdict.quota().id())
              .refused(verdict.reason(), Math.min(costMicros, verdict.quota().maxCostMicros()));
        }
      }
      return result.complete(last);
    }
  }

  // ------------------------------------------------------------------------------ boots

  /** What the sync loop changes. */
  private final class Shell implements Boots {
    @Override
    public Boot begin(long told) throws IOException {
      long boot = folder.nextBoot(startMillis, told);
      Life next = newLife(life.tables().book());
      Clocks.Reading now = clocks.read();
      Edge edge =
          new Edge(
              settings.region(),
              folder.id(),
              boot,
              next.tables().book(),
              new LeaseTiming(settings.clock().driftPpm(), settings.clock().guardNanos()),
              Rules.ALL,
              next,
              now.nowNanos(),
              now.wallNanos());
      life.dropAll();
      life = next;
      return new Boot(boot, edge);
    }

    @Override
    public void end(SyncStatus.State why) {
      life.end(why == SyncStatus.State.FENCED ? Reason.FENCED : Reason.DRAINED);
    }

    @Override
    public void heard(SyncAnswer answer, long sentAtNanos, long nowNanos) {
      life.heard(answer, sentAtNanos, nowNanos);
      life.sweep(nowNanos);
    }
  }

  private Life newLife(QuotaBook book) {
    return new Life(book, settings.region(), room, clocks.nanos(), this::countersOf, this::store);
  }

  private QuotaCounters countersOf(QuotaId id) {
    return counters.computeIfAbsent(id, absent -> new QuotaCounters());
  }

  private void store(QuotaBook book) {
    LOG.info("quotas of generation {}: {}", book.generation(), book.domains().keySet());
    try {
      folder.storeQuotas(BookJson.encode(book).getBytes(StandardCharsets.UTF_8));
    } catch (DataFolderException e) {
      LOG.error("the next start will not know these quotas: {}", e.getMessage());
    }
  }

  /** What cannot be read is as good as nothing: a coordinator will send the quotas. */
  private static QuotaBook storedQuotas(DataFolder folder) {
    try {
      byte[] stored = folder.loadQuotas();
      if (stored == null) {
        return QuotaBook.EMPTY;
      }
      Parsed<QuotaBook> book = BookJson.decode(new String(stored, StandardCharsets.UTF_8));
      if (book instanceof Parsed.Message<QuotaBook> good) {
        return good.value();
      }
      LOG.error("the stored quotas are not used: {}", book);
    } catch (DataFolderException e) {
      LOG.error("the stored quotas are not used: {}", e.getMessage());
    }
    return QuotaBook.EMPTY;
  }

  // ------------------------------------------------------------------------------ views

  /** How things stand with the coordinator. */
  public SyncStatus status() {
    return sync.status();
  }

  /** What became of requests to the coordinator. */
  public Refreshes refreshes() {
    return sync.refreshes();
  }

  /** The region it decides for. */
  public String region() {
    return settings.region();
  }

  /** What was decided, by quota. */
  public Map<QuotaId, QuotaCounters> counters() {
    return Map.copyOf(counters);
  }

  /** Requests that no quota matched. */
  public long unmatched() {
    return unmatched.sum();
  }

  /** Keys that have a bucket of their own. */
  public int keyCount() {
    return room.used();
  }

  /** What is held and asked for in sum, by quota. */
  public CompletableFuture<Map<QuotaId, HeldSum>> sums() {
    return sync.ask(edge -> edge == null ? Map.of() : edge.sums(clocks.nanos().getAsLong()));
  }

  /** What is held and asked for, per bucket that the coordinator knows from this agent. */
  public CompletableFuture<List<HoldingView>> holdings() {
    return sync.ask(edge -> edge == null ? List.of() : edge.holdings(clocks.nanos().getAsLong()));
  }

  /** Gives everything back, tells the coordinator, and ends. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    sync.stop(LEAVE_NANOS);
    if (audit != null) {
      audit.close();
    }
    folder.close();
  }
}
