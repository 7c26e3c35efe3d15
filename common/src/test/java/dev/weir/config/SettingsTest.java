package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
  private static final long MILLISECOND_NANOS = 1_000_000L;

  /** Both examples of the documentation, as written there. */
  private static final String COORDINATOR =
      """
      # weir coordinator --config FILE
      http: {host: 127.0.0.1, port: 8070}
      quotas: quotas/                        # a file or a folder, watched
      data: data/coordinator                 # what the API writes, and what a member must remember
      cluster: {self: 127.0.0.1:5701, members: [127.0.0.1:5701], hold: 2s}    # voters: 1, 3 or 5
      clock: {drift: 0.0005, guard: 50ms}    # the same on agents
      """;

  private static final String AGENT =
      """
      # weir agent --config FILE
      region: eu-west
      coordinators: ["http://127.0.0.1:8070"]    # any of them answers
      http: {host: 127.0.0.1, port: 8080}
      grpc: {host: 127.0.0.1, port: 8081}
      admin: {host: 127.0.0.1, port: 8082}
      redis: redis://127.0.0.1:6379          # only needed for strict quotas
      data: data/agent                       # the last configuration
      sync: {interval: 100ms, timeout: 1s}
      """;

  @TempDir Path folder;

  @Test
  void theCoordinatorsExampleIsReadAsWritten() throws IOException {
    Endpoint self = new Endpoint("127.0.0.1", 5701);
    assertThat(coordinator(COORDINATOR))
        .isEqualTo(
            new CoordinatorSettings(
                new Endpoint("127.0.0.1", 8070),
                folder.resolve("quotas"),
                folder.resolve("data/coordinator"),
                new ClusterSettings(self, List.of(self), 2000 * MILLISECOND_NANOS),
                new ClockSettings(500, 50 * MILLISECOND_NANOS)));
  }

  @Test
  void theAgentsExampleIsReadAsWritten() throws IOException {
    assertThat(agent(AGENT))
        .isEqualTo(
            new AgentSettings(
                "eu-west",
                List.of("http://127.0.0.1:8070"),
                new Endpoint("127.0.0.1", 8080),
                new Endpoint("127.0.0.1", 8081),
                new Endpoint("127.0.0.1", 8082),
                "redis://127.0.0.1:6379",
                folder.resolve("data/agent"),
                new SyncSettings(100 * MILLISECOND_NANOS, 1000 * MILLISECOND_NANOS),
                ClockSettings.DEFAULT,
                null,
                List.of(),
                1_000_000));
  }

  @Test
  void theExamplesSayWhatIsTheDefaultAnyway() throws IOException {
    CoordinatorSettings written = coordinator(COORDINATOR);
    assertThat(coordinator("{quotas: quotas}")).isEqualTo(written);
    assertThat(agent("{region: eu-west, redis: 'redis://127.0.0.1:6379'}")).isEqualTo(agent(AGENT));
  }

  @Test
  void withoutAFileEverythingMayComeFromElsewhere() {
    AgentSettings agent =
        AgentSettings.read(null, Map.of("WEIR_REGION", "eu"), Map.of("http.port", "0"));
    assertThat(agent.region()).isEqualTo("eu");
    assertThat(agent.http()).isEqualTo(new Endpoint("127.0.0.1", 0));
    assertThat(agent.data()).isEqualTo(Path.of("data", "agent"));
    CoordinatorSettings coordinator = CoordinatorSettings.read(null, Map.of(), Map.of());
    assertThat(coordinator.quotas()).isNull();
    assertThat(coordinator.data()).isEqualTo(Path.of("data", "coordinator"));
  }

  @Test
  void theCommandLineStandsOverTheEnvironmentAndThatOverTheFile() throws IOException {
    AgentSettings agent =
        AgentSettings.read(
            file("region: file\nsync: {interval: 1s, timeout: 2s}\nhttp: {port: 1}\n"),
            Map.of(
                "WEIR_REGION", "environment",
                "WEIR_SYNC_INTERVAL", "3s",
                "WEIR_HTTP_PORT", "2",
                "WEIR_TRUSTED_PROXIES", "10.0.0.0/8, ::1",
                "WEIR_KEYS_MAX", "",
                "WEIR_SOMETHING_ELSE", "unread"),
            Map.of("http.port", "3", "coordinators", "http://a:1/,http://b:2"));
    assertThat(agent.region()).isEqualTo("environment");
    assertThat(agent.sync())
        .isEqualTo(new SyncSettings(3000 * MILLISECOND_NANOS, 2000 * MILLISECOND_NANOS));
    assertThat(agent.http().port()).isEqualTo(3);
    assertThat(agent.trustedProxies()).containsExactly(Cidr.of("10.0.0.0/8"), Cidr.of("::1"));
    assertThat(agent.coordinators()).containsExactly("http://a:1", "http://b:2");
    assertThat(agent.keysMax()).isEqualTo(1_000_000);
  }

  @Test
  void everySettingCanBeOverridden() {
    for (Setting setting : AgentSettings.SETTINGS) {
      assertThat(
              message(() -> AgentSettings.read(null, Map.of(setting.variable(), "\0"), Map.of())))
          .as(setting.path())
          .contains(setting.variable() + ": ");
    }
    for (Setting setting : CoordinatorSettings.SETTINGS) {
      assertThat(
              message(() -> CoordinatorSettings.read(null, Map.of(), Map.of(setting.path(), "\0"))))
          .as(setting.path())
          .contains("--" + setting.path() + ": ");
    }
  }

  @Test
  void variablesAreNamedAfterTheSettings() {
    assertThat(AgentSettings.SETTINGS)
        .extracting(Setting::variable)
        .contains("WEIR_REGION", "WEIR_SYNC_INTERVAL", "WEIR_TRUSTED_PROXIES", "WEIR_AUDIT_FILE");
  }

  @Test
  void pathsInAFileAreRelativeToItAndOthersAreNot() throws IOException {
    Path file = file("{quotas: ../q.yaml, data: /var/weir}");
    CoordinatorSettings settings =
        CoordinatorSettings.read(file, Map.of("WEIR_DATA", "here"), Map.of());
    assertThat(settings.quotas()).isEqualTo(folder.resolveSibling("q.yaml"));
    assertThat(settings.data()).isEqualTo(Path.of("here"));
    assertThat(CoordinatorSettings.read(file, Map.of(), Map.of()).data())
        .isEqualTo(Path.of("/var/weir"));
    assertThat(agent("{region: eu, audit: {file: audit.csv}}").auditFile())
        .isEqualTo(folder.resolve("audit.csv"));
  }

  @Test
  void threeVotersMayBeListedOneItemAlone() throws IOException {
    assertThat(
            coordinator("cluster: {self: '[::1]:1', members: ['[::1]:1', 'b:2', 'c:3']}").cluster())
        .satisfies(
            cluster -> {
              assertThat(cluster.self()).isEqualTo(new Endpoint("::1", 1)).hasToString("[::1]:1");
              assertThat(cluster.members()).hasSize(3);
            });
    assertThat(coordinator("cluster: {self: 'a:1'}").cluster().members())
        .containsExactly(new Endpoint("a", 1));
    assertThat(coordinator("cluster: {members: 'a:1'}").cluster().members())
        .containsExactly(new Endpoint("a", 1));
  }

  @Test
  void everythingWrongWithACoordinatorsFileIsSaidAtOnce() {
    assertThat(
            message(
                () ->
                    coordinator(
                        """
                        htpp: {port: 8070}
                        http: {port: 70000, host: ''}
                        cluster: {self: nowhere, members: [a:1, b:2], hold: 1h}
                        clock: {drift: 0.5, guard: 0s}
                        data: ''
                        """)))
        .isEqualTo(
            """
            FILE:1:1: unknown key "htpp" in the configuration (did you mean "http"?)
            FILE:2:14: port: "70000" must be between 0 and 65535
            FILE:2:27: host: "" has no good host; IPv6 is written in brackets
            FILE:3:17: self: "nowhere" is not an address, as in 127.0.0.1:5701
            FILE:3:35: members: the voters must be 1, 3 or 5 different addresses, not [a:1, b:2]
            FILE:3:53: hold: "1h" must be between 200ms and 1m
            FILE:4:16: drift: "0.5" must be between 0 and 0.01
            FILE:4:28: guard: "0s" must be between 1ms and 10s
            FILE:5:7: data: "" is not a path""");
  }

  @Test
  void everythingWrongWithAnAgentsFileIsSaidAtOnce() {
    assertThat(
            message(
                () ->
                    agent(
                        """
                        regon: eu
                        coordinators: [127.0.0.1:8070]
                        redis: 127.0.0.1
                        sync: {interval: 5ms}
                        trustedProxies: [10.0.0.0]
                        keys: {max: 0}
                        audit: {path: x}
                        grpc: 8081
                        """)))
        .isEqualTo(
            """
            FILE:1:1: the configuration has no "region"
            FILE:1:1: unknown key "regon" in the configuration (did you mean "region"?)
            FILE:2:16: coordinators: "127.0.0.1:8070" is not the address of a coordinator, as in\
             http://127.0.0.1:8070 (did you mean "http://127.0.0.1:8070"?)
            FILE:3:8: redis: "127.0.0.1" is not the address of a store, as in\
             redis://127.0.0.1:6379 (did you mean "redis://127.0.0.1"?)
            FILE:4:18: interval: "5ms" must be between 10ms and 10s
            FILE:6:13: max: "0" must be between 1 and 100000000
            FILE:7:8: audit has no "file"
            FILE:7:9: unknown key "path" in audit
            FILE:8:7: grpc must be a mapping, not "8081\"""");
    assertThat(message(() -> agent("{region: eu, coordinators: []}")))
        .isEqualTo("FILE:1:28: coordinators: there is none");
  }

  @Test
  void anOptionThatDoesNotExistIsAnError() {
    assertThat(message(() -> AgentSettings.read(null, Map.of(), Map.of("regoin", "eu"))))
        .isEqualTo(
            """
            --regoin: unknown setting "regoin" (did you mean "region"?)
            settings: the configuration has no "region\"""");
  }

  @Test
  void whatIsWrongWithAnOverrideIsSaidWithItsName() {
    assertThat(
            message(
                () ->
                    AgentSettings.read(
                        null, Map.of("WEIR_HTTP_PORT", "x"), Map.of("region", "EU West"))))
        .isEqualTo(
            """
            --region: region: "EU West" must match ^[a-z0-9][a-z0-9._-]{0,62}$ (did you mean\
             "eu-west"?)
            WEIR_HTTP_PORT: port: "x" is not a whole number""");
  }

  @Test
  void aFileThatCannotBeReadIsAProblemLikeAnyOther() throws IOException {
    Path absent = folder.resolve("absent.yaml");
    assertThat(message(() -> CoordinatorSettings.read(absent, Map.of(), Map.of())))
        .isEqualTo(absent + ": no such file");
    Path latin = folder.resolve("latin.yaml");
    Files.write(latin, "data: \u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(message(() -> CoordinatorSettings.read(latin, Map.of(), Map.of())))
        .isEqualTo(latin + ": is not UTF-8");
    assertThat(message(() -> coordinator("[]")))
        .isEqualTo("FILE:1:1: the settings must be a mapping, not a list");
  }

  private CoordinatorSettings coordinator(String text) throws IOException {
    return CoordinatorSettings.read(file(text), Map.of(), Map.of());
  }

  private AgentSettings agent(String text) throws IOException {
    return AgentSettings.read(file(text), Map.of(), Map.of());
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("weir.yaml"), text);
  }

  private interface Reading {
    @Nullable Object read() throws IOException;
  }

  private String message(Reading reading) {
    try {
      throw new AssertionError("accepted: " + reading.read());
    } catch (ConfigException refused) {
      return String.valueOf(refused.getMessage())
          .replace(folder.resolve("weir.yaml").toString(), "FILE");
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }
}
