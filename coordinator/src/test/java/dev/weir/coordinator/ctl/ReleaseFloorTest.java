package dev.weir.coordinator.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.coordinator.ctl.Terminal.Ran;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The word that an agent is dead is not passed on of one that is seen to live. */
class ReleaseFloorTest {
  private static final String AGENTS =
      "{\"agents\":[{\"region\":\"eu-west\",\"boot\":3,\"state\":\"%s\",\"heardMsAgo\":%d}]}";
  private static final String WORD = "POST /v1/regions/eu-west/release-floor";

  private StubCoordinator coordinator;
  private Terminal terminal;

  @BeforeEach
  void start() throws IOException {
    coordinator = new StubCoordinator();
    coordinator.on(WORD, "{\"region\":\"eu-west\",\"released\":true}");
    terminal = Terminal.at(coordinator);
  }

  @AfterEach
  void stop() {
    coordinator.close();
  }

  @Test
  void anAgentThatIsStillHeardIsNotCalledDead() {
    heard("alive", 400);
    terminal.whilePausing(() -> heard("alive", 700));

    Ran ran = terminal.run("release-floor", "eu-west");

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err()).contains("eu-west run 3 is alive", "700ms ago", "Nothing was changed");
    assertThat(word()).isZero();
  }

  /** It belongs to the cluster as it was before its data was lost. */
  @Test
  void anAgentThatIsRefusedButHeardIsNotCalledDead() {
    heard("refused", 400);

    Ran ran = terminal.run("release-floor", "eu-west");

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err()).contains("eu-west run 3 is alive, though refused", "Nothing was changed");
    assertThat(word()).isZero();
  }

  @Test
  void anAgentThatFellSilentIsCalledDead() {
    heard("alive", 400);
    terminal.whilePausing(() -> heard("alive", 3_400));

    Ran ran = terminal.run("release-floor", "eu-west");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).startsWith("the floors of eu-west are free");
    assertThat(word()).isEqualTo(1);
  }

  @Test
  void anAgentThatWaitsForFloorsIsNotTheOneThatIsDead() {
    coordinator.on(
        "GET /v1/agents",
        "{\"agents\":[{\"region\":\"eu-west\",\"boot\":3,\"state\":\"alive\",\"heardMsAgo\":9,"
            + "\"floor\":false}]}");

    Ran ran = terminal.run("release-floor", "eu-west");

    assertThat(ran.exitCode()).isZero();
    assertThat(word()).isEqualTo(1);
  }

  @Test
  void anAgentThatWasLostOrLeftIsCalledDeadAtOnce() {
    terminal.whilePausing(
        () -> {
          throw new AssertionError("it was silent already");
        });
    heard("lost", 64_000);
    assertThat(terminal.run("release-floor", "eu-west").exitCode()).isZero();
    heard("left", 100);
    assertThat(terminal.run("release-floor", "eu-west").exitCode()).isZero();
    assertThat(word()).isEqualTo(2);
  }

  @Test
  void forceAsksNoQuestions() {
    heard("alive", 100);

    assertThat(terminal.run("release-floor", "eu-west", "--force").exitCode()).isZero();
    assertThat(coordinator.asked()).hasSize(1);
  }

  @Test
  void floorsThatNobodyHeldAreCalledThat() {
    heard("lost", 64_000);
    coordinator.on(WORD, "{\"region\":\"eu-west\",\"released\":false}");

    assertThat(terminal.run("release-floor", "eu-west").out())
        .isEqualTo("nobody held the floors of eu-west\n");
  }

  private void heard(String state, int millisAgo) {
    coordinator.on("GET /v1/agents", AGENTS.formatted(state, millisAgo));
  }

  private long word() {
    return coordinator.asked().stream().filter(asked -> asked.what().equals(WORD)).count();
  }
}
