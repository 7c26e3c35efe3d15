package dev.weir.bench;

import dev.weir.core.bucket.Footing;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.bucket.SharedTerms;
import dev.weir.core.bucket.Standing;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One decision on one bucket, with the exact clock, by as many threads as the run is given. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HotKey {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long TEN_DAYS_NANOS = TimeUnit.DAYS.toNanos(10);

  /** What the bucket is like. */
  public enum Load {
    /** Tokens are taken faster than they are made, out of a burst that lasts. */
    DRAINING,
    /** More is made than taken: the bucket overflows between any two decisions. */
    FULL,
    /** One of many keys: a million a second. */
    ONE_OF_MANY,
    /** Nothing is left. */
    DENY
  }

  /** What decides. */
  public enum Limiter {
    CLOCK,
    GCRA,
    WEIR,
    BUCKET4J
  }

  @Param({"GCRA", "WEIR", "BUCKET4J"})
  public Limiter limiter = Limiter.WEIR;

  @Param({"DRAINING", "FULL", "DENY"})
  public Load load = Load.DRAINING;

  private Take take = () -> false;

  /**
   * What is read at each decision and what is written lies on cache lines of its own, for all
   * limiters: else where the heap happens to put them decides what two threads cost each other.
   */
  private final List<byte[]> gaps = new ArrayList<>();

  interface Take {
    boolean one();
  }

  /** Makes the bucket, and checks that it does what it is measured at. */
  @Setup(Level.Trial)
  public void setUp() {
    take =
        switch (limiter) {
          case CLOCK -> () -> System.nanoTime() != 0;
          case GCRA -> gcra();
          case WEIR -> weir();
          case BUCKET4J -> bucket4j();
        };
    for (int i = 0; i < 3; i++) {
      take.one();
    }
    if (limiter != Limiter.CLOCK && take.one() != (load != Load.DENY)) {
      throw new IllegalStateException(limiter + " does not " + load);
    }
  }

  /** One decision. */
  @Benchmark
  public boolean decide(CpuShare share) {
    return take.one();
  }

  private Take gcra() {
    Gcra gcra = apart(new Gcra(System.nanoTime()));
    long spacingNanos =
        switch (load) {
          case DRAINING -> 1_000;
          case FULL, ONE_OF_MANY -> 1;
          case DENY -> TEN_DAYS_NANOS;
        };
    return () -> gcra.take(spacingNanos, TEN_DAYS_NANOS, System.nanoTime());
  }

  private Take weir() {
    SharedTerms terms = apart(terms(load));
    HotBucket bucket = apart(new HotBucket(terms));
    return () -> bucket.take(Tokens.MICROS_PER_TOKEN, System.nanoTime()) >= 0;
  }

  private <T> T apart(T made) {
    gaps.add(new byte[1_024]);
    return made;
  }

  private static SharedTerms terms(Load load) {
    Share share =
        switch (load) {
          case DRAINING -> new Share(Tokens.micros(1_000_000), Tokens.MAX_MICROS);
          case FULL -> new Share(Tokens.micros(1_000_000_000), Tokens.micros(1_000_000_000));
          case ONE_OF_MANY -> new Share(Tokens.micros(1_000_000), Tokens.micros(1_000_000));
          case DENY -> new Share(1, Tokens.micros(1));
        };
    Footing footing = Footing.lasting(Standing.FLOOR, share, SECOND_NANOS);
    return SharedTerms.first(footing, share.burstMicros(), System.nanoTime());
  }

  /** Buckets of many keys on one floor. */
  static <T> T sharingTerms(Load load, Function<Function<String, HotBucket>, T> table) {
    SharedTerms terms = terms(load);
    return table.apply(key -> new HotBucket(terms));
  }

  private Take bucket4j() {
    Bucket bucket = apart(bucket4j(load));
    return () -> bucket.tryConsume(1);
  }

  static Bucket bucket4j(Load load) {
    LocalBucketBuilder builder = Bucket.builder();
    switch (load) {
      case DRAINING -> limit(builder, 1L << 60, 1_000_000, Duration.ofSeconds(1));
      case FULL -> limit(builder, 100_000_000, 100_000_000, Duration.ofSeconds(1));
      case ONE_OF_MANY -> limit(builder, 1_000_000, 1_000_000, Duration.ofSeconds(1));
      case DENY -> limit(builder, 1, 1, Duration.ofDays(10));
    }
    return builder.withNanosecondPrecision().build();
  }

  private static void limit(LocalBucketBuilder builder, long burst, long tokens, Duration per) {
    builder.addLimit(limit -> limit.capacity(burst).refillGreedy(tokens, per));
  }
}
