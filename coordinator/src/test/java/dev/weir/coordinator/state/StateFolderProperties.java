package dev.weir.coordinator.state;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.bound.AdmissionBound;
import dev.weir.core.lease.FloorBook;
import dev.weir.core.lease.FloorBook.RegionFloors;
import dev.weir.core.lease.Mark;
import dev.weir.core.message.FloorShare;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.BucketKey;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.testkit.Quotas;
import dev.weir.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** What is stored is what is read, and what is not what was stored is never read. */
class StateFolderProperties {
  private static final List<String> FILES =
      List.of("cluster.json", "quotas.json", "floors.json", "marks.log");

  @TempDir Path temp;

  /** All that a data folder says. */
  private record Memory(
      String cluster, StoredQuotas quotas, FloorBook floors, Map<BucketId, Mark> marks) {
    Memory with(Map<BucketId, Mark> others) {
      return new Memory(cluster, quotas, floors, others);
    }
  }

  @Seeds(tries = 100)
  void whatIsStoredIsReadAsItWas(Random random) throws Exception {
    Memory memory = stored(temp.resolve("data"), random);
    assertThat(read(temp.resolve("data"))).isEqualTo(memory);
  }

  @Seeds(tries = 300)
  void aFileThatIsNotWhatWasWrittenStopsTheStart(Random random) throws Exception {
    Path folder = temp.resolve("data");
    Memory memory = stored(folder, random);
    String name = FILES.get(random.nextInt(FILES.size()));
    Path file = folder.resolve(name);
    byte[] whole = Files.readAllBytes(file);
    byte[] damaged = damaged(whole, folder, name, random);
    if (damaged == null) {
      Files.delete(file);
    } else {
      Files.write(file, damaged);
    }
    if (damaged != null && name.equals("marks.log")) {
      Map<BucketId, Mark> left = marksBefore(firstDamage(whole, damaged), whole, file);
      assertThat(outcome(folder)).isIn("marks.log", left == null ? "" : memory.with(left));
    } else if (!Arrays.equals(whole, damaged)) {
      assertThat(outcome(folder)).isEqualTo(name);
    }
  }

  /** What is read; or the name of the file that is said to be damaged. */
  private static Object outcome(Path folder) throws IOException {
    try {
      return read(folder);
    } catch (DamagedStateException damaged) {
      return FILES.stream()
          .filter(name -> String.valueOf(damaged.getMessage()).contains("/" + name + " is damaged"))
          .findFirst()
          .orElseThrow();
    } catch (StartRefusedException refused) {
      return "cluster.json";
    }
  }

  /**
   * A batch that is broken with none after it is taken for one that a crash left half written: it
   * was never acknowledged, if the disk is sound. Null where not even the first is whole.
   */
  private static @Nullable Map<BucketId, Mark> marksBefore(int damage, byte[] whole, Path file)
      throws IOException {
    String text = new String(whole, US_ASCII);
    int end = whole.length;
    while (end > damage) {
      end = text.lastIndexOf("batch ", end - 1);
      if (end < 0) {
        return null;
      }
    }
    return MarkBatches.read(Arrays.copyOf(whole, end), file).marks();
  }

  private static int firstDamage(byte[] whole, byte[] damaged) {
    int first = Arrays.mismatch(whole, damaged);
    return first < 0 ? whole.length : first;
  }

  // ------------------------------------------------------------------------------ damage

  private static byte @Nullable [] damaged(byte[] whole, Path folder, String name, Random random)
      throws IOException {
    int from = random.nextInt(whole.length);
    int to = from + random.nextInt(whole.length - from + 1);
    switch (random.nextInt(7)) {
      case 0 -> {
        byte[] flipped = whole.clone();
        flipped[from] ^= (byte) (1 << random.nextInt(8));
        return flipped;
      }
      case 1 -> {
        return Arrays.copyOf(whole, from);
      }
      case 2 -> {
        return joined(Arrays.copyOf(whole, from), Arrays.copyOfRange(whole, to, whole.length));
      }
      case 3 -> {
        return joined(Arrays.copyOf(whole, to), Arrays.copyOfRange(whole, from, whole.length));
      }
      case 4 -> {
        byte[] zeroed = whole.clone();
        Arrays.fill(zeroed, from, to, (byte) 0);
        return zeroed;
      }
      case 5 -> {
        String other = FILES.get(random.nextInt(FILES.size()));
        return other.equals(name) ? new byte[0] : Files.readAllBytes(folder.resolve(other));
      }
      default -> {
        return null;
      }
    }
  }

