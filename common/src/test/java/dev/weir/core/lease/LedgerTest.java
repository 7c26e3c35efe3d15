package dev.weir.core.lease;

import static dev.weir.core.lease.Scene.share;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Rules;
import dev.weir.core.message.OfferId;
import dev.weir.core.quota.Share;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private static final Share WHOLE = share(100, 100);

  private static Scene scene(Share floorEach) {
    return Scene.of(Scene.terms(WHOLE, floorEach, "eu", "us", "ap"), Rules.ALL);
  }

  @Test
  void anOldRequestThatArrivesAfterARecallDoesNotUndoIt() {
    Scene scene = scene(Share.ZERO);
    HonestAgent eu = scene.agent("eu").holding(share(80, 80), 80, new OfferId(1, 1), 2_000);
    HonestAgent us = scene.agent("us");
    scene.account(eu, 2_050, 80);

    scene.at(100);
    HonestAgent.Question late = eu.ask(80);
    scene.at(200);
    scene.exchange(us, 90);
    long newer = eu.askNothing();
    LedgerStep recall = scene.recall(eu, newer);
    eu.hear(newer, scene.nowNanos(), recall.offer());

    scene.at(300);
    scene.exchange(scene.agent("ap"), 90);
    scene.take(late);
    assertThat(eu.lease()).isEqualTo(Objects.requireNonNull(recall.offer()).share());
    // Everything it holds stays accounted for as long as it holds it.
    for (int millis = 300; millis < 2_250; millis += 10) {
      scene.at(millis);
      assertThat(eu.lease().fitsIn(scene.accounted(eu))).isTrue();
    }
  }

  @Test
  void aLeaseGivenByALargerQuotaCountsInFullWhenTheQuotaShrinksAndGrowsAgain() {
    Scene scene = scene(Share.ZERO);
    HonestAgent eu = scene.agent("eu").holding(share(80, 80), 80, new OfferId(1, 1), 2_000);
    scene.account(eu, 2_050, 80);
    scene.at(10).change(Scene.terms(share(10, 10), Share.ZERO, "eu", "us", "ap"));
    HonestAgent.Question said = eu.ask(80);
    scene.take(said);
    scene.at(20).change(Scene.terms(WHOLE, Share.ZERO, "eu", "us", "ap"));
    // The answer that shrinks it is lost, and it goes on with 80.
    assertThat(scene.accounted(eu)).isEqualTo(share(80, 80));
    assertThat(scene.truth(0)).isEmpty();
  }
}
