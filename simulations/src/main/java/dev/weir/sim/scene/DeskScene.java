package dev.weir.sim.scene;

import dev.weir.core.Rules;
import dev.weir.core.lease.Admission;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.FloorBook;
import dev.weir.core.lease.FloorBook.RegionFloors;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.lease.LedgerTerms;
import dev.weir.core.lease.Loss;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.FloorGrant;
import dev.weir.core.message.FloorShare;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Share;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A desk with one quota, moved along a timeline by hand; times are seconds. */
final class DeskScene {
  static final QuotaId QUOTA = Scene.BUCKET.quota();
  static final long AUTHORITY = 1;

  final Rules rules;
  final LeaseTiming timing = LeaseTiming.DEFAULT;
  Desk desk;
  private QuotaSpec quota;
  private List<Region> regions = List.of();
  private long generation;
  private long nowNanos;
  private final Map<String, Long> named = new HashMap<>();
  private final Map<String, Map<QuotaId, FloorShare>> used = new HashMap<>();

  DeskScene(double rate, double burst, int floorPpm, Rules rules) {
    this.rules = rules;
    this.quota =
        QuotaSpec.leased(
                QUOTA,
                List.of(),
                new Rate(Scene.micros(rate), Scene.SECOND_NANOS),
                Scene.micros(burst))
            .withMaxCost(1_000_000)
            .withLease(lease(2, floorPpm));
    this.desk =
        new Desk(
            Desk.Start.FIRST, AUTHORITY, FloorBook.EMPTY, Map.of(), Loss.NONE, timing, rules, 0);
  }

  static LeaseTerms lease(long ttlSeconds, int floorPpm) {
    return new LeaseTerms(
        ttlSeconds * Scene.SECOND_NANOS,
        floorPpm,
        true,
        60 * Scene.SECOND_NANOS,
        ttlSeconds * Scene.SECOND_NANOS * 5 / 2,
        LeaseTerms.DEFAULT_WAIT);
  }

  DeskScene at(double seconds) {
    nowNanos = Math.round(seconds * 1e9);
    return this;
  }

  long nowNanos() {
    return nowNanos;
  }

  QuotaSpec quota() {
    return quota;
  }

  void regions(String... names) {
    regions = Arrays.stream(names).map(name -> new Region(name, 1)).toList();
    adopt();
  }

  void weights(Region... weighted) {
    regions = List.of(weighted);
    adopt();
  }

  void quota(QuotaSpec next) {
    quota = next;
    adopt();
  }

  void floorTtl(long seconds) {
    LeaseTerms lease = quota.lease();
    quota =
        quota.withLease(
            new LeaseTerms(
                lease.ttlNanos(),
                lease.floorPpm(),
                lease.lend(),
                seconds * Scene.SECOND_NANOS,
                lease.lendTtlNanos(),
                lease.firstLeaseWaitNanos()));
  }

  void floors(int floorPpm) {
    quota(quota.withLease(lease(quota.lease().ttlNanos() / Scene.SECOND_NANOS, floorPpm)));
  }

  private void adopt() {
    desk.adopt(book(), Map.of(), nowNanos);
  }

  /** The quota is removed; {@link #quota} makes it again. */
  void removed() {
    desk.adopt(book(List.of()), Map.of(), nowNanos);
  }

  private QuotaBook book() {
    return book(List.of(quota));
  }

  private QuotaBook book(List<QuotaSpec> quotas) {
    return new QuotaBook(
        ++generation, Map.of(QUOTA.domain(), new DomainBook(QUOTA.domain(), regions, quotas)));
  }

  /** What the desk knows is on disk; returns whether that freed floors. */
  boolean stored() {
    return desk.stored(desk.floors(), nowNanos);
  }

  /** Another desk begins on what this one has stored. */
  void restart(Desk.Start start, Map<QuotaId, Long> untouched) {
    boolean lost = start == Desk.Start.LOST_DATA;
    restart(start, untouched, lost, Loss.NONE);
  }

  /** Another desk begins on nothing: leases may be alive for so long. */
  void loses(long ttlSeconds) {
    restart(Desk.Start.LOST_DATA, Map.of(), true, new Loss(ttlSeconds * Scene.SECOND_NANOS, 0));
  }

  /** Another desk begins on what this one has stored since data was lost. */
  void restartSinceLoss(long ttlSeconds, Map<QuotaId, Long> untouched) {
    long ranNanos = desk.ranSinceLossNanos(nowNanos);
    restart(
        Desk.Start.LOST_DATA,
        untouched,
        false,
        new Loss(ttlSeconds * Scene.SECOND_NANOS, ranNanos));
  }

  private void restart(Desk.Start start, Map<QuotaId, Long> untouched, boolean lost, Loss loss) {
    desk =
        new Desk(
            start,
            AUTHORITY + 1,
            lost ? new FloorBook(desk.floors().version() + 1_000, Map.of()) : desk.floors(),
            lost ? Map.of() : desk.longestTtls(nowNanos),
            loss,
            timing,
            rules,
            nowNanos);
    desk.adopt(book(), untouched, nowNanos);
  }

  /** A process asks, names the floors it uses, and uses those it is answered. */
  Admission asks(String region, String folder, long boot) {
    Admission admission = desk.admit(request(region, folder, boot, false), nowNanos);
    String process = folder + boot;
    FloorGrant grant = admission.floor();
    if (grant == null) {
      named.remove(process);
      used.remove(process);
    } else {
      named.put(process, grant.version());
      if (grant.table() != null) {
        used.put(process, grant.table());
      }
    }
    return admission;
  }

  /** A process asks; the answer is lost. */
  Admission asksInVain(String region, String folder, long boot) {
    return desk.admit(request(region, folder, boot, false), nowNanos);
  }

  Admission leaves(String region, String folder, long boot) {
    Admission admission = desk.admit(request(region, folder, boot, true), nowNanos);
    used.remove(folder + boot);
    return admission;
  }

  SyncRequest request(String region, String folder, long boot, boolean leaving) {
    return new SyncRequest(
        "c",
        region,
        folder,
        boot,
        1,
        generation,
        named.getOrDefault(folder + boot, 0L),
        leaving,
        List.<BucketReport>of(),
        List.of());
  }

  /** The floor a process uses. */
  Share floorOf(String folder, long boot) {
    FloorShare floor = used.getOrDefault(folder + boot, Map.of()).get(QUOTA);
    return floor == null ? Share.ZERO : floor.share();
  }

  /** All floors in use. */
  Share floorsInUse() {
    Share sum = Share.ZERO;
    for (Map<QuotaId, FloorShare> table : used.values()) {
      FloorShare floor = table.get(QUOTA);
      sum = floor == null ? sum : sum.plus(floor.share());
    }
    return sum;
  }

  LedgerTerms terms() {
    return Objects.requireNonNull(desk.terms(QUOTA));
  }

  /** What pool and leases may have. */
  Share leasable() {
    return terms().leasable();
  }

  RegionFloors entry(String region) {
    return Objects.requireNonNull(desk.floors().regions().get(region));
  }
}
