package dev.weir.config;

import dev.weir.core.math.Check;
import dev.weir.core.quota.Names;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an edge agent.
 *
 * @param region the region it decides for
 * @param coordinators {@code http://host:port} without a slash at the end, tried in this order; at
 *     least one
 * @param http where it answers decisions
 * @param grpc where it answers Envoy
 * @param admin where it answers operators
 * @param redis the store of strict quotas, or null for none
 * @param data the folder of what it remembers
 * @param auditFile where it writes each admitted decision, or null for nowhere
 * @param trustedProxies whose {@code X-Forwarded-For} is believed
 * @param keysMax most buckets it keeps apart, in {@code [1, 100000000]}
 */
public record AgentSettings(
    String region,
    List<String> coordinators,
    Endpoint http,
    Endpoint grpc,
    Endpoint admin,
    @Nullable String redis,
    Path data,
    SyncSettings sync,
    ClockSettings clock,
    @Nullable Path auditFile,
    List<Cidr> trustedProxies,
    int keysMax) {
  /** Every setting there is. */
  public static final List<Setting> SETTINGS =
      List.of(
          Setting.one("region", "region this agent decides for"),
          Setting.list("coordinators", "addresses of coordinator members, any of them"),
          Setting.one("http.host", "address for decisions"),
          Setting.one("http.port", "port for decisions"),
          Setting.one("grpc.host", "address for Envoy"),
          Setting.one("grpc.port", "port for Envoy"),
          Setting.one("admin.host", "address for operators"),
          Setting.one("admin.port", "port for operators"),
          Setting.one("redis", "store of strict quotas"),
          Setting.one("data", "folder of what is remembered"),
          Setting.one("sync.interval", "time between requests to the coordinator"),
          Setting.one("sync.timeout", "after which such a request is given up"),
          Setting.one("clock.drift", "most a clock's rate may be wrong"),
          Setting.one("clock.guard", "added to every wait for another clock"),
          Setting.one("audit.file", "where each admitted decision is written"),
          Setting.list("trustedProxies", "blocks of addresses whose X-Forwarded-For is believed"),
          Setting.one("keys.max", "most buckets kept apart"));

  private static final int KEYS_LIMIT = 100_000_000;
  private static final int DEFAULT_KEYS_MAX = 1_000_000;
  private static final String DEFAULT_COORDINATOR = "http://127.0.0.1:8070";
  private static final Pattern COORDINATOR =
      Pattern.compile("https?://([A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+\\])(:\\d{1,5})?");
  private static final Pattern REDIS = Pattern.compile("(rediss?|unix)://\\S+");

  public AgentSettings {
    coordinators = List.copyOf(coordinators);
    trustedProxies = List.copyOf(trustedProxies);
    if (!Names.isName(region) || coordinators.isEmpty()) {
      throw new IllegalArgumentException("no agent: " + region + " with " + coordinators);
    }
    Check.inRange("keysMax", keysMax, 1, KEYS_LIMIT);
  }

  /**
   * Reads the settings: defaults, over them the file, the environment and the options.
   *
   * @param file YAML or JSON, or null for none
   * @param environment variables by name; of these, those of {@link Setting#variable}
   * @param options by {@link Setting#path}, as from a command line
   * @throws ConfigException with everything that is wrong
   */
  public static AgentSettings read(
      @Nullable Path file, Map<String, String> environment, Map<String, String> options) {
    Problems problems = new Problems();
    Section settings = SettingsTree.read(file, SETTINGS, environment, options, problems);
    Paths paths = new Paths(file);
    settings.require("region");
    String region = settings.value("region", DomainDraft::name, "unnamed");
    final List<String> coordinators = coordinators(settings);
    final Endpoint http = Listeners.read(settings, "http", new Endpoint("127.0.0.1", 8080));
    final Endpoint grpc = Listeners.read(settings, "grpc", new Endpoint("127.0.0.1", 8081));
    final Endpoint admin = Listeners.read(settings, "admin", new Endpoint("127.0.0.1", 8082));
    final String redis = settings.value("redis", AgentSettings::redis);
    final Path data = paths.read(settings, "data");
    final SyncSettings sync = SyncSettings.read(settings);
    final ClockSettings clock = ClockSettings.read(settings);
    final Path auditFile = auditFile(settings, paths);
    final List<Cidr> trustedProxies = Lists.read(settings, "trustedProxies", Cidr::parse);
    final int keysMax = keysMax(settings);
    settings.close();
    problems.throwIfAny();
    return new AgentSettings(
        region,
        coordinators,
        http,
        grpc,
        admin,
        redis,
        data == null ? paths.besideFile(Path.of("data", "agent")) : data,
        sync,
        clock,
        auditFile,
        trustedProxies,
        keysMax);
  }

  private static List<String> coordinators(Section settings) {
    int before = settings.problems().count();
    List<String> read = Lists.read(settings, "coordinators", AgentSettings::coordinator);
    if (!settings.has("coordinators")) {
      return List.of(DEFAULT_COORDINATOR);
    }
    if (read.isEmpty() && settings.problems().count() == before) {
      settings.problems().error(settings.place("coordinators"), "coordinators: there is none");
    }
    return read;
  }

  private static @Nullable Path auditFile(Section settings, Paths paths) {
    Section audit = settings.section("audit", "audit");
    if (audit == null) {
      return null;
    }
    audit.require("file");
    Path file = paths.read(audit, "file");
    audit.close();
    return file;
  }

  private static int keysMax(Section settings) {
    Section keys = settings.section("keys", "keys");
    if (keys == null) {
      return DEFAULT_KEYS_MAX;
    }
    int max = keys.value("max", Amounts.whole(1, KEYS_LIMIT), DEFAULT_KEYS_MAX);
    keys.close();
    return max;
  }

  private static String coordinator(String text) throws BadValue {
    String url = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    if (!COORDINATOR.matcher(url).matches()) {
      boolean schemeMissing = COORDINATOR.matcher("http://" + url).matches();
      throw new BadValue(
          "is not the address of a coordinator, as in http://127.0.0.1:8070",
          schemeMissing ? "http://" + url : null);
    }
    return url;
  }

  private static String redis(String text) throws BadValue {
    if (!REDIS.matcher(text).matches()) {
      throw new BadValue(
          "is not the address of a store, as in redis://127.0.0.1:6379",
          text.matches("[A-Za-z0-9.-]+(:\\d+)?") ? "redis://" + text : null);
    }
    return text;
  }
}
