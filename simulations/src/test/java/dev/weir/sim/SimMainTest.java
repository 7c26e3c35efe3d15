package dev.weir.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class SimMainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine commands =
      SimMain.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

  @BeforeEach
  void atHome() {
    System.setProperty("weir.home", Path.of("..").toAbsolutePath().toString());
  }

  @AfterEach
  void away() {
    System.clearProperty("weir.home");
  }

  @Test
  void everyCommandHasHelp() {
    assertThat(commands.execute("demo", "--help")).isZero();
    assertThat(out.toString()).contains("--speed", "--trace", "--keep", "--port-base");
    assertThat(commands.execute("dev", "--help")).isZero();
    assertThat(commands.execute("sim", "--help")).isZero();
    assertThat(commands.execute("sim", "chaos", "--help")).isZero();
    assertThat(out.toString()).contains("--seeds", "--from", "--break", "--json");
    assertThat(commands.execute("drill", "--help")).isZero();
    assertThat(out.toString()).contains("shift", "outage", "restarts", "tenants", "check");
    for (String drill : List.of("shift", "outage", "restarts", "tenants", "check")) {
      assertThat(commands.execute("drill", drill, "--help")).isZero();
    }
  }

  @Test
  void wrongUsageIsExitCodeTwoAndSaysWhatIsWrong() {
    assertThat(commands.execute("demo", "--fast")).isEqualTo(2);
    assertThat(commands.execute("demo", "--speed", "0")).isEqualTo(2);
    assertThat(err.toString()).contains("speed must be a number above 0");
    assertThat(commands.execute("demo", "--trace", "/no/such/trace.csv")).isEqualTo(2);
    assertThat(err.toString()).contains("cannot read the trace /no/such/trace.csv");
    assertThat(commands.execute("drill")).isEqualTo(2);
    assertThat(commands.execute("sim")).isEqualTo(2);
    assertThat(commands.execute("sim", "chaos", "--seeds", "-1")).isEqualTo(2);
    assertThat(commands.execute("sim", "chaos", "--seeds", "1", "--break", "S99")).isEqualTo(2);
    assertThat(err.toString()).contains("--break knows no rule S99; it knows S1, S2, S3");
    assertThat(commands.execute("drill", "shift", "--moves", "0")).isEqualTo(2);
    assertThat(commands.execute("drill", "outage", "--away", "60")).isEqualTo(2);
    assertThat(err.toString()).contains("60 is not a time, as in 500ms, 60s or 2min");
    assertThat(commands.execute("dev", "--port-base", "80")).isEqualTo(2);
    assertThat(err.toString()).contains("--port-base must be in [1024, 65000]: 80");
  }

  @Test
  void withoutItsLauncherItSaysSo() {
    System.setProperty("weir.home", "/no/such/home");
    assertThat(commands.execute("dev")).isEqualTo(3);
    assertThat(err.toString()).contains("start this with deploy/weir");
  }
}
