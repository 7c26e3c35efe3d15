package dev.weir.core.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DescriptorsTest {
  @Test
  void theOrderTheyComeInDoesNotMatter() {
    Descriptors one = Descriptors.of("b", "2", "c", "3", "a", "1");
    Descriptors other = Descriptors.of("c", "3", "a", "1", "b", "2");
    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other).hasToString("a=1,b=2,c=3");
    assertThat(one.asMap())
        .containsExactly(Map.entry("a", "1"), Map.entry("b", "2"), Map.entry("c", "3"));
    assertThat(one.key(1)).isEqualTo("b");
    assertThat(one.value(1)).isEqualTo("2");
    assertThat(one.value("c")).isEqualTo("3");
    assertThat(one.value("d")).isNull();
  }

  @Test
  void aMapAndAParsersArrayGiveTheSame() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("tenant", "acme");
    map.put("api", "public");
    String[] buffer = {"tenant", "acme", "api", "public", "left", "over"};
    assertThat(Descriptors.of(map)).isEqualTo(Descriptors.ofPairs(buffer, 2));
    assertThat(buffer[0]).isEqualTo("tenant");
  }

  @Test
  void anEmptyValueIsAValue() {
    assertThat(Descriptors.of("tenant", "").value("tenant")).isEmpty();
  }

  @Test
  void sixteenPairsAreTheMost() {
    assertThat(Descriptors.of(numbered(16)).size()).isEqualTo(16);
    assertThatThrownBy(() -> Descriptors.of(numbered(17)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a request has 17 descriptors; the most is 16");
  }

  @Test
  void aKeyGivenTwiceIsRefused() {
    assertThatThrownBy(() -> Descriptors.of("a", "1", "b", "2", "a", "3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("descriptor \"a\" is given twice");
  }

  /** C21. */
  @Test
  void anOverLongValueIsRefusedAndNotCut() {
    assertThat(Descriptors.of("tenant", "x".repeat(1024)).size()).isEqualTo(1);
    assertThatThrownBy(() -> Descriptors.of("tenant", "x".repeat(10 * 1024)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the value of descriptor \"tenant\" is 10240 bytes long; the most is 1024");
  }

  @Test
  void lengthsAreCountedInBytes() {
    assertThat(Descriptors.of("k", "\u00e9".repeat(512)).size()).isEqualTo(1);
    assertThatThrownBy(() -> Descriptors.of("k", "\u00e9".repeat(513)))
        .hasMessageContaining("is 1026 bytes long");
    assertThatThrownBy(() -> Descriptors.of("k", "\u20ac".repeat(342)))
        .hasMessageContaining("is 1026 bytes long");
    assertThatThrownBy(() -> Descriptors.of("k", "\ud83d\ude00".repeat(257)))
        .hasMessageContaining("is 1028 bytes long");
  }

  @Test
  void aKeyHasOneTo64Bytes() {
    assertThat(Descriptors.of("k".repeat(64), "v").size()).isEqualTo(1);
    assertThatThrownBy(() -> Descriptors.of("k".repeat(65), "v"))
        .hasMessage("a descriptor key is 65 bytes long; the most is 64");
    assertThatThrownBy(() -> Descriptors.of("", "v")).hasMessage("a descriptor key is empty");
  }

  @Test
  void halfASurrogatePairIsRefused() {
    assertThatThrownBy(() -> Descriptors.of("k", "\ud83d"))
        .hasMessage("the value of descriptor \"k\" is not well-formed Unicode");
    assertThatThrownBy(() -> Descriptors.of("k", "\ude00x"))
        .hasMessage("the value of descriptor \"k\" is not well-formed Unicode");
    assertThatThrownBy(() -> Descriptors.of("\ud83dk", "v"))
        .hasMessage("a descriptor key is not well-formed Unicode");
  }

  @Test
  void aConditionKeepsToTheSameLimits() {
    assertThatThrownBy(() -> new Match("", null)).hasMessage("a descriptor key is empty");
    assertThatThrownBy(() -> new Match("k", "v".repeat(1025))).hasMessageContaining("1025 bytes");
  }

  private static Map<String, String> numbered(int count) {
    return IntStream.range(0, count)
        .boxed()
        .collect(Collectors.toMap(i -> "k" + i, String::valueOf));
  }
}
