package dev.weir.sim.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The scenarios that ship with Weir. */
public final class ShippedScenarios {
  /** Their names, in the order in which tables show them. */
  public static final List<String> NAMES =
      List.of(
          "region-shift",
          "region-failover",
          "follow-the-sun",
          "flash-crowd",
          "hot-tenant",
          "cold-tenants",
          "coordinator-outage",
          "flapping-link",
          "slow-link",
          "quota-cut",
          "rolling-restart",
          "eleventh-region");

  private ShippedScenarios() {}

  /** The text of the file of one of {@link #NAMES}. */
  public static String text(String name) {
    try (InputStream in =
        ShippedScenarios.class.getResourceAsStream("/scenarios/" + name + ".yaml")) {
      if (in == null) {
        throw new IllegalArgumentException("no scenario is called " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("the scenario " + name + " cannot be read", e);
    }
  }

  /** One of {@link #NAMES}, read. */
  public static Scenario read(String name) {
    return ScenarioReader.read(name, name + ".yaml", text(name));
  }
}
