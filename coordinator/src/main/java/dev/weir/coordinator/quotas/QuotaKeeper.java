package dev.weir.coordinator.quotas;

import dev.weir.config.ConfigException;
import dev.weir.config.ConfigProblem;
import dev.weir.config.Place;
import dev.weir.config.QuotaFile;
import dev.weir.coordinator.events.Event;
import dev.weir.coordinator.events.EventLog;
import dev.weir.coordinator.state.StoredQuotas;
import dev.weir.core.bound.BoundTerm;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the quotas, one change at a time, on a thread of its own. A change is checked, numbered,
 * stored, and only then put in force; it is acknowledged after that.
 *
 * <p>The state may be read from any thread; changes may be asked for from any thread and answer
 * through a future.
 */
public final class QuotaKeeper implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(QuotaKeeper.class);
  private static final Duration FILES_PERIOD = Duration.ofMillis(250);
  private static final String API = "API";

  private final long firstGeneration;
  private final Store store;
  private final InForce inForce;
  private final EventLog events;
  private final @Nullable Path path;
  private final LeaseTiming timing;
  private final ExecutorService thread;
  private final Clock clock = Clock.systemUTC();
  private volatile StoredQuotas stored;
  private volatile QuotaBook book;
  private volatile FilesState files = FilesState.NONE;
  private QuotaFiles.@Nullable Reading pending;
  private @Nullable QuotaFiles watcher;
  private final AtomicLong loads = new AtomicLong();
  private final AtomicLong failedLoads = new AtomicLong();

  /** Where quotas are kept. */
  public interface Store {
    /** Stores; durable on return. */
    void store(StoredQuotas quotas) throws IOException;
  }

  /**
   * A keeper of what was stored; {@link #start} puts it in force.
   *
   * @param firstGeneration where nothing was stored: above any that agents may have seen
   * @param path the quota files, or null for none
   * @param timing how wrong clocks may be
   */
  public QuotaKeeper(
      StoredQuotas stored,
      long firstGeneration,
      @Nullable Path path,
      LeaseTiming timing,
      Store store,
      InForce inForce,
      EventLog events) {
    this.stored = stored;
    this.book = bookOf(stored);
    this.firstGeneration = firstGeneration;
    this.path = path;
    this.timing = timing;
    this.store = store;
    this.inForce = inForce;
    this.events = events;
    this.thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread keeper = new Thread(task, "weir-quotas");
              keeper.setDaemon(true);
              return keeper;
            });
  }

  /** Puts in force what was stored, if anything was. */
  public void beginStored() {
    var unused =
        call(() -> {
              if (stored.generation() > 0) {
                inForce.adoptStored(book, stored.freshMicros());
                inForce.drain(stored.drained());
              }
              return done(stored, Difference.NONE, List.of());
            })
            .join();
  }

  /**
   * Puts what the files say now in force, and watches them.
   *
   * @throws BadQuotasException if the files are not good and never were
   * @throws IOException if a change cannot be stored
   */
  public void start() throws IOException {
    if (path == null) {
      return;
    }
    QuotaFiles.Reading reading = QuotaFiles.read(path);
    Outcome outcome = call(() -> load(reading)).join();
    if (outcome instanceof Outcome.NotStored failed) {
      throw new IOException(failed.why());
    }
    if (stored.generation() == 0 && outcome instanceof Outcome.Invalid invalid) {
      throw new BadQuotasException(invalid.problems());
    }
    watcher = new QuotaFiles(path, reading, FILES_PERIOD, this::filesSay);
  }

  /** The quota files are not good, and there are no older ones to go on with. */
  public static final class BadQuotasException extends IOException {
    private static final long serialVersionUID = 1;

    BadQuotasException(List<ConfigProblem> problems) {
      super(String.join("\n", problems.stream().map(ConfigProblem::toString).toList()));
    }
  }

  /** The quotas in force. */
  public QuotaBook book() {
    return book;
  }

  /** The generation in which a quota changed last; 0 where there is none of that name. */
  public long changedAt(QuotaId quota) {
    return stored.changedAt().getOrDefault(quota, 0L);
  }

  /** Where a quota stands: {@code API}, or a file with line and column. */
  public String source(QuotaId quota) {
    DomainBook api = stored.api().get(quota.domain());
    if (api != null && api.quotas().stream().anyMatch(spec -> spec.id().equals(quota))) {
      return API;
    }
    return place(quota, files.places());
  }

  /** Files that are not good now, and were before the start, are known by their path alone. */
  private String place(QuotaId quota, Map<QuotaId, Place> places) {
    Place place = places.get(quota);
    return place != null ? place.toString() : path != null ? "files " + path : "files";
  }

  /** How the quota files are. */
  public FilesState files() {
    return files;
  }

  /** The regions that are being drained. */
  public Set<String> drained() {
    return stored.drained();
  }

  /** What changes of a quota may still add to its bound (S11). */
  public List<BoundTerm> changeTerms(QuotaId quota) {
    long now = clock.millis();
    return stored.changes().stream()
        .filter(change -> change.quota().equals(quota) && change.untilMillis() > now)
        .map(StoredQuotas.PastChange::term)
        .toList();
  }

  /** How often quota files were read and found good, or not. */
  public long loads(boolean good) {
    return (good ? loads : failedLoads).get();
  }

  /** Checks a whole file, as if it were to be applied. */
  public CompletableFuture<Outcome> validate(String name, String text) {
    return call(() -> apply(name, text, true));
  }

  /** Makes a whole file what the API's store says of its domain, all or nothing. */
  public CompletableFuture<Outcome> apply(String name, String text) {
    return call(() -> apply(name, text, false));
  }

  /** Makes or changes one quota. */
  public CompletableFuture<Outcome> put(
      QuotaId quota, String text, Condition condition, boolean dryRun) {
    return call(() -> putNow(quota, text, condition, dryRun));
  }

  /** Removes one quota. */
  public CompletableFuture<Outcome> remove(QuotaId quota, Condition condition, boolean dryRun) {
    return call(() -> removeNow(quota, condition, dryRun));
  }

  /** Drains a region, or ends that; durable when it completes. */
  public CompletableFuture<Outcome> drain(String region, boolean on) {
    return call(() -> drainNow(region, on));
  }

  /** Stores again what is known of leases and pools, where it has changed. */
  public CompletableFuture<Outcome> refresh() {
    return call(this::refreshNow);
  }

  // ------------------------------------------------------------------ on the keeper's thread

  private void filesSay(QuotaFiles.Reading reading) {
    later(() -> load(reading));
  }

  /** Where nobody waits for the outcome. */
  private void later(Runnable change) {
    thread.execute(
        () -> {
          try {
            change.run();
          } catch (RuntimeException bug) {
            LOG.error("a change of quotas failed", bug);
          }
        });
  }

  private Outcome load(QuotaFiles.Reading reading) {
    pending = null;
    Outcome outcome = outcomeOf(reading);
    if (outcome instanceof Outcome.Done) {
      loads.incrementAndGet();
    } else {
      failedLoads.incrementAndGet();
      pending = reading;
    }
    return outcome;
  }

  private Outcome outcomeOf(QuotaFiles.Reading reading) {
    if (!reading.problems().isEmpty()) {
      return refused(reading.problems());
    }
    if (reading.sources().isEmpty()) {
      String why =
          stored.files().isEmpty()
              ? "has no quota file; write one, or leave `quotas:` out of the settings to keep all"
                  + " quotas in the API's store"
              : "has no quota file any more; to remove all quotas, leave a file with"
                  + " `quotas: []`";
      return refused(List.of(new ConfigProblem(String.valueOf(path), 0, 0, why, null)));
    }
    QuotaFile.Outcome read = QuotaFile.read(reading.sources());
    if (read instanceof QuotaFile.Refused refused) {
      return refused(refused.problems());
    }
    if (!(read instanceof QuotaFile.Accepted accepted)) {
      throw new AssertionError(read);
    }
    String conflict =
        Assembly.conflict(
            accepted.domains(), stored.api(), quota -> place(quota, accepted.places()));
    if (conflict != null) {
      return refused(List.of(new ConfigProblem(String.valueOf(path), 0, 0, conflict, null)));
    }
    Outcome outcome =
        change(accepted.domains(), stored.api(), accepted.warnings(), false, "files " + path);
    if (outcome instanceof Outcome.Done) {
      if (!files.problems().isEmpty()) {
        events.note(Event.Kind.FILES_ACCEPTED, "quota files are good again: " + path, Map.of());
      }
      files = new FilesState(accepted.places(), List.of(), null);
    }
    return outcome;
  }

  private Outcome refused(List<ConfigProblem> problems) {
    if (!problems.equals(files.problems())) {
      events.note(
          Event.Kind.FILES_REFUSED,
          (stored.files().isEmpty()
                  ? "quota files are not good, and there are none from before: "
                  : "quota files are not good, the last good ones stay in force: ")
              + problems.get(0),
          Map.of("problems", problems.stream().map(ConfigProblem::toString).toList()));
    }
    Instant since = files.since();
    files = new FilesState(files.places(), problems, since == null ? clock.instant() : since);
    return new Outcome.Invalid(problems);
  }

  private Outcome apply(String name, String text, boolean dryRun) {
    QuotaFile.Outcome read = QuotaFile.read(name, text);
    if (read instanceof QuotaFile.Refused refused) {
      return new Outcome.Invalid(refused.problems());
    }
    if (!(read instanceof QuotaFile.Accepted accepted)) {
      throw new AssertionError(read);
    }
    Map<String, DomainBook> api = new TreeMap<>(stored.api());
    api.putAll(accepted.domains());
    return changeApi(api, accepted.warnings(), dryRun);
  }

  private Outcome putNow(QuotaId id, String text, Condition condition, boolean dryRun) {
    if (!book.domains().containsKey(id.domain())) {
      return unknownDomain(id.domain());
    }
    Outcome refusal = refusal(id, condition);
    if (refusal != null) {
      return refusal;
    }
    QuotaSpec quota;
    try {
      quota = QuotaFile.readQuota(id, "request", text);
    } catch (ConfigException wrong) {
      return new Outcome.Invalid(wrong.problems());
    }
    List<QuotaSpec> quotas = othersInApi(id);
    quotas.add(quota);
    return changeApi(apiWith(id.domain(), quotas), List.of(), dryRun);
  }

  private Outcome removeNow(QuotaId id, Condition condition, boolean dryRun) {
    if (book.quota(id) == null) {
      return new Outcome.Unknown("there is no quota " + id.name() + " in domain " + id.domain());
    }
    Outcome refusal = refusal(id, condition);
    return refusal != null
        ? refusal
        : changeApi(apiWith(id.domain(), othersInApi(id)), List.of(), dryRun);
  }

  private Outcome unknownDomain(String domain) {
    return new Outcome.Unknown(
        "there is no domain "
            + domain
            + ": apply a quota file that names it and its regions first (POST /v1/config/apply)");
  }

  private @Nullable Outcome refusal(QuotaId id, Condition condition) {
    if (!condition.holds(changedAt(id))) {
      return new Outcome.Stale(changedAt(id), stale(id, condition));
    }
    if (book.quota(id) != null && !source(id).equals(API)) {
      return new Outcome.Conflict(
          "quota " + id.name() + " comes from " + source(id) + ": change it there");
    }
    return null;
  }

  private String stale(QuotaId id, Condition condition) {
    long generation = changedAt(id);
    if (generation == 0) {
      return "there is no quota of that name; ask without If-Match to make it";
    }
    if (!(condition instanceof Condition.Absent)) {
      return "the quota changed last in generation "
          + generation
          + ": get it again and repeat the change with If-Match: \""
          + generation
          + "\"";
    }
    String source = source(id);
    return source.equals(API)
        ? "there is a quota of that name: to change it, ask without If-None-Match, or with If-Match:"
            + " \""
            + generation
            + "\" to change only what you have seen"
        : "there is a quota of that name, from " + source + ": change it there";
  }

  private List<QuotaSpec> othersInApi(QuotaId id) {
    DomainBook domain = stored.api().get(id.domain());
    List<QuotaSpec> others = new ArrayList<>();
    if (domain != null) {
      domain.quotas().stream().filter(quota -> !quota.id().equals(id)).forEach(others::add);
    }
    return others;
  }

  private Map<String, DomainBook> apiWith(String domain, List<QuotaSpec> quotas) {
    Map<String, DomainBook> api = new TreeMap<>(stored.api());
    DomainBook before = api.get(domain);
    api.put(domain, new DomainBook(domain, before == null ? List.of() : before.regions(), quotas));
    return api;
  }

  private Outcome changeApi(
      Map<String, DomainBook> api, List<ConfigProblem> warnings, boolean dryRun) {
    String conflict = Assembly.conflict(stored.files(), api, quota -> place(quota, files.places()));
    if (conflict != null) {
      return new Outcome.Conflict(conflict);
    }
    Outcome outcome = change(stored.files(), api, warnings, dryRun, "the API");
    QuotaFiles.Reading waiting = pending;
    if (!dryRun && waiting != null && outcome instanceof Outcome.Done) {
      // What kept the files out may have been what was changed just now.
      load(waiting);
    }
    return outcome;
  }

  private Outcome change(
      Map<String, DomainBook> newFiles,
      Map<String, DomainBook> newApi,
      List<ConfigProblem> warnings,
      boolean dryRun,
      String by) {
    Map<String, DomainBook> domains = Assembly.of(newFiles, newApi);
    Difference difference = Difference.between(book.domains(), domains);
    if (dryRun) {
      return done(stored, difference, warnings);
    }
    boolean sameBook = domains.equals(book.domains()) && stored.generation() > 0;
    if (sameBook && newFiles.equals(stored.files()) && newApi.equals(stored.api())) {
      return done(stored, difference, warnings);
    }
    long generation = sameBook ? stored.generation() : nextGeneration();
    QuotaBook next = new QuotaBook(generation, domains);
    InForce.Known known = inForce.knownBefore(next);
    StoredQuotas after =
        new StoredQuotas(
            generation,
            newFiles,
            newApi,
            changedAt(difference, generation),
            known.ttlsNanos(),
            known.freshMicros(),
            known.ranSinceLossNanos(),
            stored.drained(),
            PastChanges.after(stored.changes(), book.domains(), domains, timing, clock.millis()));
    Outcome failure = store(after);
    if (failure != null) {
      return failure;
    }
    book = next;
    if (!sameBook) {
      inForce.adopt(next);
      note(difference, generation, by);
      // Acknowledged already by then; the next change waits for it.
      later(this::settle);
    }
    return done(after, difference, warnings);
  }

  private long nextGeneration() {
    return stored.generation() == 0 ? firstGeneration : stored.generation() + 1;
  }

  private void settle() {
    inForce.adoptInLedgers();
    refreshNow();
  }

  private Outcome refreshNow() {
    InForce.Known known = inForce.known();
    boolean same =
        known.ttlsNanos().equals(stored.ttlsNanos())
            && known.freshMicros().equals(stored.freshMicros())
            && known.ranSinceLossNanos() == stored.ranSinceLossNanos();
    if (!same) {
      Outcome failure =
          store(stored.with(known.ttlsNanos(), known.freshMicros(), known.ranSinceLossNanos()));
      if (failure != null) {
        return failure;
      }
    }
    QuotaFiles.Reading waiting = pending;
    if (waiting != null && files.problems().isEmpty()) {
      // Good files that could not be stored.
      load(waiting);
    }
    return done(stored, Difference.NONE, List.of());
  }

  private Outcome drainNow(String region, boolean on) {
    Set<String> regions = new HashSet<>(stored.drained());
    boolean changed = on ? regions.add(region) : regions.remove(region);
    if (changed) {
      Outcome failure = store(stored.withDrained(regions));
      if (failure != null) {
        return failure;
      }
      inForce.drain(regions);
      events.note(
          on ? Event.Kind.REGION_DRAINED : Event.Kind.REGION_UNDRAINED,
          "region " + region + (on ? " gives its leases back" : " takes part again"),
          Map.of("region", region));
    }
    return done(stored, Difference.NONE, List.of());
  }

  private Outcome.@Nullable NotStored store(StoredQuotas after) {
    try {
      store.store(after);
      stored = after;
      return null;
    } catch (IOException failed) {
      String why = "the change cannot be stored: " + failed.getMessage();
      events.note(Event.Kind.DISK_PROBLEM, why, Map.of());
      return new Outcome.NotStored(why);
    }
  }

  private Map<QuotaId, Long> changedAt(Difference difference, long generation) {
    Map<QuotaId, Long> changedAt = new HashMap<>(stored.changedAt());
    difference.added().forEach(quota -> changedAt.put(quota, generation));
    difference.changed().forEach(quota -> changedAt.put(quota, generation));
    difference.removed().forEach(changedAt::remove);
    return changedAt;
  }

  private void note(Difference difference, long generation, String by) {
    events.note(
        Event.Kind.QUOTAS_CHANGED,
        "generation "
            + generation
            + " is in force, from "
            + by
            + ": "
            + difference.added().size()
            + " added, "
            + difference.changed().size()
            + " changed, "
            + difference.removed().size()
            + " removed",
        Map.of(
            "generation",
            generation,
            "added",
            names(difference.added()),
            "changed",
            names(difference.changed()),
            "removed",
            names(difference.removed()),
            "regions",
            difference.regions()));
  }

  private static List<String> names(List<QuotaId> quotas) {
    return quotas.stream().map(QuotaId::toString).toList();
  }

  private static Outcome done(
      StoredQuotas now, Difference difference, List<ConfigProblem> warnings) {
    return new Outcome.Done(now.generation(), difference, warnings);
  }

  private static QuotaBook bookOf(StoredQuotas stored) {
    return new QuotaBook(stored.generation(), Assembly.of(stored.files(), stored.api()));
  }

  private CompletableFuture<Outcome> call(Supplier<Outcome> change) {
    return CompletableFuture.supplyAsync(change, thread);
  }

  @Override
  public void close() {
    if (watcher != null) {
      watcher.close();
    }
    thread.shutdown();
    try {
      if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
        LOG.warn("a change of quotas did not end");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
