package dev.weir.sim.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.sim.trace.Arrival;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DecisionJsonTest {
  private static final Question QUESTION = new Question("shop", "tenant", Map.of("api", "public"));

  @Test
  void aBatchAsksOneQuestionPerArrival() {
    byte[] body =
        DecisionJson.request(
            QUESTION,
            List.of(new Arrival(0, "eu-west", "a\"b", 1), new Arrival(0, "eu-west", "c", 25)));
    assertThat(new String(body, StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"requests\":["
                + "{\"domain\":\"shop\",\"descriptors\":{\"api\":\"public\",\"tenant\":\"a\\\"b\"},\"cost\":1},"
                + "{\"domain\":\"shop\",\"descriptors\":{\"api\":\"public\",\"tenant\":\"c\"},\"cost\":25}]}");
  }

  @Test
  void verdictsAreThoseOfTheDecisionsAndNotOfTheirQuotas() throws IOException {
    String body =
        """
        {"took": {"allowed": false}, "decisions": [
          {"quotas": [{"name": "q", "allowed": false}], "allowed": true, "reason": "OK"},
          {"allowed": false, "retryAfterMs": 3, "quotas": []}]}
        """;
    assertThat(allowed(body, 2)).containsExactly(true, false);
  }

  @Test
  void anythingElseIsAnError() {
    for (String body :
        List.of(
            "[]",
            "{}",
            "{\"decisions\": [{\"allowed\": true}]}",
            "{\"decisions\": [{\"allowed\": true}, {}]}",
            "{\"decisions\": [{\"allowed\": true}, {\"allowed\": \"yes\"}]}",
            "{\"decisions\": [{\"allowed\"",
            "nope")) {
      assertThatThrownBy(() -> allowed(body, 2)).as(body).isInstanceOf(IOException.class);
    }
  }

  private static boolean[] allowed(String body, int expected) throws IOException {
    return DecisionJson.allowed(body.getBytes(StandardCharsets.UTF_8), expected);
  }
}
