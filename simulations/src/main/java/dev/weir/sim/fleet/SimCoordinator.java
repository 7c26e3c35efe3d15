package dev.weir.sim.fleet;

import dev.weir.core.Rules;
import dev.weir.core.bucket.Bucket;
import dev.weir.core.lease.Admission;
import dev.weir.core.lease.Authority;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.FloorBook;
import dev.weir.core.lease.HolderId;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.lease.Ledger;
import dev.weir.core.lease.LedgerStep;
import dev.weir.core.lease.LedgerTerms;
import dev.weir.core.lease.Loss;
import dev.weir.core.lease.Mark;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The coordinator: the real desk and the real ledgers, a disk that survives it, and no clock. */
final class SimCoordinator {
  /** What survives a crash. */
  static final class Disk {
    FloorBook floors = FloorBook.EMPTY;
    Map<QuotaId, Long> ttls = Map.of();
    Map<QuotaId, Long> untouched = Map.of();
    final Map<BucketId, Mark> marks = new LinkedHashMap<>();
    QuotaBook book = QuotaBook.EMPTY;
    boolean lost;
    Loss loss = Loss.NONE;
  }

  private final SimClock clock;
  private final LeaseTiming timing;
  private final Rules rules;
  private final Map<BucketId, Ledger> ledgers = new LinkedHashMap<>();
  private Disk disk = new Disk();
  private @Nullable Desk desk;
  private long authorities;
  private long offers;
  private QuotaBook edited = QuotaBook.EMPTY;

  /** Whether ledgers are told of a change at once, or when they are next needed. */
  boolean adoptsAtOnce = true;

  SimCoordinator(SimClock clock, LeaseTiming timing, Rules rules) {
    this.clock = clock;
    this.timing = timing;
    this.rules = rules;
  }

  boolean isUp() {
    return desk != null;
  }

  Disk disk() {
    return disk;
  }

  /** Begins an authority on what is on the disk. */
  void start(Desk.Start start, long lostTtlNanos) {
    long nowNanos = clock.nanos();
    if (start == Desk.Start.LOST_DATA) {
      QuotaBook book = disk.book;
      long version = disk.floors.version() + 1_000;
      disk = new Disk();
      disk.book = book;
      disk.floors = new FloorBook(version, Map.of());
      disk.lost = true;
      disk.loss = new Loss(lostTtlNanos, 0);
    }
    ledgers.clear();
    offers = 0;
    Desk next =
        new Desk(
            disk.lost ? Desk.Start.LOST_DATA : start,
            ++authorities,
            disk.floors,
            disk.ttls,
            disk.loss,
            timing,
            rules,
            nowNanos);
    desk = next;
    // First what was in force, then what changed meanwhile: a change like any other.
    next.adopt(disk.book, disk.untouched, nowNanos);
    store(next, nowNanos);
    for (BucketId bucket : disk.marks.keySet()) {
      LedgerTerms terms = next.terms(bucket.quota());
      if (terms != null) {
        ledgers.put(bucket, ledger(next, bucket, terms, nowNanos));
      }
    }
    if (edited.generation() > disk.book.generation()) {
      change(edited);
    }
  }

  void crash() {
    desk = null;
    ledgers.clear();
  }

  /** Puts other quotas in force; while it is down, when it is back. */
  void change(QuotaBook book) {
    edited = book;
    Desk here = desk;
    if (here == null) {
      return;
    }
    disk.book = book;
    long nowNanos = clock.nanos();
    here.adopt(book, Map.of(), nowNanos);
    store(here, nowNanos);
    adoptInLedgers(here, nowNanos);
  }

  void drain(String region, boolean on) {
    Desk here = desk;
    if (here != null) {
      here.drain(region, on, clock.nanos());
      adoptInLedgers(here, clock.nanos());
    }
  }

  /** An operator's word that nobody uses a region's floors. */
  void releaseFloor(String region) {
    Desk here = desk;
    if (here != null && here.releaseFloor(region, clock.nanos())) {
      disk.floors = here.floors();
      boolean unused = here.stored(disk.floors, clock.nanos());
      adoptInLedgers(here, clock.nanos());
    }
  }

  private void store(Desk here, long nowNanos) {
    disk.floors = here.floors();
    disk.ttls = here.longestTtls(nowNanos);
    Map<QuotaId, Long> untouched = new HashMap<>();
    for (QuotaId quota : disk.ttls.keySet()) {
      if (here.terms(quota) != null) {
        // A bucket that became slow counts as marked zero until its first mark.
        boolean unmarked = unmarked(quota);
        untouched.put(quota, unmarked ? 0 : here.untouched(quota, nowNanos).levelMicros());
      }
    }
    disk.untouched = untouched;
    disk.loss = new Loss(disk.loss.ttlNanos(), here.ranSinceLossNanos(nowNanos));
  }

  private boolean unmarked(QuotaId quota) {
    for (Map.Entry<BucketId, Ledger> entry : ledgers.entrySet()) {
      if (entry.getKey().quota().equals(quota) && !entry.getValue().terms().isSlow()) {
        return true;
      }
    }
    return false;
  }

