package dev.weir.coordinator;

import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.OfferId;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.protocol.Parsed;
import dev.weir.protocol.Wire;
import java.util.List;

/** An agent of one bucket that applies every offer and spends every token at once. */
final class TestAgent {
  private final String region;
  private final BucketId bucket;
  private final long perNanos;
  private long seq;
  private OfferId applied = OfferId.NONE;
  private Share held = Share.ZERO;

  TestAgent(String region, BucketId bucket, long perNanos) {
    this.region = region;
    this.bucket = bucket;
    this.perNanos = perNanos;
  }

  /** Declares from now on that it holds so much. */
  TestAgent claiming(Share share) {
    held = share;
    return this;
  }

  Share held() {
    return held;
  }

  /** The next request. */
  byte[] words() {
    seq++;
    BucketReport report =
        new BucketReport(bucket, applied, 0, perNanos, held, 0, 0, Tokens.micros(1000), 0, true);
    SyncRequest request =
        new SyncRequest("", region, "folder-" + region, 1, seq, 0, 0, false, List.of(report));
    return Wire.encode(request);
  }

  /** Asks once and returns the tokens that came, in micro-tokens. */
  long ask(Http http) throws Exception {
    Http.Answer answer = http.post("/v1/sync", words());
    if (!(Wire.answer(answer.bytes()) instanceof Parsed.Message<SyncAnswer> message)) {
      throw new AssertionError(answer.status() + " " + answer.text());
    }
    long tokens = 0;
    for (BucketOffer offer : message.value().offers()) {
      applied = offer.id();
      held = offer.share();
      tokens += offer.tokensMicros();
    }
    return tokens;
  }
}
