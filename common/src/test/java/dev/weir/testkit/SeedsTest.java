package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

class SeedsTest {
  @Seeds(tries = 3)
  void theNameOfATestSaysHowToRepeatIt(Random random, TestInfo info) {
    assertThat(info.getDisplayName()).matches("-Dseed=-?\\d+");
    long seed = Long.parseLong(info.getDisplayName().substring("-Dseed=".length()));
    assertThat(random.nextLong()).isEqualTo(Seeds.Provider.random(seed).nextLong());
  }

  @Seeds(tries = 1)
  @ExtendWith(CommandOfThisTest.class)
  void theCommandThatRepeatsATestNamesItAndItsSeed(Random random, TestInfo info) {
    assertThat(CommandOfThisTest.command)
        .endsWith(
            " -Dtest=SeedsTest#theCommandThatRepeatsATestNamesItAndItsSeed "
                + info.getDisplayName());
    assertThat(random).isNotNull();
  }

  private static final class CommandOfThisTest implements BeforeTestExecutionCallback {
    private static String command = "";

    @Override
    public void beforeTestExecution(ExtensionContext context) {
      command = Seeds.Repeat.command(context);
    }
  }

  @Test
  void seedsAreTheFirstOnesUnlessOneIsChosen() {
    assertThat(Seeds.Provider.seeds(null, 4)).containsExactly(0L, 1L, 2L, 3L);
    assertThat(Seeds.Provider.seeds("-7", 4)).containsExactly(-7L);
  }

  @Test
  void neighbouringSeedsBeginDifferently() {
    long first =
        IntStream.range(0, 64)
            .map(seed -> Seeds.Provider.random(seed).nextInt(64))
            .distinct()
            .count();
    // 64 balls in 64 boxes fill 40 of them; unmixed seeds would fill one or two.
    assertThat(first).isGreaterThan(30);
  }
}
