package dev.weir.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.FloorGrant;
import dev.weir.core.message.FloorShare;
import dev.weir.core.message.OfferId;
import dev.weir.core.message.QuotaUse;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Share;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireTest {
  private static final QuotaId QUOTA = new QuotaId("shop", "public-api");
  private static final long SECOND = 1_000_000_000L;

  @Test
  void aRequestIsOneLineOfShortNames() {
    SyncRequest request =
        new SyncRequest(
            "c1",
            "eu-west",
            "f1",
            3,
            17,
            5,
            2,
            false,
            List.of(
                new BucketReport(
                    new BucketId(QUOTA, "tenant=acme"),
                    new OfferId(-9, 4),
                    250_000_000,
                    60 * SECOND,
                    new Share(6_000_000, 500_000),
                    1_000_000,
                    1_500_000,
                    99_000_000,
                    7,
                    true)),
            List.of(new QuotaUse(QUOTA, 12_000_000, 3)));
    assertThat(new String(Wire.encode(request), UTF_8))
        .isEqualTo(
            "{\"c\":\"c1\",\"r\":\"eu-west\",\"d\":\"f1\",\"b\":3,\"s\":17,\"g\":5,\"f\":2,\"k\":["
                + "{\"q\":\"shop/public-api\",\"k\":\"tenant=acme\",\"o\":[-9,4],\"a\":250000000,"
                + "\"p\":60000000000,\"h\":[6000000,500000],\"l\":1000000,\"m\":1500000,"
                + "\"w\":99000000,\"t\":7,\"y\":true}],\"u\":{\"shop/public-api\":[12000000,3]}}");
  }

  @Test
  void anAnswerIsOneLineOfShortNames() {
    SyncAnswer answer =
        new SyncAnswer(
            "c1",
            3,
            17,
            SyncAnswer.Status.OK,
            "",
            3,
            null,
            new FloorGrant(2, Map.of(QUOTA, new FloorShare(SECOND, new Share(10, 20), 30))),
            false,
            List.of(
                new BucketOffer(
                    new BucketId(QUOTA, ""),
                    new OfferId(8, 1),
                    SECOND,
                    new Share(5, 6),
                    7,
                    10 * SECOND,
                    true,
                    false,
                    true)));
    assertThat(new String(Wire.encode(answer), UTF_8))
        .isEqualTo(
            "{\"c\":\"c1\",\"b\":3,\"s\":17,\"n\":3,"
                + "\"f\":{\"v\":2,\"t\":{\"shop/public-api\":[1000000000,10,20,30]}},\"k\":["
                + "{\"q\":\"shop/public-api\",\"o\":[8,1],\"p\":1000000000,\"h\":[5,6],\"t\":7,"
                + "\"e\":10000000000,\"c\":true,\"l\":true}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "17",
        "{",
        "{}",
        "{\"r\":\"eu\",\"b\":1}",
        "{\"r\":\"eu\",\"b\":1,\"s\":0}",
        "{\"r\":\"eu\",\"b\":1,\"s\":-1}",
        "{\"r\":\"eu\",\"b\":1.5,\"s\":1}",
        "{\"r\":\"eu\",\"b\":\"1\",\"s\":1}",
        "{\"r\":\"eu\",\"b\":9223372036854775808,\"s\":1}",
        "{\"r\":\"eu\",\"b\":99999999999999999999999999,\"s\":1}",
        "{\"r\":\"Eu West\",\"b\":1,\"s\":1}",
        "{\"b\":1,\"s\":1}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1,\"k\":{}}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1,\"k\":[1]}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1,\"k\":[{\"p\":1}]}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1,\"k\":[{\"q\":\"a/b\"}]}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1,\"k\":[{\"q\":\"ab\",\"p\":1}]}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1,\"k\":[{\"q\":\"a/b\",\"p\":1,\"k\":\"no pair\"}]}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1,\"k\":[{\"q\":\"a/b\",\"p\":1,\"k\":\"b=1,a=2\"}]}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1,\"k\":[{\"q\":\"a/b\",\"p\":1,\"h\":[1]}]}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1,\"k\":[{\"q\":\"a/b\",\"p\":1,\"h\":[1,2,3]}]}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1,\"k\":[{\"q\":\"a/b\",\"p\":1,\"h\":[-1,2]}]}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1,\"k\":[{\"q\":\"a/b\",\"p\":1,\"l\":5,\"m\":4}]}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1} {}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1,\"l\":1}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1,\"d\":\"\\ud800\"}",
        "{\"r\":\"eu\",\"b\":1,\"s\":1,\"k\":[{\"q\":\"a/b\",\"p\":1,\"k\":\"a=\\ud800\"}]}"
      })
  void whatIsNoRequestIsMalformed(String text) {
    assertThat(Wire.request(text.getBytes(UTF_8))).isInstanceOf(Parsed.Malformed.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{\"x\":\"MAYBE\"}",
        "{\"k\":[{\"q\":\"a/b\",\"p\":1}]}",
        "{\"k\":[{\"q\":\"a/b\",\"o\":[1,1]}]}",
        "{\"f\":{\"t\":{\"a/b\":[1,2,3]}}}",
        "{\"f\":{\"t\":{\"a/b\":[1,2,3,0]}}}"
      })
  void whatIsNoAnswerIsMalformed(String text) {
    assertThat(Wire.answer(text.getBytes(UTF_8))).isInstanceOf(Parsed.Malformed.class);
  }

  @Test
  void aFieldOfANewerVersionIsSkipped() {
    String text = "{\"r\":\"eu\",\"b\":1,\"zz\":{\"a\":[1,{}]},\"s\":2}";
    assertThat(Wire.request(text.getBytes(UTF_8)))
        .isEqualTo(
            new Parsed.Message<>(
                new SyncRequest("", "eu", "", 1, 2, 0, 0, false, List.of(), List.of())));
  }

  @Test
  void aMessageThatIsTooLongIsNotRead() {
    assertThat(Wire.request(new byte[Wire.REQUEST_BYTES_MAX + 1]))
        .isEqualTo(new Parsed.Malformed<>("4194305 bytes; a message has at most 4194304"));
  }

  @Test
  void deepNestingAndLongNumbersAreRefused() {
    String deep = "{\"zz\":" + "[".repeat(100_000);
    String digits = "{\"b\":" + "1".repeat(100_000) + "}";
    assertThat(Wire.request(deep.getBytes(UTF_8))).isInstanceOf(Parsed.Malformed.class);
    assertThat(Wire.request(digits.getBytes(UTF_8))).isInstanceOf(Parsed.Malformed.class);
  }
}
