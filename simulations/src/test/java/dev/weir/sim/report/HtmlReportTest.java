package dev.weir.sim.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.bound.Overshoot;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HtmlReportTest {
  private final String page = HtmlReport.of(Runs.plain());

  @Test
  void thePageNeedsNothingElse() {
    assertThat(page).doesNotContain("<script").doesNotContain("http:").doesNotContain("https:");
    assertThat(page).doesNotContain("src=").doesNotContain("href=").doesNotContain("@import");
  }

  @Test
  void nothingIsLeftToFillIn() {
    assertThat(page).doesNotContain("{{").doesNotContain("NaN").doesNotContain("null");
  }

  @Test
  void namesFromOutsideCannotBecomeMarkup() {
    assertThat(page).contains("a &lt;trace&gt; &amp; more").doesNotContain("<trace>");
  }

  @Test
  void thereIsAPlotPerRegionAndOneOfTheLeasesWithTheQuotaAsALine() {
    assertThat(count("<svg ")).isEqualTo(3);
    assertThat(count("</svg>")).isEqualTo(3);
    assertThat(count("<path class=\"quota\"")).isEqualTo(1);
    assertThat(count("<path class=\"asked ")).isEqualTo(2);
    assertThat(page).contains(">eu-west, tokens per second<").contains(">us-east, tokens");
  }

  @Test
  void timesAreTheTracesOwn() {
    assertThat(page).contains(">00:00<").contains(">04:00<").contains(">10:00<");
  }

  @Test
  void theVerdictIsPlain() {
    assertThat(page).contains("The bound held");
    assertThat(HtmlReport.of(Runs.run(new Overshoot(1_000_000, 0, 0, 51_000_000), 775)))
        .contains("The bound did not hold: 1.000000 tokens too many")
        .doesNotContain("The bound held");
  }

  private long count(String text) {
    Matcher matcher = Pattern.compile(Pattern.quote(text)).matcher(page);
    return matcher.results().count();
  }
}
