package dev.weir.coordinator.state;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.lease.Mark;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarkLogTest {
  private static final QuotaId DAILY = new QuotaId("shop", "daily");
  private static final BucketId ACME = new BucketId(DAILY, "tenant=acme");
  private static final BucketId ODD = new BucketId(DAILY, "tenant=a b%0A%3D,user=é");

  @TempDir Path folder;

  @BeforeEach
  void begin() throws IOException {
    MarkLog.create(path());
  }

  /** N8, as far as one disk has it: a higher mark arrives late over a lower one. */
  @Test
  void aMarkThatComesLateDoesNotCountWhereverItStands() throws Exception {
    byte[] first = MarkBatches.encodeAll(1, List.of(new MarkBatches.Entry(ACME, 3L, 400L)));
    byte[] late = MarkBatches.encode(2, List.of(new MarkBatches.Entry(ACME, 2L, 900L)));
    byte[] file = Arrays.copyOf(first, first.length + late.length);
    System.arraycopy(late, 0, file, first.length, late.length);
    Files.write(path(), file);
    try (MarkLog log = MarkLog.open(path())) {
      assertThat(log.mark(ACME)).isEqualTo(new Mark(3, 400));
      log.put(ACME, new Mark(1, 950));
      assertThat(log.mark(ACME)).isEqualTo(new Mark(3, 400));
    }
  }

  @Test
  void marksSurviveInOrderOfTheirNumbers() throws Exception {
    try (MarkLog log = MarkLog.open(path())) {
      log.put(ACME, new Mark(1, 900));
      log.put(ACME, new Mark(3, 400));
      log.put(ACME, new Mark(2, 700));
      log.put(ODD, new Mark(1, 5));
      await(log.durable(ACME));
      await(log.durable(ODD));
    }
    try (MarkLog log = MarkLog.open(path())) {
      assertThat(log.mark(ACME)).isEqualTo(new Mark(3, 400));
      assertThat(log.mark(ODD)).isEqualTo(new Mark(1, 5));
      assertThat(log.mark(new BucketId(DAILY, ""))).isNull();
    }
  }

  @Test
  void aForgottenMarkStaysForgottenAndNumbersMayBeginAnew() throws Exception {
    try (MarkLog log = MarkLog.open(path())) {
      log.put(ACME, new Mark(7, 900));
      log.put(ODD, new Mark(7, 900));
      log.forget(ACME, 8);
      log.forget(ODD, 8);
      log.put(ODD, new Mark(1, 300));
      await(log.durable(ACME));
      await(log.durable(ODD));
    }
    try (MarkLog log = MarkLog.open(path())) {
      assertThat(log.buckets()).containsExactly(ODD);
      assertThat(log.mark(ODD)).isEqualTo(new Mark(1, 300));
    }
  }

  @Test
  void aTornEndIsCutOffWhereverItWasTorn() throws Exception {
    try (MarkLog log = MarkLog.open(path())) {
      log.put(ACME, new Mark(1, 900));
      await(log.durable(ACME));
    }
    byte[] acknowledged = Files.readAllBytes(path());
    byte[] torn =
        MarkBatches.encode(seqOf(acknowledged) + 1, List.of(new MarkBatches.Entry(ACME, 2L, 100L)));
    for (int length = 0; length < torn.length; length++) {
      byte[] file = Arrays.copyOf(acknowledged, acknowledged.length + length);
      System.arraycopy(torn, 0, file, acknowledged.length, length);
      Files.write(path(), file);
      try (MarkLog log = MarkLog.open(path())) {
        assertThat(log.mark(ACME)).isEqualTo(new Mark(1, 900));
      }
    }
  }

  @Test
  void damageBeforeTheEndIsNotTakenForATornEnd() throws Exception {
    try (MarkLog log = MarkLog.open(path())) {
      for (int number = 1; number <= 3; number++) {
        log.put(ACME, new Mark(number, 900 - number));
        await(log.durable(ACME));
      }
    }
    byte[] file = Files.readAllBytes(path());
    // The second line of the file's second batch.
    int at = new String(file, US_ASCII).indexOf("1 899");
    file[at] = '7';
    Files.write(path(), file);
    assertThatThrownBy(() -> MarkLog.open(path())).isInstanceOf(DamagedStateException.class);
  }

  @Test
  void aFileThatIsGoneOrHasLostItsBeginningIsNotTakenForOneWithoutMarks() throws Exception {
    try (MarkLog log = MarkLog.open(path())) {
      log.put(ACME, new Mark(1, 900));
      await(log.durable(ACME));
    }
    byte[] file = Files.readAllBytes(path());
    int second = new String(file, US_ASCII).indexOf("batch ");
    for (byte[] left : List.of(Arrays.copyOfRange(file, second, file.length), new byte[0])) {
      Files.write(path(), left);
      assertThatThrownBy(() -> MarkLog.open(path())).isInstanceOf(DamagedStateException.class);
    }
    Files.delete(path());
    assertThatThrownBy(() -> MarkLog.open(path())).isInstanceOf(DamagedStateException.class);
  }

  @Test
  void theFileStaysShortHoweverManyMarksThereWere() throws Exception {
    try (MarkLog log = MarkLog.open(path())) {
      for (int round = 1; round <= 30; round++) {
        for (int tenant = 0; tenant < 2_000; tenant++) {
          log.put(tenant(tenant), new Mark(round, 1_000_000 - round));
        }
        await(log.durable(tenant(1_999)));
      }
    }
    assertThat(Files.size(path())).isLessThan(1_500_000);
    try (MarkLog log = MarkLog.open(path())) {
      assertThat(log.mark(tenant(17))).isEqualTo(new Mark(30, 999_970));
    }
  }

  @Test
  void marksThatComeDuringAWriteShareTheNextOne() throws Exception {
    HeldFile file = new HeldFile();
    file.turns.release();
    MarkLog log = MarkLog.open(file, nothing());
    log.put(tenant(0), new Mark(1, 1));
    CompletableFuture<Void> first = log.durable(tenant(0));
    file.started.acquire(2);
    List<CompletableFuture<Void>> others = new ArrayList<>();
    for (int tenant = 1; tenant <= 100; tenant++) {
      log.put(tenant(tenant), new Mark(1, 1));
      others.add(log.durable(tenant(tenant)));
    }
    assertThat(first).isNotDone();
    file.turns.release(2);
    await(first);
    for (CompletableFuture<Void> other : others) {
      await(other);
    }
    assertThat(file.writes.get()).as("one to begin with, one, and one for a hundred").isEqualTo(3);
    log.close();
  }

  @Test
  void aMarkThatIsMadeAnewWhileItsForgettingWaitsForTheDiskCountsAlthoughItsNumberIsSmaller()
      throws Exception {
    HeldFile file = new HeldFile();
    file.turns.release(2);
    MarkLog log = MarkLog.open(file, nothing());
    log.put(ACME, new Mark(7, 900));
    await(log.durable(ACME));
    log.put(ODD, new Mark(1, 5));
    file.started.acquire(3);
    // These wait together while the disk is busy.
    log.forget(ACME, 8);
    log.put(ACME, new Mark(1, 300));
    log.forget(ACME, 2);
    log.put(ACME, new Mark(1, 200));
    file.turns.release(1_000);
    await(log.durable(ACME));
    log.close();
    assertThat(MarkBatches.read(file.content, path()).marks())
        .containsEntry(ACME, new Mark(1, 200));
  }

  @Test
  void aMarkThatCouldNotBeWrittenIsOwedUntilItIs() throws Exception {
    HeldFile file = new HeldFile();
    file.turns.release(1_000);
    MarkLog log = MarkLog.open(file, nothing());
    file.failure = "disk full";
    log.put(ACME, new Mark(1, 400));
    assertThatThrownBy(() -> await(log.durable(ACME)))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("disk full");
    assertThatThrownBy(() -> await(log.durable(ACME))).isInstanceOf(ExecutionException.class);
    assertThat(log.problem()).contains("disk full");
    assertThat(log.durable(ODD)).isCompleted();
    file.failure = null;
    log.put(ODD, new Mark(1, 5));
    await(log.durable(ODD));
    await(log.durable(ACME));
    assertThat(log.problem()).isNull();
    log.close();
    assertThat(MarkBatches.read(file.content, path()).marks())
        .containsEntry(ACME, new Mark(1, 400))
        .containsEntry(ODD, new Mark(1, 5));
  }

  /** Written to only when told, or not at all. */
  private static final class HeldFile implements MarkFile {
    private final Semaphore turns = new Semaphore(0);
    private final Semaphore started = new Semaphore(0);
    private volatile @Nullable String failure;
    private volatile byte[] content = {};
    private final AtomicInteger writes = new AtomicInteger();

    @Override
    public void append(byte[] batch) throws IOException {
      turn();
      byte[] longer = Arrays.copyOf(content, content.length + batch.length);
      System.arraycopy(batch, 0, longer, content.length, batch.length);
      content = longer;
    }

    @Override
    public void replace(byte[] batches) throws IOException {
      turn();
      content = batches;
    }

    private void turn() throws IOException {
      writes.incrementAndGet();
      started.release();
      turns.acquireUninterruptibly();
      String why = failure;
      if (why != null) {
        throw new IOException(why);
      }
    }

    @Override
    public void close() {}
  }

  private static MarkBatches.Content nothing() {
    return new MarkBatches.Content(new HashMap<>(), 0, 0);
  }

  private static BucketId tenant(int number) {
    return new BucketId(DAILY, "tenant=t" + number);
  }

  private static void await(CompletableFuture<Void> future) throws Exception {
    future.get(10, SECONDS);
  }

  private long seqOf(byte[] file) throws IOException {
    return MarkBatches.read(file, path()).lastSeq();
  }

  private Path path() {
    return folder.resolve("marks.log");
  }
}
