package dev.weir.sim.fleet;

import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.FloorGrant;
import dev.weir.core.message.FloorShare;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.Share;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messages as a person reads them: whole tokens and what is not as usual. */
final class Telling {
  private Telling() {}

  static String of(SyncRequest request) {
    StringBuilder text = new StringBuilder("#").append(request.seq());
    text.append(" v").append(request.floorVersion());
    if (request.leaving()) {
      text.append(" LEAVES");
    }
    for (BucketReport report : request.buckets()) {
      text.append(
          String.format(
              Locale.ROOT,
              " {%s has %s level %.3f high %.3f wants %.2f back %.3f applied %d:%d}",
              report.bucket().key(),
              of(report.held()),
              report.levelMicros() / 1e6,
              report.highestMicros() / 1e6,
              report.demandMicros() / 1e6,
              report.givenBackMicros() / 1e6,
              report.applied().authority(),
              report.applied().number()));
    }
    return text.toString();
  }

  static String of(SyncAnswer answer) {
    StringBuilder text = new StringBuilder("#").append(answer.seq());
    if (answer.status() != SyncAnswer.Status.OK) {
      text.append(' ').append(answer.status());
    }
    if (answer.book() != null) {
      text.append(" book ").append(answer.book().generation());
    }
    text.append(of(answer.floor()));
    for (BucketOffer offer : answer.offers()) {
      text.append(
          String.format(
              Locale.ROOT,
              " {%s %d:%d %s + %.3f%s%s}",
              offer.bucket().key(),
              offer.id().authority(),
              offer.id().number(),
              of(offer.share()),
              offer.tokensMicros() / 1e6,
              offer.confirm() ? " confirm" : "",
              offer.learning() ? " learning" : ""));
    }
    return text.toString();
  }

  private static String of(@Nullable FloorGrant grant) {
    if (grant == null) {
      return " no floor";
    }
    Map<?, FloorShare> table = grant.table();
    StringBuilder text = new StringBuilder(" floor v").append(grant.version());
    if (table != null) {
      table.forEach((quota, floor) -> text.append(' ').append(of(floor.share())));
    }
    return text.toString();
  }

  static String of(Share share) {
    return String.format(
        Locale.ROOT, "(%.2f/s %.3f)", share.rateMicros() / 1e6, share.burstMicros() / 1e6);
  }
}
