package dev.weir.sim.fleet;

import static dev.weir.sim.fleet.Town.MILLIS;
import static dev.weir.sim.fleet.Town.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Rules;
import dev.weir.core.quota.Share;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 3 of the design, beside a central bucket that sees everything. */
class UtilisationTest {
  private static final int SHIFTS = 40;

  /** A town of three under steady traffic, each in tokens per second, after it has settled. */
  private static Town steady(long roundTripMillis, int floorPpm, double... perSecond) {
    Town town = new Town(1, 1_000, 1_000, floorPpm, roundTripMillis * MILLIS, "a", "b", "c");
    String[] names = {"a", "b", "c"};
    for (int i = 0; i < names.length; i++) {
      double rate = perSecond[i];
      town.traffic(names[i], nanos -> rate);
    }
    town.fleet.runFor(5 * SECOND);
    town.count();
    town.fleet.runFor(15 * SECOND);
    assertThat(town.fleet.violations()).isEmpty();
    return town;
  }

  @ParameterizedTest
  @CsvSource({"2, 0", "2, 100000", "80, 0", "80, 100000"})
  void regionsThatAllWantMoreUseEverythingAndGetTheSame(long roundTripMillis, int floorPpm) {
    Town town = steady(roundTripMillis, floorPpm, 700, 700, 700);
    assertThat(town.use()).isGreaterThan(0.99);
    assertThat(town.jain()).isGreaterThan(0.99);
  }