  private static byte[] joined(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  // ------------------------------------------------------------------------------ anything

  private static Memory read(Path folder) throws IOException, StartRefusedException {
    try (StateFolder state = StateFolder.open(folder, new StartWord.None())) {
      Map<BucketId, Mark> marks = new HashMap<>();
      for (BucketId bucket : state.marks().buckets()) {
        Mark mark = state.marks().mark(bucket);
        if (mark != null) {
          marks.put(bucket, mark);
        }
      }
      return new Memory(state.identity().cluster(), state.quotas(), state.floors(), marks);
    }
  }

  private static Memory stored(Path folder, Random random) throws Exception {
    StoredQuotas quotas = anyQuotas(random);
    FloorBook floors = anyFloors(random);
    Map<BucketId, Mark> marks = new HashMap<>();
    StartWord word =
        random.nextBoolean()
            ? new StartWord.FirstStart()
            : new StartWord.LostData(random.nextBoolean() ? null : "old", random.nextInt());
    try (StateFolder state = StateFolder.open(folder, word)) {
      state.store(quotas);
      state.store(floors);
      for (int i = random.nextInt(6); i >= 0; i--) {
        BucketId bucket =
            new BucketId(anyId(random), BucketKey.encode(Quotas.anyDescriptors(random)));
        Mark mark = new Mark(i + 1, Quotas.between(random, 0, Tokens.MAX_MICROS));
        if (!marks.containsKey(bucket)) {
          marks.put(bucket, mark);
          state.marks().put(bucket, mark);
          state.marks().durable(bucket).get(10, SECONDS);
        }
      }
      return new Memory(state.identity().cluster(), quotas, floors, marks);
    }
  }

  private static StoredQuotas anyQuotas(Random random) {
    Map<String, DomainBook> files = new TreeMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      files.put("d" + i, anyDomain("d" + i, random));
    }
    Set<String> drained = new HashSet<>();
    List<StoredQuotas.PastChange> changes = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      drained.add("r" + random.nextInt(9));
      QuotaSpec quota = Quotas.any(random, anyId(random));
      AdmissionBound.of(quota, Quotas.anyRegions(random, 3), 500, 50_000_000)
          .terms()
          .forEach(
              term ->
                  changes.add(
                      new StoredQuotas.PastChange(quota.id(), term, random.nextLong() >>> 1)));
    }
    return new StoredQuotas(
        Quotas.between(random, 1, Long.MAX_VALUE),
        files,
        Map.of("api", anyDomain("api", random)),
        anyLongs(random),
        anyLongs(random),
        anyLongs(random),
        Quotas.between(random, 0, Long.MAX_VALUE),
        drained,
        changes);
  }

  private static DomainBook anyDomain(String domain, Random random) {
    List<QuotaSpec> quotas = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      quotas.add(Quotas.any(random, new QuotaId(domain, "q" + i)));
    }
    return new DomainBook(domain, Quotas.anyRegions(random, 3), quotas);
  }

  private static FloorBook anyFloors(Random random) {
    Map<String, RegionFloors> regions = new HashMap<>();
    for (Region region : Quotas.anyRegions(random, 4)) {
      regions.put(
          region.name(),
          new RegionFloors(
              random.nextBoolean() ? "" : "folder " + random.nextInt(),
              Quotas.between(random, -1, Long.MAX_VALUE),
              Quotas.between(random, 0, Long.MAX_VALUE),
              Quotas.between(random, 0, Long.MAX_VALUE),
              anyShares(random),
              anyShares(random)));
    }
    return new FloorBook(Quotas.between(random, 0, Long.MAX_VALUE), regions);
  }

  private static Map<QuotaId, FloorShare> anyShares(Random random) {
    Map<QuotaId, FloorShare> shares = new HashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      Rate rate = Quotas.anyRate(random);
      shares.put(
          anyId(random),
          new FloorShare(
              rate.perNanos(),
              new Share(rate.micros(), Quotas.between(random, 0, Tokens.MAX_MICROS)),
              Quotas.between(random, 1, Long.MAX_VALUE)));
    }
    return shares;
  }

  private static Map<QuotaId, Long> anyLongs(Random random) {
    Map<QuotaId, Long> values = new HashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      values.put(anyId(random), Quotas.between(random, 0, Long.MAX_VALUE));
    }
    return values;
  }

  private static QuotaId anyId(Random random) {
    return new QuotaId("d" + random.nextInt(3), "q-" + random.nextInt(5) + ".x_y");
  }
}
