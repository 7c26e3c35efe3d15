package dev.weir.sim.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code deploy/weir} as a user types it, as far as it goes without a build. */
@Timeout(120)
class LauncherTest {
  private static final Path LAUNCHER = Path.of("../deploy/weir").toAbsolutePath().normalize();

  @TempDir Path folder;

  private record Result(int exitCode, String out, String err) {}

  @Test
  void helpNamesTheCommandsThatAreThereAndNoOthers() throws IOException, InterruptedException {
    Result help = weir(LAUNCHER, "--help");
    assertThat(help.exitCode()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.out())
        .contains(
            "  demo ", "  dev ", "  coordinator ", "  agent ", "  ctl ", "  bench ", "  sim ");
  }

  @Test
  void anUnknownCommandOrNoneIsWrongUsage() throws IOException, InterruptedException {
    Result unknown = weir(LAUNCHER, "fly", "away");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).startsWith("weir: no such command: fly\n").contains("Usage:");
    assertThat(unknown.out()).isEmpty();
    assertThat(weir(LAUNCHER).exitCode()).isEqualTo(2);
  }

  @Test
  void whatIsNotBuiltIsNotBuiltWhenToldNotTo() throws IOException, InterruptedException {
    Path deploy = Files.createDirectories(folder.resolve("deploy"));
    Path copy = Files.copy(LAUNCHER, deploy.resolve("weir"));
    assertThat(copy.toFile().setExecutable(true)).isTrue();
    Result result = weir(copy, "agent", "--config", "agent.yaml");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).isEqualTo("weir: edge-agent is not built, and WEIR_BUILD=never\n");
  }

  @Test
  void whatABuildSaysIntoAPipeHasNoCodesForTerminals() throws IOException, InterruptedException {
    Path deploy = Files.createDirectories(folder.resolve("deploy"));
    Path copy = Files.copy(LAUNCHER, deploy.resolve("weir"));
    Path maven = Files.createDirectories(folder.resolve("bin")).resolve("mvn");
    Files.writeString(maven, "#!/bin/sh\necho \"told $MAVEN_OPTS $*\"\nexit 1\n");
    assertThat(copy.toFile().setExecutable(true) && maven.toFile().setExecutable(true)).isTrue();
    Result result =
        weir(
            copy,
            Map.of("PATH", maven.getParent() + ":" + System.getenv("PATH"), "WEIR_BUILD", "yes"),
            "agent",
            "--config",
            "agent.yaml");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err())
        .containsPattern("told .*-Djansi.noreset=true .*-Dstyle.color=never")
        .contains("the build failed");
  }

  @Test
  void itFindsItsHomeThroughALink() throws IOException, InterruptedException {
    Path link = Files.createSymbolicLink(folder.resolve("weir"), LAUNCHER);
    assertThat(weir(link, "help").exitCode()).isZero();
    Files.delete(link);
  }

  private Result weir(Path launcher, String... arguments) throws IOException, InterruptedException {
    return weir(launcher, Map.of("WEIR_BUILD", "never"), arguments);
  }

  private Result weir(Path launcher, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
