package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryTextTest {
  @Test
  void parametersAreDecodedAsFormsAre() throws Exception {
    assertThat(QueryText.parameters("/a?since=1&d.t=a+b%C3%A9;%26&&d.=", List.of("since", "d.")))
        .containsExactly(entry("since", "1"), entry("d.t", "a b\u00e9;&"), entry("d.", ""));
    assertThat(QueryText.parameters("/a", List.of())).isEmpty();
    assertThat(QueryText.parameters("/a?", List.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/a?x=1 | unknown parameter \"x\"; there are since, d.KEY=VALUE",
        "/a?x | unknown parameter \"x\"; there are since, d.KEY=VALUE",
        "/a?since=1&since=1 | since is given twice",
        "/a?since | parameter \"since\" has no value",
        "/a?since=%f | since has a % that two hexadecimal digits must follow",
        "/a?since=%ff | since is not UTF-8",
        "/a?%zz=1 | a parameter's name has a % that two hexadecimal digits must follow",
      })
  void whatCannotBeMeantIsNamed(String uri, String says) {
    assertThatThrownBy(() -> QueryText.parameters(uri, List.of("since", "d.")))
        .isInstanceOf(BadTextException.class)
        .hasMessage(says);
  }

  @Test
  void whereThereAreNoneOrOneThatIsSaid() {
    assertThatThrownBy(() -> QueryText.parameters("/a?x=1", List.of()))
        .hasMessage("unknown parameter \"x\"; this path has none");
    assertThatThrownBy(() -> QueryText.parameters("/a?x=1", List.of("top")))
        .hasMessage("unknown parameter \"x\"; there is only top");
  }

  @ParameterizedTest
  @CsvSource({"/a%zz,the path has a %", "/%ff,the path is not UTF-8", "/a?b=%,the query has a %"})
  void anAddressThatCannotBeDecodedIsNone(String uri, String says) {
    assertThatThrownBy(() -> UrlText.check(uri)).hasMessageStartingWith(says);
  }

  @Test
  void anAddressThatCanBeDecodedIsOne() throws Exception {
    UrlText.check("/a%20b+c?x=%C3%A9&y=?%3F#z");
  }
}
