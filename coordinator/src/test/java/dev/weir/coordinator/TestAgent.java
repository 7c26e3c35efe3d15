package dev.weir.coordinator;

import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.OfferId;
import dev.weir.core.message.QuotaUse;
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
  private final long boot;
  private final BucketId bucket;
  private final long perNanos;
  private long seq;
  private OfferId applied = OfferId.NONE;
  private Share held = Share.ZERO;
  private long usedMicros;

  TestAgent(String region, BucketId bucket, long perNanos) {
    this(region, 1, bucket, perNanos);
  }

  TestAgent(String region, long boot, BucketId bucket, long perNanos) {
    this.region = region;
    this.boot = boot;
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
    return words(false, Tokens.micros(1000));
  }

  /** Asks once and returns the tokens that came, in micro-tokens. */
  long ask(Http http) throws Exception {
    long tokens = 0;
    for (BucketOffer offer : send(http, false, Tokens.micros(1000)).offers()) {
      applied = offer.id();
      held = offer.share();
      tokens += offer.tokensMicros();
    }
    usedMicros += tokens;
    return tokens;
  }

  /** Gives back what it holds, for the last time. */
  SyncAnswer.Status leave(Http http) throws Exception {
    held = Share.ZERO;
    return send(http, true, 0).status();
  }

  private byte[] words(boolean leaving, long demandMicros) {
    seq++;
    BucketReport report =
        new BucketReport(bucket, applied, 0, perNanos, held, 0, 0, demandMicros, 0, true);
    SyncRequest request =
        new SyncRequest(
            "",
            region,
            "folder-" + region + boot,
            boot,
            seq,
            0,
            0,
            leaving,
            List.of(report),
            List.of(new QuotaUse(bucket.quota(), usedMicros, 0)));
    return Wire.encode(request);
  }

  private SyncAnswer send(Http http, boolean leaving, long demandMicros) throws Exception {
    Http.Answer answer = http.post("/v1/sync", words(leaving, demandMicros));
    if (!(Wire.answer(answer.bytes()) instanceof Parsed.Message<SyncAnswer> message)) {
      throw new AssertionError(answer.status() + " " + answer.text());
    }
    return message.value();
  }
}
