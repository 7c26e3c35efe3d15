package dev.weir.sim.demo;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A fleet with its folder, gone when closed, and also when the JVM is told to stop. What a failed
 * run left is kept for whoever looks for the reason.
 */
public final class Session implements AutoCloseable {
  private final RunFolder folder;
  private final Fleet fleet;
  private final Thread hook = new Thread(this::end, "stop-all");
  private volatile boolean keepFolder;

  private Session(RunFolder folder, Fleet fleet) {
    this.folder = folder;
    this.fleet = fleet;
  }

  /** A folder and a fleet that is not started yet. */
  public static Session open(String name, Path home, Ports ports) throws IOException {
    RunFolder folder = RunFolder.create(name);
    Session session = new Session(folder, new Fleet(home, folder, ports));
    Runtime.getRuntime().addShutdownHook(session.hook);
    return session;
  }

  /** Its processes. */
  public Fleet fleet() {
    return fleet;
  }

  /** Its folder. */
  public RunFolder folder() {
    return folder;
  }

  /** Leaves logs and data where they are, and says so. */
  public void keepFolder() {
    keepFolder = true;
    System.err.println("weir: logs and data are left in " + folder.run());
  }

  private void end() {
    fleet.close();
    if (!keepFolder) {
      folder.clean();
    }
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is stopping already, and the hook has run or runs: ending twice does no harm.
    }
  }
}
