package dev.weir.sim.demo;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the project is: the launcher says so. */
public final class Home {
  private Home() {}

  /** Its folder; fails where this was not started by the launcher. */
  public static Path find() throws FleetException {
    Path home = Path.of(System.getProperty("weir.home", "."));
    if (!Files.isExecutable(home.resolve("deploy/weir"))) {
      throw new FleetException(
          "start this with deploy/weir: it is not in " + home.toAbsolutePath());
    }
    return home.toAbsolutePath().normalize();
  }
}
