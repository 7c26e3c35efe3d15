package dev.weir.sim.judge;

import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What agents admitted, as each wrote it down when it decided: lines {@code
 * nanos,domain/quota,key,costMicros}, one per decision and quota. The instants of all files come
 * from one machine's monotonic clock, and so can be merged.
 */
public final class AuditLog {
  private final Map<BucketId, Admissions> buckets = new LinkedHashMap<>();

  /**
   * Adds one agent's file. A last line without its end is being written, or was cut short by a
   * kill, and is left out.
   *
   * @throws AuditException if any other line is not of the form; the message names it
   */
  public void add(Path file) throws IOException, AuditException {
    try (Reader reader = Files.newBufferedReader(file)) {
      add(file.toString(), reader);
    }
  }

  void add(String name, Reader reader) throws IOException, AuditException {
    BufferedReader in = new BufferedReader(reader);
    StringBuilder line = new StringBuilder();
    long number = 1;
    for (int c = in.read(); c >= 0; c = in.read()) {
      if (c != '\n') {
        line.append((char) c);
        continue;
      }
      addLine(name, number++, line.toString());
      line.setLength(0);
    }
  }

  /** Adds an admission that is known from elsewhere: a killed agent's last lines may be lost. */
  public void add(BucketId bucket, long atNanos, long costMicros) {
    buckets.computeIfAbsent(bucket, key -> new Admissions()).add(atNanos, costMicros);
  }

  /** What was admitted of one bucket, earliest first. */
  public List<Admitted> admitted(BucketId bucket) {
    List<Admitted> admitted = new ArrayList<>();
    Admissions all = buckets.get(bucket);
    if (all != null) {
      all.forEachInOrder((at, cost) -> admitted.add(new Admitted(at, cost)));
    }
    return admitted;
  }

  /** Keys of several pairs have commas too, so the line is read from both ends. */
  private void addLine(String name, long number, String line) throws AuditException {
    int time = line.indexOf(',');
    int quota = line.indexOf(',', time + 1);
    int cost = line.lastIndexOf(',');
    int slash = line.lastIndexOf('/', Math.max(quota, 0));
    if (time < 0 || quota < 0 || cost <= quota || slash <= time) {
      throw notALine(name, number, line);
    }
    try {
      QuotaId id = new QuotaId(line.substring(time + 1, slash), line.substring(slash + 1, quota));
      BucketId bucket = new BucketId(id, line.substring(quota + 1, cost));
      long costMicros = Long.parseLong(line.substring(cost + 1));
      if (costMicros < 0) {
        throw notALine(name, number, line);
      }
      add(bucket, Long.parseLong(line.substring(0, time)), costMicros);
    } catch (IllegalArgumentException e) {
      throw notALine(name, number, line);
    }
  }

  private static AuditException notALine(String name, long number, String line) {
    return new AuditException(
        name + ":" + number + ": not an audit line (nanos,domain/quota,key,costMicros): " + line);
  }

  Map<BucketId, Admissions> buckets() {
    return buckets;
  }
}
