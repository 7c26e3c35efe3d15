package dev.weir.agent.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.quota.Descriptors;
import dev.weir.testkit.Seeds;
import io.vertx.core.MultiMap;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuestionTest {
  @Test
  void aQueryAsks() throws Exception {
    Question question = ask("d.tenant=acme&d.api=public&domain=shop&cost=3&deny_status=403");
    assertThat(question.descriptors()).isEqualTo(Descriptors.of("api", "public", "tenant", "acme"));
    assertThat(question.domain()).isEqualTo("shop");
    assertThat(question.cost()).isEqualTo(3);
    assertThat(question.denyStatus()).isEqualTo(403);
  }

  @Test
  void nothingSaidIsOneTokenAndNoDescriptors() throws Exception {
    Question question = ask("");
    assertThat(question).isEqualTo(new Question(null, Descriptors.NONE, 1, 429, null));
    assertThat(ask("&&")).isEqualTo(question);
  }

  @Test
  void headersAskWhereTheQueryDoesNot() throws Exception {
    MultiMap headers =
        headers(
            Map.of(
                "x-ratelimit-descriptors", "tenant=acme, api=public",
                "X-RateLimit-Domain", "shop",
                "X-RateLimit-Cost", "7"));
    assertThat(Question.of("", headers))
        .isEqualTo(
            new Question("shop", Descriptors.of("tenant", "acme", "api", "public"), 7, 429, null));
    assertThat(Question.of("d.tenant=other&domain=x&cost=1", headers))
        .isEqualTo(new Question("x", Descriptors.of("tenant", "other"), 1, 429, null));
  }

  @Test
  void aKeyAloneIsADescriptorOfThatName() throws Exception {
    assertThat(Question.of("", headers(Map.of("X-RateLimit-Key", "abc"))).descriptors())
        .isEqualTo(Descriptors.of("key", "abc"));
    assertThat(
            Question.of(
                    "", headers(Map.of("X-RateLimit-Key", "abc", "X-RateLimit-Descriptors", "a=b")))
                .descriptors())
        .isEqualTo(Descriptors.of("a", "b"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a=b | a=b",
        "a=b,c=d | a=b,c=d",
        " a = b ,  c=d , | a=b,c=d",
        "a=b=c | a=b%3Dc",
        "a=\"x, y\", c=d | a=x%2C y,c=d",
        "a=\"say \\\"hi\\\"\" | a=say \"hi\"",
        "a=,c=d | a=,c=d",
      })
  void aLineOfDescriptorsIsPairs(String line, String canonical) throws Exception {
    assertThat(Question.of("", headers(Map.of("X-RateLimit-Descriptors", line))).descriptors())
        .hasToString(canonical);
  }

  /** C21: one tenant is one bucket, whichever way its name came. */
  @Seeds
  void theQueryAndTheHeaderMeanTheSame(Random random) throws Exception {
    String value = text(random);
    String query = "d.tenant=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    String quoted = value.replace("\\", "\\\\").replace("\"", "\\\"");
    String onTheWire =
        new String(
            ("tenant=\"" + quoted + "\"").getBytes(StandardCharsets.UTF_8),
            StandardCharsets.ISO_8859_1);

    Descriptors expected = Descriptors.of("tenant", value);
    assertThat(ask(query).descriptors()).isEqualTo(expected);
    assertThat(Question.of("", headers(Map.of("X-RateLimit-Descriptors", onTheWire))).descriptors())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cost=-1000",
        "cost=",
        "cost=1.5",
        "cost=1e3",
        "cost=x",
        "cost=0x1",
        "cost=+1",
        "cost=%201",
        "cost=\u0661",
        "cost=1&cost=2",
        "domain=a&domain=a",
        "deny_status=200",
        "deny_status=500",
        "domain=",
        "domain=a/b",
        "domain=-x",
        "d.=x",
        "d.tenant",
        "d.a=1&d.a=2",
        "tenant=acme",
        "d.a=%",
        "d.a=%1",
        "d.a=%zz",
        "d.a=%ff",
        "d.a=%ed%a0%80",
        "d.a=%c0%80",
        "x",
        "D.a=1"
      })
  void whatCannotBeMeantIsSaid(String query) {
    assertThatThrownBy(() -> ask(query))
        .isInstanceOf(BadQuestionException.class)
        .hasMessageNotContaining("null");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tenant", "a=b, c", "a=\"b", "a=\"b\" c", "=b", "a=b, a=c"})
  void aLineThatIsNoPairsIsSaid(String line) {
    assertThatThrownBy(() -> Question.of("", headers(Map.of("X-RateLimit-Descriptors", line))))
        .isInstanceOf(BadQuestionException.class);
  }

  /** Taken as they stand, each would be one value, of no quota or of a bucket of its own. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "tenant:acme",
        "tenant:acme, api:public",
        "tenant=acme;api=public",
        "tenant=acme; api=public",
        "tenant=acme;",
        "tenant=acme&api=public",
        "tenant=acme|api=public",
        "tenant=acme api=public"
      })
  void aLineWithAnotherSeparatorIsSaidWithWhatToWrite(String line) {
    assertThatThrownBy(() -> Question.of("", headers(Map.of("X-RateLimit-Descriptors", line))))
        .isInstanceOf(BadQuestionException.class)
        .hasMessageContaining("; write X-RateLimit-Descriptors: tenant=acme, path=\"/a;b\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "path=\"/a;b=c\" | path=/a;b%3Dc",
        "tenant=Acme & Sons Ltd | tenant=Acme %26 Sons Ltd",
        "token=YWJj== | token=YWJj%3D%3D"
      })
  void aValueThatOnlyLooksLikeSeveralIsQuoted(String line, String canonical) throws Exception {
    assertThat(Question.of("", headers(Map.of("X-RateLimit-Descriptors", line))).descriptors())
        .hasToString(canonical);
  }

  @Test
  void tooMuchIsRefusedAndNotCut() {
    String pairs = "d.k%d=v&".repeat(17);
    for (int i = 0; i < 17; i++) {
      pairs = pairs.replaceFirst("%d", "" + i);
    }
    String query = pairs;
    assertThatThrownBy(() -> ask(query)).hasMessageContaining("at most 16 descriptors");
    assertThatThrownBy(() -> ask("d.tenant=" + "x".repeat(10_240)))
        .isInstanceOf(BadQuestionException.class)
        .hasMessageContaining("10240 bytes long; the most is 1024");
    assertThatThrownBy(() -> ask("d." + "k".repeat(65) + "=1"))
        .hasMessageContaining("65 bytes long; the most is 64");
  }

  /** C19: never wraps into a small cost, or into a negative one. */
  @Test
  void aCostThatDoesNotFitIsTheLargest() throws Exception {
    assertThat(ask("cost=9223372036854775807").cost()).isEqualTo(Long.MAX_VALUE);
    assertThat(ask("cost=9223372036854775806").cost()).isEqualTo(Long.MAX_VALUE - 1);
    assertThat(ask("cost=9223372036854775808").cost()).isEqualTo(Long.MAX_VALUE);
    assertThat(ask("cost=18446744073709551617").cost()).isEqualTo(Long.MAX_VALUE);
    assertThat(ask("cost=" + "9".repeat(400)).cost()).isEqualTo(Long.MAX_VALUE);
    assertThat(ask("cost=000").cost()).isZero();
  }

  private static Question ask(String query) throws BadQuestionException {
    return Question.of(query, MultiMap.caseInsensitiveMultiMap());
  }

  private static MultiMap headers(Map<String, String> map) {
    return MultiMap.caseInsensitiveMultiMap().addAll(map);
  }

  private static String text(Random random) {
    int[] alphabet = {
      'a', 'B', '=', ',', '%', '&', '+', '"', '\\', ' ', 0xe4, 0x308, 0x20ac, 0x1f600
    };
    StringBuilder text = new StringBuilder("x");
    for (int i = random.nextInt(12); i > 0; i--) {
      text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
    }
    return text.toString();
  }
}
