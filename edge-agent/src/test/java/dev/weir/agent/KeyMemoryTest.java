package dev.weir.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Rules;
import dev.weir.core.bucket.Change;
import dev.weir.core.bucket.Footing;
import dev.weir.core.bucket.SharedTerms;
import dev.weir.core.bucket.Standing;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Bytes per key beyond the text of the key, measured: used heap after full collections, with the
 * objects less without, on a JVM with compressed references and 12-byte headers.
 */
class KeyMemoryTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long TOKEN = Tokens.MICROS_PER_TOKEN;
  private static final int KEYS = 200_000;

  /** A ConcurrentHashMap's node, and its part of the slots where a million keys are in 2^21. */
  private static final double TABLE = 32 + 4.0 * (1 << 21) / 1_000_000;

  /**
   * Bytes. Objects are laid out in steps of 8: within half a step the size is certain, whatever
   * other tests of the same JVM leave behind or let go meanwhile.
   */
  private static final double NOISE = 3.5;

  private final String[] names = new String[KEYS];

  @Test
  void aKeyOnItsFloorTakesOneObjectOf64BytesBesideTheTable() {
    SharedTerms terms = SharedTerms.first(Footing.nothing(Standing.NO_LEASE), 0, System.nanoTime());
    KeyBucket[] buckets = new KeyBucket[KEYS];
    long before = usedBytes();
    Arrays.setAll(buckets, i -> new KeyBucket("", terms));
    double each = (usedBytes() - before) / (double) KEYS;
    assertThat(each).isBetween(64 - NOISE, 64 + NOISE);
    assertThat(each + TABLE).isLessThanOrEqualTo(128);
    assertThat(buckets).doesNotContainNull();
  }

  @Test
  void theWholeTableTakesNoMoreThan128BytesAKey() {
    Arrays.setAll(names, i -> "user" + i);
    long before = usedBytes();
    QuotaKeys keys = table();
    // The collector counts the slots in whole regions, so this one is not exact.
    assertThat((usedBytes() - before) / (double) KEYS).isBetween(90.0, 128.0);
    assertThat(keys.size()).isEqualTo(KEYS);
  }

  @Test
  void aKeyWithALeaseTakesTermsOfItsOwnOf80Bytes() {
    Arrays.setAll(names, i -> "user" + i);
    QuotaKeys keys = table();
    long before = usedBytes();
    long now = System.nanoTime();
    Footing after = Footing.nothing(Standing.LEASE_EXPIRED);
    for (String name : names) {
      Footing lease =
          Footing.lasting(Standing.LEASE, new Share(50 * TOKEN, 50 * TOKEN), SECOND_NANOS)
              .until(now + 10 * SECOND_NANOS, after, Rules.ALL);
      keys.bucket(name, now).change(Change.to(lease), now);
    }
    double each = (usedBytes() - before) / (double) KEYS;
    assertThat(each).isBetween(80 - NOISE, 80 + NOISE);
    assertThat(keys.size()).isEqualTo(KEYS);
  }

  private QuotaKeys table() {
    QuotaSpec spec =
        QuotaSpec.leased(
            new QuotaId("shop", "api"),
            List.of(new Match("user", null)),
            Rate.perSecond(100),
            100 * TOKEN);
    QuotaKeys keys = new QuotaKeys(spec, new KeyRoom(KEYS), System.nanoTime());
    for (String name : names) {
      keys.bucket(name, System.nanoTime());
    }
    return keys;
  }

  private static long usedBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
