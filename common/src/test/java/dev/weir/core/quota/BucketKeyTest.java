package dev.weir.core.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.Exhaustive;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketKeyTest {
  /** C21. */
  @Test
  void thePartsOfOneKeyNeverRunIntoAnother() {
    assertThat(key("tenant", "a_b", "user", "c")).isEqualTo("tenant=a_b,user=c");
    assertThat(key("tenant", "a", "user", "b_c")).isEqualTo("tenant=a,user=b_c");
    assertThat(key("tenant", "a,user=b")).isEqualTo("tenant=a%2Cuser%3Db");
    assertThat(key("tenant", "a%2C")).isEqualTo("tenant=a%252C");
    assertThat(key("a=b", "c")).isEqualTo("a%3Db=c");
    assertThat(key("a", "b=c")).isEqualTo("a=b%3Dc");
  }

  @Test
  void colonBarAndBracesStandAsTheyAre() {
    assertThat(key("k", "a:b|c{d}")).isEqualTo("k=a:b|c{d}");
  }

  @Test
  void controlCharactersAreEscaped() {
    assertThat(key("k", "a\nb\0\t\u007f")).isEqualTo("k=a%0Ab%00%09%7F");
    assertThat(key("k", "\u0080\u0085\u009f")).isEqualTo("k=%C2%80%C2%85%C2%9F");
    assertThat(key("k", "\u00a0")).isEqualTo("k=\u00a0");
  }

  /** C21. */
  @Test
  void composedAndDecomposedAccentsStayDifferent() {
    assertThat(key("k", "\u00e9")).isNotEqualTo(key("k", "e\u0301"));
  }

  @Test
  void noDescriptorsAreNoText() {
    assertThat(BucketKey.encode(Descriptors.NONE)).isEmpty();
    assertThat(BucketKey.decode("")).isEqualTo(Descriptors.NONE);
  }

  @Test
  void differentDescriptorsAlwaysHaveDifferentTexts() {
    List<String> texts =
        List.of(
            "",
            "a",
            "b",
            "=",
            ",",
            "%",
            "&",
            "%2C",
            "a=b",
            ",a",
            "\n",
            "\0",
            "\u0085",
            "\u00c2\u0085",
            "a_b",
            "_");
    Map<String, Descriptors> seen = new HashMap<>();
    Exhaustive all = new Exhaustive();
    while (all.more()) {
      String[] pairs = new String[2 * all.between(0, 2)];
      for (int i = 0; i < pairs.length; i++) {
        pairs[i] = (i % 2 == 0 ? "k" + i : "") + all.of(texts);
      }
      Descriptors descriptors = Descriptors.of(pairs);
      String text = BucketKey.encode(descriptors);
      assertThat(seen.put(text, descriptors)).as(text).isNull();
      assertThat(BucketKey.decode(text)).isEqualTo(descriptors);
    }
    assertThat(seen).hasSize(1 + 16 * 16 + 16 * 16 * 16 * 16);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "=",
        "=a",
        "a=b,",
        ",a=b",
        "b=1,a=2",
        "a=1,a=1",
        "a=b=c",
        "a=%",
        "a=%2",
        "a=%2c",
        "a=%41",
        "a=%C2",
        "a=%C2%41",
        "a=%C2%A0",
        "a=%E2%82%AC",
        "a=&",
        "a=\n",
        "a=%ZZ",
        "a=1%2",
        "a=%C2%8",
        "a=\u0085",
        "a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8,i=9,j=0,k=1,l=2,m=3,n=4,o=5,p=6,q=7"
      })
  void aTextThatIsNotCanonicalIsRefused(String text) {
    assertThatThrownBy(() -> BucketKey.decode(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRefusalShowsTheBeginningOnly() {
    assertThatThrownBy(() -> BucketKey.decode("x".repeat(5000)))
        .hasMessage("not a bucket key: \"" + "x".repeat(80) + "...\"");
  }

  @Test
  void aBucketIsShownWithItsQuota() {
    QuotaId quota = new QuotaId("shop", "api");
    assertThat(new BucketId(quota, "tenant=acme")).hasToString("shop/api{tenant=acme}");
    assertThat(new BucketId(quota, "")).hasToString("shop/api");
  }

  private static String key(String... pairs) {
    return BucketKey.encode(Descriptors.of(pairs));
  }
}