  private void adoptInLedgers(Desk here, long nowNanos) {
    ledgers.keySet().removeIf(bucket -> here.terms(bucket.quota()) == null);
    if (adoptsAtOnce) {
      ledgers.replaceAll(
          (bucket, ledger) -> {
            LedgerTerms terms = here.terms(bucket.quota());
            return terms == null
                ? ledger
                : marked(bucket, ledger, ledger.adopt(terms, nowNanos, rules));
          });
    }
  }

  /** A bucket that became slow has a level that must survive from now on. */
  private Ledger marked(BucketId bucket, Ledger before, Ledger after) {
    Ledger marked = after.markedIfItBecameSlow(before);
    if (!marked.equals(after)) {
      disk.marks.put(bucket, marked.mark());
    }
    return marked;
  }

  /** Answers a request; null while it is down. */
  @Nullable SyncAnswer answer(SyncRequest request) {
    Desk here = desk;
    if (here == null) {
      return null;
    }
    long nowNanos = clock.nanos();
    Admission admission = here.admit(request, nowNanos);
    if (admission.floorsChanged()) {
      disk.floors = here.floors();
      boolean unused = here.stored(disk.floors, nowNanos);
      adoptInLedgers(here, nowNanos);
    }
    HolderId who = new HolderId(request.region(), request.boot());
    boolean goesOn = admission.status() == SyncAnswer.Status.OK && !request.leaving();
    List<BucketOffer> said = new ArrayList<>();
    Set<BucketId> named = new HashSet<>();
    for (BucketReport report : request.buckets()) {
      LedgerTerms terms = here.terms(report.bucket().quota());
      if (terms == null) {
        continue;
      }
      named.add(report.bucket());
      Ledger ledger = ledger(here, report.bucket(), terms, nowNanos);
      LedgerStep step =
          goesOn
              ? ledger.on(report, who, request.seq(), terms, ++offers, nowNanos, rules)
              : ledger.lastWord(report, who, request.seq(), terms, nowNanos, rules);
      keep(here, report.bucket(), ledger, step, said);
    }
    for (BucketId bucket : admission.recalls()) {
      LedgerTerms terms = here.terms(bucket.quota());
      Ledger ledger = ledgers.get(bucket);
      if (goesOn && !named.contains(bucket) && terms != null && ledger != null) {
        keep(
            here,
            bucket,
            ledger,
            ledger.recall(bucket, who, request.seq(), terms, ++offers, nowNanos, rules),
            said);
      }
    }
    return new SyncAnswer(
        "sim",
        request.boot(),
        request.seq(),
        admission.status(),
        admission.detail(),
        admission.newestBoot(),
        request.generation() == here.book().generation() ? null : here.book(),
        admission.floor(),
        admission.drained(),
        said);
  }

  private void keep(
      Desk here, BucketId bucket, Ledger before, LedgerStep step, List<BucketOffer> said) {
    ledgers.put(bucket, marked(bucket, before, step.next()));
    Mark mark = step.mark();
    if (mark != null) {
      disk.marks.put(bucket, mark);
    }
    BucketOffer offer = step.offer();
    if (offer != null) {
      said.add(offer);
    }
    for (HolderId other : step.recalls()) {
      here.recall(other, bucket);
    }
  }

  private Ledger ledger(Desk here, BucketId bucket, LedgerTerms terms, long nowNanos) {
    Ledger known = ledgers.get(bucket);
    if (known != null) {
      return known;
    }
    Authority authority = here.authority(bucket.quota());
    Bucket untouched = here.untouched(bucket.quota(), nowNanos);
    Mark mark = disk.marks.get(bucket);
    return mark == null
        ? Ledger.open(terms, authority, untouched, new Mark(0, untouched.levelMicros()), nowNanos)
        : Ledger.openAtMark(terms, authority, untouched, mark, nowNanos);
  }

  /** Forgets the ledgers whose forgetting changes nothing. */
  void sweep() {
    long nowNanos = clock.nanos();
    if (desk != null) {
      store(desk, nowNanos);
    }
    ledgers
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = entry.getValue().isForgettableAt(nowNanos);
              if (gone) {
                disk.marks.remove(entry.getKey());
              }
              return gone;
            });
  }

  /** The pool of a bucket now, one nobody has asked about included; null while it is down. */
  @Nullable Bucket pool(BucketId bucket) {
    Desk here = desk;
    LedgerTerms terms = here == null ? null : here.terms(bucket.quota());
    return here == null || terms == null
        ? null
        : ledger(here, bucket, terms, clock.nanos()).adopt(terms, clock.nanos(), rules).pool();
  }

  @Nullable Ledger ledger(BucketId bucket) {
    return ledgers.get(bucket);
  }

  boolean isLearning(BucketId bucket) {
    Desk here = desk;
    return here != null && here.authority(bucket.quota()).isLearningAt(clock.nanos());
  }

  long nowNanos() {
    return clock.nanos();
  }
}
