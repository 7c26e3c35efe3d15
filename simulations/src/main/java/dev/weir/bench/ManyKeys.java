package dev.weir.bench;

import dev.weir.core.bucket.HotBucket;
import dev.weir.core.quota.Tokens;
import io.github.bucket4j.Bucket;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
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

/**
 * One decision on one of a million keys: the text is looked up, the bucket found and asked. The
 * texts asked with are other objects than those in the table, as they are in a server.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ManyKeys {
  private static final int KEYS = 1_000_000;
  private static final int QUESTIONS = 1 << 20;
  private static final double ZIPF = 0.99;
  private static final long TEN_DAYS_NANOS = TimeUnit.DAYS.toNanos(10);

  /** What decides. */
  public enum Limiter {
    /** The look-up alone. */
    LOOKUP,
    GCRA,
    WEIR,
    BUCKET4J
  }

  /** Which keys are asked for. */
  public enum Spread {
    ZIPF,
    UNIFORM
  }

  @Param({"LOOKUP", "GCRA", "WEIR", "BUCKET4J"})
  public Limiter limiter = Limiter.WEIR;

  @Param({"ZIPF", "UNIFORM"})
  public Spread spread = Spread.ZIPF;

  private Ask ask = key -> false;
  private String[] keys = {};
  private int[] questions = {};

  interface Ask {
    boolean about(String key);
  }

  /** Where a thread is in the list of questions. */
  @State(Scope.Thread)
  public static class Place {
    private int next;
  }

  /** Fills the table. */
  @Setup(Level.Trial)
  public void setUp() {
    keys = new String[KEYS];
    Arrays.setAll(keys, ManyKeys::text);
    questions = spread == Spread.ZIPF ? zipf() : uniform();
    ask =
        switch (limiter) {
          case LOOKUP -> lookup();
          case GCRA -> gcra();
          case WEIR -> weir();
          case BUCKET4J -> bucket4j();
        };
    for (String key : keys) {
      if (!ask.about(key)) {
        throw new IllegalStateException(limiter + " refuses " + key);
      }
    }
  }

  /** One decision. */
  @Benchmark
  public boolean decide(Place place, CpuShare share) {
    int at = place.next;
    place.next = (at + 1) & (QUESTIONS - 1);
    return ask.about(keys[questions[at]]);
  }

  private Ask lookup() {
    ConcurrentHashMap<String, Boolean> table = table(key -> Boolean.TRUE);
    return key -> table.get(key) != null;
  }

  private Ask gcra() {
    ConcurrentHashMap<String, Gcra> table = table(key -> new Gcra(System.nanoTime()));
    return key -> {
      Gcra known = table.get(key);
      return known != null && known.take(1, TEN_DAYS_NANOS, System.nanoTime());
    };
  }

  private Ask weir() {
    ConcurrentHashMap<String, HotBucket> table =
        HotKey.sharingTerms(HotKey.Load.ONE_OF_MANY, this::table);
    return key -> {
      HotBucket known = table.get(key);
      return known != null && known.take(Tokens.MICROS_PER_TOKEN, System.nanoTime()) >= 0;
    };
  }

  private Ask bucket4j() {
    ConcurrentHashMap<String, Bucket> table =
        table(key -> HotKey.bucket4j(HotKey.Load.ONE_OF_MANY));
    return key -> {
      Bucket known = table.get(key);
      return known != null && known.tryConsume(1);
    };
  }

  private <T> ConcurrentHashMap<String, T> table(Function<String, T> value) {
    ConcurrentHashMap<String, T> table = new ConcurrentHashMap<>();
    for (int i = 0; i < KEYS; i++) {
      String key = text(i);
      table.put(key, value.apply(key));
    }
    return table;
  }

  /** 21 characters, such as {@code tenant=0047/user=4711}, all different. */
  private static String text(int i) {
    return String.format("tenant=%04d/user=%04d", i % 10_000, i / 100);
  }

  private static int[] uniform() {
    SplittableRandom random = new SplittableRandom(7);
    return random.ints(QUESTIONS, 0, KEYS).toArray();
  }

  /** The popular keys lie anywhere in memory, as they would. */
  private static int[] zipf() {
    SplittableRandom random = new SplittableRandom(7);
    double[] upTo = new double[KEYS];
    double sum = 0;
    for (int i = 0; i < KEYS; i++) {
      sum += Math.pow(i + 1, -ZIPF);
      upTo[i] = sum;
    }
    int[] places = shuffled(random);
    int[] asked = new int[QUESTIONS];
    for (int i = 0; i < QUESTIONS; i++) {
      int found = Arrays.binarySearch(upTo, random.nextDouble() * sum);
      asked[i] = places[Math.min(KEYS - 1, found < 0 ? -found - 1 : found)];
    }
    return asked;
  }

  private static int[] shuffled(SplittableRandom random) {
    int[] places = new int[KEYS];
    Arrays.setAll(places, i -> i);
    for (int i = KEYS - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int place = places[i];
      places[i] = places[j];
      places[j] = place;
    }
    return places;
  }
}
