package dev.weir.coordinator.state;

import dev.weir.core.lease.Desk;
import dev.weir.core.lease.FloorBook;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

/**
 * What a coordinator must remember, in one folder that it has locked: {@code cluster.json}, {@code
 * quotas.json}, {@code floors.json}, {@code marks.log}. What a store method was called with is on
 * disk when it returns, whole, whatever happens afterwards. One thread at a time per file.
 *
 * <p>A new folder counts as used, and the operator's word as taken, from {@link #begin} or the
 * first quotas stored: a start that fails before, on bad quota files, can be said again as it was.
 */
public final class StateFolder implements Closeable {
  private static final String BEGIN =
      """
      the data folder %s is empty, so it is not known whether anything was ever granted. Say which:
        --first-start   this cluster is new: nothing was ever granted, no agent has a lease or a\
       floor from it
        --lost-data     this cluster has run before and its data is gone: grants wait until no old\
       lease can be alive,
                        and floors are given only to agents that say they have one, until no old\
       floor can be in use
                        (with --cluster-id ID, which its agents keep to, and --longest-ttl DURATION\
       if you know them)""";

  private final FolderLock lock;
  private final CheckedFile cluster;
  private final CheckedFile quotas;
  private final CheckedFile floors;
  private final Identity identity;
  private final MarkLog marks;
  private boolean used;

  private StateFolder(
      Path folder, FolderLock lock, Identity identity, boolean used, MarkLog marks) {
    this.lock = lock;
    this.cluster = clusterIn(folder);
    this.used = used;
    this.quotas = quotasIn(folder);
    this.floors = floorsIn(folder);
    this.identity = identity;
    this.marks = marks;
  }

  /**
   * Opens the folder of a cluster, or begins one where the operator's word allows it.
   *
   * @throws StartRefusedException if the word does not fit the folder (S9)
   * @throws DamagedStateException if what is there cannot be relied on
   * @throws IOException if the folder cannot be written to, or another process has it
   */
  public static StateFolder open(Path folder, StartWord word)
      throws StartRefusedException, IOException {
    FolderLock lock = FolderLock.of(folder);
    try {
      CheckedFile cluster = clusterIn(folder);
      String text = cluster.read();
      Identity identity =
          text == null
              ? prepared(folder, cluster, word)
              : used(folder, StateJson.identity(text, cluster.path()), word);
      return new StateFolder(folder, lock, identity, text != null, MarkLog.open(marksIn(folder)));
    } catch (IOException | StartRefusedException | RuntimeException failed) {
      lock.close();
      throw failed;
    }
  }

  /** What the cluster is. */
  public Identity identity() {
    return identity;
  }

  /**
   * Makes the folder count as used, if it does not yet. To be called before anything is granted.
   *
   * @throws IOException if that cannot be written
   */
  public synchronized void begin() throws IOException {
    if (!used) {
      cluster.write(StateJson.of(identity));
      used = true;
    }
  }

  /** The low-water marks. */
  public MarkLog marks() {
    return marks;
  }

  /** The quotas as stored last. */
  public StoredQuotas quotas() throws IOException {
    return StateJson.quotas(present(quotas), quotas.path());
  }

  /** Stores the quotas, durably; with them the folder counts as used. */
  public void store(StoredQuotas next) throws IOException {
    // First: quotas without a cluster are those of one whose file was lost.
    begin();
    quotas.write(StateJson.of(next));
  }

  /** Who holds which floor, as stored last. */
  public FloorBook floors() throws IOException {
    return StateJson.floors(present(floors), floors.path());
  }

  /**
   * All files are written when a cluster begins: one that is not there is as bad as a broken one.
   */
  private static String present(CheckedFile file) throws IOException {
    String text = file.read();
    if (text == null) {
      throw new DamagedStateException(file.path(), "it is missing");
    }
    return text;
  }

  /** Stores who holds which floor, durably. */
  public void store(FloorBook next) throws IOException {
    floors.write(StateJson.of(next));
  }

  @Override
  public void close() throws IOException {
    try {
      marks.close();
    } finally {
      lock.close();
    }
  }

  private static Identity used(Path folder, Identity identity, StartWord word)
      throws StartRefusedException {
    if (word instanceof StartWord.None) {
      return identity;
    }
    throw new StartRefusedException(
        "the data folder "
            + folder
            + " is that of cluster "
            + identity.cluster()
            + ": start without --first-start and --lost-data");
  }

  /** Writes all files but that with which the folder counts as used. */
  private static Identity prepared(Path folder, CheckedFile cluster, StartWord word)
      throws StartRefusedException, IOException {
    if (word instanceof StartWord.None) {
      throw new StartRefusedException(BEGIN.formatted(folder));
    }
    CheckedFile quotas = quotasIn(folder);
    String stored = quotas.read();
    if (stored != null && StateJson.quotas(stored, quotas.path()).generation() > 0) {
      throw new DamagedStateException(cluster.path(), "it is missing, and quotas.json is there");
    }
    // What is there was left by a beginning that was interrupted before anything was granted.
    Identity identity = identity(word);
    long version = word instanceof StartWord.LostData ? System.currentTimeMillis() / 1000 : 0;
    MarkLog.create(marksIn(folder));
    floorsIn(folder).write(StateJson.of(new FloorBook(version, Map.of())));
    quotas.write(StateJson.of(StoredQuotas.NONE));
    return identity;
  }

  private static Identity identity(StartWord word) {
    String drawn = UUID.randomUUID().toString();
    if (word instanceof StartWord.LostData lost) {
      return new Identity(
          lost.cluster() == null ? drawn : lost.cluster(),
          Desk.Start.LOST_DATA,
          lost.longestTtlNanos());
    }
    return new Identity(drawn, Desk.Start.FIRST, 0);
  }

  private static CheckedFile clusterIn(Path folder) {
    return new CheckedFile(folder.resolve("cluster.json"));
  }

  private static CheckedFile quotasIn(Path folder) {
    return new CheckedFile(folder.resolve("quotas.json"));
  }

  private static CheckedFile floorsIn(Path folder) {
    return new CheckedFile(folder.resolve("floors.json"));
  }

  private static Path marksIn(Path folder) {
    return folder.resolve("marks.log");
  }
}
