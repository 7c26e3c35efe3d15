package dev.weir.coordinator.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers as people read them. */
class ShownTest {
  @ParameterizedTest
  @CsvSource({
    "0,0",
    "0.0,0",
    "5,5",
    "12.345678,12.3",
    "0.000116,0.000116",
    "999.6,1000",
    "1000.4,1000",
    "1234567,1234567",
    "100,100",
    "-12.345,-12.3"
  })
  void anAmountHasThreeDigitsOrAllBeforeThePoint(String written, String shown) {
    assertThat(Shown.about(number(written))).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "-5,0ms",
    "0,0ms",
    "999,999ms",
    "1000,1.0s",
    "59999,59.9s",
    "60000,1m 0s",
    "3599999,59m 59s",
    "3600000,1h 0m",
    "172799999,47h 59m",
    "172800000,2d 0h"
  })
  void aLengthOfTimeHasTwoUnitsAtMost(String written, String shown) {
    assertThat(Shown.millis(number(written))).isEqualTo(shown);
  }

  @Test
  void whatIsAbsentIsEmpty() {
    JsonNode absent = Json.object().path("absent");
    assertThat(Shown.about(absent)).isEmpty();
    assertThat(Shown.exactly(absent)).isEmpty();
    assertThat(Shown.millis(absent)).isEmpty();
  }

  private static JsonNode number(String text) {
    return Objects.requireNonNull(Json.read("[" + text + "]")).path(0);
  }
}