  @ParameterizedTest
  @CsvSource({"2, 0", "2, 100000", "80, 0", "80, 100000"})
  void atSeventyPercentNothingIsRefused(long roundTripMillis, int floorPpm) {
    Town town = steady(roundTripMillis, floorPpm, 500, 150, 50);
    assertThat(town.wronglyRefused()).isLessThan(0.001);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 80})
  void smallWantsAreMetAndTheRestIsUsed(long roundTripMillis) {
    Town town = steady(roundTripMillis, 100_000, 2_000, 2_000, 50);
    assertThat(town.use()).isGreaterThan(0.99);
    assertThat((double) town.tally("c").refused / town.tally("c").asked).isLessThan(0.02);
  }

  /** A town of three where a request costs a twentieth of the burst, with so many a second. */
  private static Town large(long roundTripMillis, int floorPpm, double perSecond) {
    String[] names = {"a", "b", "c"};
    Town town =
        new Town(1, 10_000, 10_000, 500, floorPpm, roundTripMillis * MILLIS, Rules.ALL, names);
    for (String name : names) {
      town.traffic(name, nanos -> perSecond);
    }
    town.fleet.runFor(5 * SECOND);
    town.count();
    long before = requests(town, names);
    town.fleet.runFor(30 * SECOND);
    assertThat(town.fleet.violations()).isEmpty();
    assertThat((requests(town, names) - before) / 90).as("a second").isLessThan(15);
    return town;
  }

  private static long requests(Town town, String... names) {
    return Arrays.stream(names).mapToLong(name -> town.agent(name).sent()).sum();
  }

  /** Between two of them nothing is asked for, and yet the load has not left. */
  @ParameterizedTest
  @CsvSource({"2, 0", "2, 100000", "80, 0", "80, 100000"})
  void whereRequestsAreFewAndLargeEverythingIsUsedAndShared(long roundTripMillis, int floorPpm) {
    Town town = large(roundTripMillis, floorPpm, 20);
    assertThat(town.use()).isGreaterThan(0.99);
    assertThat(town.jain()).isGreaterThan(0.99);
  }

  @ParameterizedTest
  @CsvSource({"2, 0", "2, 100000", "80, 0", "80, 100000"})
  void fewAndLargeRequestsBelowTheQuotaAreHardlyEverRefused(long roundTripMillis, int floorPpm) {
    assertThat(large(roundTripMillis, floorPpm, 4.6).use()).isGreaterThan(0.97);
  }

  @Test
  void aBusyRegionAmongSilentOnesUsesAllButTheirFloors() {
    Town town = steady(2, 100_000, 2_000, 0, 0);
    assertThat(town.use()).isGreaterThan(0.99 * (1 - 0.1 * 2 / 3));
  }

  /** With a sync interval T of 100 ms: T + RTT on average, and at worst. */
  @ParameterizedTest
  @CsvSource({"2, 125, 232", "30, 165, 290", "80, 310, 400"})
  void afterTheWholeLoadHasMovedTheNewRegionSoonHasNearlyAll(
      long roundTripMillis, double meanMillis, long worstMillis) {
    long sum = 0;
    long worst = 0;
    for (int seed = 0; seed < SHIFTS; seed++) {
      long took = shifted(seed, roundTripMillis);
      sum += took;
      worst = Math.max(worst, took);
    }
    assertThat((double) sum / SHIFTS).isLessThan(meanMillis);
    assertThat(worst).isLessThanOrEqualTo(worstMillis);
  }

  /** Milliseconds until a region may admit 95 % of what silent floors leave. */
  private static long shifted(int seed, long roundTripMillis) {
    Town town = new Town(seed, 1_000, 100, 100_000, roundTripMillis * MILLIS, "a", "b", "c");
    long atNanos = 6 * SECOND + (seed * 37 % 100) * MILLIS;
    town.traffic("a", nanos -> nanos < atNanos ? 2_000 : 0);
    town.traffic("b", nanos -> nanos < atNanos ? 0 : 2_000);
    town.fleet.runFor(atNanos - town.nowNanos());
    long enough = Math.round(0.95 * 1e9 * (1 - 0.1 * 2 / 3));
    long millis = 0;
    while (town.agent("b").share(Town.BUCKET, SECOND).rateMicros() < enough && millis < 5_000) {
      town.fleet.runFor(SECOND / 1_000);
      millis++;
    }
    return millis;
  }

  /**
   * One busy region that asks for many tokens at once and for a while for none, in all for less
   * than half of the quota, as jobs do.
   */
  @ParameterizedTest
  @CsvSource({
    "20, 500, 0",
    "20, 500, 100000",
    "20, 700, 0",
    "40, 1000, 0",
    "40, 1000, 100000",
    "60, 1500, 100000",
    "25, 2000, 0",
    "90, 5000, 0"
  })
  void aLoadThatComesInLumpsIsAdmitted(int lump, int everyMillis, int floorPpm) {
    Town town = new Town(1, 100, 100, floorPpm, 2 * MILLIS, "a", "b", "c");
    town.lumps("a", lump, everyMillis * MILLIS);
    town.fleet.runFor(12 * SECOND);
    town.count();
    town.fleet.runFor(60 * SECOND);
    assertThat(town.fleet.violations()).isEmpty();
    assertThat(town.asked()).isGreaterThan(600);
    assertThat(town.wronglyRefused()).isLessThan(0.001);
  }

  /** Beside others that ask for a little. */
  @ParameterizedTest
  @CsvSource({"20, 500, 0.02", "20, 700, 0.02", "25, 2000, 0.05", "40, 1000, 0.1"})
  void lumpsFindRoomBesideOthers(int lump, int everyMillis, double wronglyRefused) {
    Town town = new Town(1, 100, 100, 100_000, 2 * MILLIS, "a", "b", "c");
    town.lumps("a", lump, everyMillis * MILLIS);
    town.traffic("b", nanos -> 10);
    town.traffic("c", nanos -> 10);
    town.fleet.runFor(12 * SECOND);
    town.count();
    town.fleet.runFor(60 * SECOND);
    assertThat(town.fleet.violations()).isEmpty();
    assertThat(town.wronglyRefused()).isLessThan(wronglyRefused);
  }

  /** A lump claims far more than it can use; beside it a steady load keeps what it needs. */
  @Test
  void aSteadyLoadIsNotHurtByLumpsBesideIt() {
    Town town = new Town(1, 100, 100, 0, 2 * MILLIS, "a", "b");
    town.lumps("a", 5_000, 10 * SECOND);
    town.evenTraffic("b", nanos -> 90);
    town.fleet.runFor(12 * SECOND);
    town.count();
    town.fleet.runFor(60 * SECOND);
    Town.Tally steady = town.tally("b");
    assertThat((double) steady.admitted / steady.asked).isGreaterThan(0.85);
    assertThat(town.fleet.violations()).isEmpty();
  }

  /** The pool has less room than one request needs, and the floors have enough. */
  @ParameterizedTest
  @CsvSource({"5000, 250, 62", "300, 9, 1"})
  void roomBesideFloorsIsUsedHoweverLittleItIs(double perSecond, double burst, long cost) {
    Town town = new Town(1, perSecond, burst, cost, 900_000, 2 * MILLIS, Rules.ALL, "a", "b");
    town.evenTraffic("a", nanos -> perSecond / cost * 1.2);
    town.evenTraffic("b", nanos -> perSecond / cost * 1.2);
    town.fleet.runFor(3 * SECOND);
    town.count();
    town.fleet.runFor(10 * SECOND);
    assertThat(town.use()).isGreaterThan(0.97);
    assertThat(town.fleet.violations()).isEmpty();
  }

  /** What each of the others has too much is next to nothing, and together it is all a part. */
  @ParameterizedTest
  @ValueSource(ints = {21, 30, 45})
  void oneMoreRegionAmongManyGetsItsPart(int regions) {
    String[] names = IntStream.range(0, regions).mapToObj(i -> "r" + i).toArray(String[]::new);
    Town town = new Town(1, 10_000, 10_000, 0, 2 * MILLIS, names);
    String last = names[regions - 1];
    for (String name : names) {
      long fromNanos = name.equals(last) ? 4 * SECOND : 0;
      town.evenTraffic(name, nanos -> nanos < fromNanos ? 0 : 1_500);
    }
    town.fleet.runFor(8 * SECOND);
    town.count();
    town.fleet.runFor(5 * SECOND);
    assertThat(town.tally(last).admitted).isGreaterThan(45_000 / regions);
    assertThat(town.jain()).isGreaterThan(0.99);
    assertThat(town.use()).isGreaterThan(0.99);
  }

  @Test
  void anIdleRegionGivesItsShareBackWithinTwoSyncs() {
    Town town = new Town(3, 1_000, 100, 0, 2 * MILLIS, "a", "b");
    long atNanos = 6 * SECOND;
    town.traffic("a", nanos -> nanos < atNanos ? 2_000 : 0);
    town.traffic("b", nanos -> 2_000);
    town.fleet.runFor(atNanos - town.nowNanos());
    assertThat(town.agent("a").share(Town.BUCKET, SECOND).rateMicros()).isEqualTo(500_000_000);
    town.fleet.runFor(205 * MILLIS);
    assertThat(town.agent("a").share(Town.BUCKET, SECOND)).isEqualTo(Share.ZERO);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 2})
  void aBurstTooSmallForAllGoesRound(double burst) {
    Town town = new Town(1, 3, burst, 0, 10 * MILLIS, "a", "b", "c");
    for (String region : new String[] {"a", "b", "c"}) {
      town.traffic(region, nanos -> 20);
    }
    town.fleet.runFor(5 * SECOND);
    town.count();
    town.fleet.runFor(60 * SECOND);
    assertThat(town.jain()).isGreaterThan(0.95);
    assertThat(town.use()).isGreaterThan(0.75);
  }

  /** C5: 50 and 25 a second, on for a second and off for a second, in turn or together, of 160. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void onAndOffBelowTheQuotaNobodyIsRefused(int secondsApart) {
    for (int seed = 1; seed <= 8; seed++) {
      Town town = new Town(seed, 160, 160, 100_000, 10 * MILLIS, "a", "b", "c");
      town.evenTraffic("a", nanos -> nanos / SECOND % 2 == 0 ? 50 : 0);
      town.evenTraffic("b", nanos -> nanos / SECOND % 2 == secondsApart ? 25 : 0);
      town.fleet.runFor(5 * SECOND);
      town.count();
      town.fleet.runFor(60 * SECOND);
      assertThat(town.refused()).as("seed %d", seed).isZero();
    }
  }

  /** The same at random: more may come in a moment than a floor holds. */
  @Test
  void onAndOffAtRandomAlmostNobodyIsRefused() {
    double part = 0;
    for (int seed = 1; seed <= 8; seed++) {
      Town town = new Town(seed, 160, 160, 100_000, 10 * MILLIS, "a", "b", "c");
      town.traffic("a", nanos -> nanos / SECOND % 2 == 0 ? 50 : 0);
      town.traffic("b", nanos -> nanos / SECOND % 2 == 1 ? 25 : 0);
      town.fleet.runFor(5 * SECOND);
      town.count();
      town.fleet.runFor(60 * SECOND);
      part += town.wronglyRefused() / 8;
    }
    assertThat(part).isLessThan(0.001);
  }
}
