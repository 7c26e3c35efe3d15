package dev.weir.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a coordinator member.
 *
 * @param http where it serves its API and page
 * @param quotas a quota file or a folder of them, or null if quotas come through the API alone
 * @param data the folder of what the API writes and what a member must remember
 */
public record CoordinatorSettings(
    Endpoint http, @Nullable Path quotas, Path data, ClusterSettings cluster, ClockSettings clock) {
  /** Every setting there is. */
  public static final List<Setting> SETTINGS =
      List.of(
          Setting.one("http.host", "address of the API and the page"),
          Setting.one("http.port", "port of the API and the page"),
          Setting.one("quotas", "quota file or folder of them, watched"),
          Setting.one("data", "folder of what must be remembered"),
          Setting.one("cluster.self", "address for other members"),
          Setting.list("cluster.members", "addresses of the voters: 1, 3 or 5"),
          Setting.one("cluster.hold", "how long a voter's confirmation is good for"),
          Setting.one("clock.drift", "most a clock's rate may be wrong"),
          Setting.one("clock.guard", "added to every wait for another clock"));

  private static final Endpoint DEFAULT_HTTP = new Endpoint("127.0.0.1", 8070);

  /**
   * Reads the settings: defaults, over them the file, the environment and the options.
   *
   * @param file YAML or JSON, or null for none
   * @param environment variables by name; of these, those of {@link Setting#variable}
   * @param options by {@link Setting#path}, as from a command line
   * @throws ConfigException with everything that is wrong
   */
  public static CoordinatorSettings read(
      @Nullable Path file, Map<String, String> environment, Map<String, String> options) {
    Problems problems = new Problems();
    Section settings = SettingsTree.read(file, SETTINGS, environment, options, problems);
    Paths paths = new Paths(file);
    Endpoint http = Listeners.read(settings, "http", DEFAULT_HTTP);
    Path quotas = paths.read(settings, "quotas");
    Path data = paths.read(settings, "data");
    ClusterSettings cluster = ClusterSettings.read(settings);
    ClockSettings clock = ClockSettings.read(settings);
    settings.close();
    problems.throwIfAny();
    return new CoordinatorSettings(
        http,
        quotas,
        data == null ? paths.besideFile(Path.of("data", "coordinator")) : data,
        cluster,
        clock);
  }
}
