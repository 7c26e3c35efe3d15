package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KnownNamesTest {
  @Test
  void whatThereIsIsNamedAndTheNearest() {
    assertThat(KnownNames.insteadOf("shpo", List.of("mail", "shop")))
        .isEqualTo(" (did you mean \"shop\"?); there are mail, shop");
    assertThat(KnownNames.insteadOf("elsewhere", List.of("shop")))
        .isEqualTo("; there is only shop");
    assertThat(KnownNames.insteadOf("shop", List.of())).isEqualTo("; there are none");
  }

  @Test
  void ofManyNamesOnlyAFewAreShownAndOfVeryManyNoneIsCompared() {
    List<String> many = IntStream.range(100, 1_100).mapToObj(i -> "d" + i).toList();
    assertThat(KnownNames.insteadOf("d10", many))
        .isEqualTo(
            " (did you mean \"d100\"?); there are d100, d101, d102, d103, d104 and 995 more");
    List<String> more = IntStream.range(100, 1_101).mapToObj(i -> "d" + i).toList();
    assertThat(KnownNames.near("d10", more)).isNull();
  }
}
