package dev.weir.coordinator.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.core.lease.Mark;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.BucketKey;
import dev.weir.core.quota.QuotaId;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Marks as text. The file is a row of batches, each written with one call and one fsync; a batch is
 * a line {@code batch SEQ BYTES CRC} and, in as many bytes, a line {@code NUMBER LEVEL QUOTA KEY}
 * per mark, the level {@code -} where the mark is forgotten. Of a bucket the largest number counts.
 * The first batch holds all marks there were and was put in place whole; its line begins with
 * {@code marks}, so that a file that has lost its beginning is known for one.
 */
final class MarkBatches {
  private static final String FIRST = "marks ";
  private static final String HEAD = "batch ";
  private static final int HEAD_BYTES_MAX = 80;

  private MarkBatches() {}

  /**
   * One line.
   *
   * @param levelMicros the level, or null when the bucket is full and its mark is forgotten
   */
  record Entry(BucketId bucket, long number, @Nullable Long levelMicros) {}

  /**
   * What a file held.
   *
   * @param marks by bucket
   * @param lastSeq number of the last whole batch
   * @param goodBytes length of what is whole; a torn end comes after it
   */
  record Content(Map<BucketId, Mark> marks, long lastSeq, int goodBytes) {}

  /** The beginning of a file: every mark there is. */
  static byte[] encodeAll(long seq, Collection<Entry> entries) {
    return encode(FIRST, seq, entries);
  }

  /** What is added to a file. */
  static byte[] encode(long seq, Collection<Entry> entries) {
    return encode(HEAD, seq, entries);
  }

  private static byte[] encode(String kind, long seq, Collection<Entry> entries) {
    StringBuilder lines = new StringBuilder(entries.size() * 48);
    for (Entry entry : entries) {
      lines
          .append(entry.number())
          .append(' ')
          .append(entry.levelMicros() == null ? "-" : entry.levelMicros())
          .append(' ')
          .append(entry.bucket().quota())
          .append(' ')
          .append(entry.bucket().key())
          .append('\n');
    }
    byte[] body = lines.toString().getBytes(UTF_8);
    ByteArrayOutputStream batch = new ByteArrayOutputStream(body.length + HEAD_BYTES_MAX);
    batch.writeBytes(head(kind, seq, body, 0, body.length).getBytes(UTF_8));
    batch.writeBytes(body);
    return batch.toByteArray();
  }

  /**
   * Reads a file. A last batch that is not whole was never acknowledged and does not count, unless
   * it is the first, which was put in place whole; a batch that is not whole with a good one after
   * it had been acknowledged, and is damage.
   */
  static Content read(byte[] file, Path path) throws DamagedStateException {
    Map<BucketId, Mark> marks = new HashMap<>();
    Batch first = batchAt(FIRST, file, 0);
    if (first == null) {
      throw new DamagedStateException(path, "its beginning is missing or broken");
    }
    apply(new String(file, first.start, first.length, UTF_8), marks, path);
    long lastSeq = first.seq;
    int at = first.start + first.length;
    while (at < file.length) {
      Batch batch = batchAt(HEAD, file, at);
      if (batch == null) {
        refuseGoodBatchAfter(file, at, lastSeq, path);
        return new Content(marks, lastSeq, at);
      }
      if (batch.seq != lastSeq + 1) {
        throw new DamagedStateException(
            path, "batch " + batch.seq + " stands where " + (lastSeq + 1) + " should");
      }
      apply(new String(file, batch.start, batch.length, UTF_8), marks, path);
      lastSeq = batch.seq;
      at = batch.start + batch.length;
    }
    return new Content(marks, lastSeq, at);
  }

  private record Batch(long seq, int start, int length) {}

  private static @Nullable Batch batchAt(String kind, byte[] file, int at) {
    int end = at;
    while (end < file.length && end - at < HEAD_BYTES_MAX && file[end] != '\n') {
      end++;
    }
    if (end >= file.length || file[end] != '\n') {
      return null;
    }
    String head = new String(file, at, end + 1 - at, UTF_8);
    String[] words = head.strip().split(" ", -1);
    if (words.length != 4) {
      return null;
    }
    try {
      long seq = Long.parseLong(words[1]);
      int length = Integer.parseInt(words[2]);
      int start = end + 1;
      boolean whole =
          length >= 0
              && length <= file.length - start
              && head.equals(head(kind, seq, file, start, length));
      return whole ? new Batch(seq, start, length) : null;
    } catch (NumberFormatException torn) {
      return null;
    }
  }

  private static void refuseGoodBatchAfter(byte[] file, int from, long lastSeq, Path path)
      throws DamagedStateException {
    for (int at = from + 1; at < file.length; at++) {
      if (file[at] == 'b' && startsWith(file, at, HEAD)) {
        Batch batch = batchAt(HEAD, file, at);
        if (batch != null && batch.seq > lastSeq) {
          throw new DamagedStateException(path, "byte " + from + " begins a batch that is broken");
        }
      }
    }
  }

  private static boolean startsWith(byte[] file, int at, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (at + i >= file.length || file[at + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static void apply(String lines, Map<BucketId, Mark> marks, Path path)
      throws DamagedStateException {
    for (String line : lines.split("\n", -1)) {
      if (!line.isEmpty()) {
        apply(entry(line, path), marks);
      }
    }
  }

  static void apply(Entry entry, Map<BucketId, Mark> marks) {
    Mark known = marks.get(entry.bucket());
    if (known != null && known.number() >= entry.number()) {
      return;
    }
    Long level = entry.levelMicros();
    if (level == null) {
      marks.remove(entry.bucket());
    } else {
      marks.put(entry.bucket(), new Mark(entry.number(), level));
    }
  }

  private static Entry entry(String line, Path path) throws DamagedStateException {
    String[] words = line.split(" ", 4);
    try {
      int slash = words[2].indexOf('/');
      QuotaId quota = new QuotaId(words[2].substring(0, slash), words[2].substring(slash + 1));
      BucketKey.decode(words[3]);
      return new Entry(
          new BucketId(quota, words[3]),
          Long.parseLong(words[0]),
          words[1].equals("-") ? null : Long.valueOf(words[1]));
    } catch (IllegalArgumentException | IndexOutOfBoundsException wrong) {
      throw new DamagedStateException(path, "it has a line \"" + line + "\"");
    }
  }

  private static String head(String kind, long seq, byte[] bytes, int start, int length) {
    CRC32C crc = new CRC32C();
    crc.update(Long.toString(seq).getBytes(UTF_8));
    crc.update(bytes, start, length);
    return kind + seq + " " + length + " " + Long.toHexString(crc.getValue()) + "\n";
  }
}
