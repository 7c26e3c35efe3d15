package dev.weir.coordinator.grid;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import dev.weir.core.Rules;
import dev.weir.core.lease.Authority;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.HolderId;
import dev.weir.core.lease.Ledger;
import dev.weir.core.lease.LedgerStep;
import dev.weir.core.lease.LedgerTerms;
import dev.weir.core.lease.Mark;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.OfferId;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.BucketKey;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.testkit.Quotas;
import dev.weir.testkit.Seeds;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** What goes between members arrives as it was sent, whatever a ledger has been through. */
class RecordDataProperties {
  private static final long MILLIS = 1_000_000L;

  private final InternalSerializationService wire =
      new DefaultSerializationServiceBuilder().setConfig(GridSerializers.config()).build();

  @AfterEach
  void close() {
    wire.dispose();
  }

  @Seeds
  void aLedgerAndItsAnswersArriveAsTheyWere(Random random) {
    QuotaId quota = random.nextBoolean() ? Shop.FAST : Shop.DAILY;
    long nowNanos = random.nextLong();
    Desk desk = Shop.desk(1 + random.nextInt(9), nowNanos, Shop.fast(100), Shop.daily(1000));
    LedgerTerms terms = Objects.requireNonNull(desk.terms(quota));
    Authority authority = desk.authority(quota);
    Ledger ledger =
        Ledger.open(terms, authority, desk.untouched(quota, nowNanos), new Mark(0, 0), nowNanos);
    BucketId bucket = new BucketId(quota, BucketKey.encode(Quotas.anyDescriptors(random)));
    for (int seq = 1; seq < 20; seq++) {
      nowNanos += random.nextInt(3_000) * MILLIS;
      HolderId who = new HolderId(random.nextBoolean() ? "eu" : "us", 1 + random.nextInt(2));
      BucketReport report = anyReport(bucket, ledger, terms.perNanos(), random);
      LedgerStep step = ledger.on(report, who, seq, terms, 100 + seq, nowNanos, Rules.ALL);
      ledger = step.next();
      arrives(ledger);
      arrives(new LedgerSeen(ledger, nowNanos));
      arrives(new LedgerReply(step.offer(), step.recalls(), random.nextBoolean(), step.warning()));
      Steps.Step sent = new Steps.Step(Steps.Kind.REPORT, report, who, seq);
      assertThat(copy(new Steps.Processor(sent)).step()).isEqualTo(sent);
      assertThat(copy(new Steps.Copy(ledger)).ledger()).isEqualTo(ledger);
    }
    arrives(bucket);
    assertThat(copy(new Steps.Copy(null)).ledger()).isNull();
    for (Steps.Kind kind : Steps.Kind.values()) {
      Steps.Step bare = new Steps.Step(kind, null, null, 0);
      assertThat(copy(new Steps.Processor(bare)).step()).isEqualTo(bare);
    }
  }

  private static BucketReport anyReport(
      BucketId bucket, Ledger ledger, long perNanos, Random random) {
    List<OfferId> known =
        ledger.holders().values().stream()
            .map(holder -> holder.offer() == null ? OfferId.NONE : holder.offer().id())
            .toList();
    OfferId applied =
        known.isEmpty() || random.nextInt(3) == 0
            ? OfferId.NONE
            : known.get(random.nextInt(known.size()));
    Share held =
        random.nextBoolean()
            ? Share.ZERO
            : new Share(Tokens.micros(random.nextInt(100)), Tokens.micros(random.nextInt(100)));
    long level = Tokens.micros(random.nextInt(50));
    return new BucketReport(
        bucket,
        applied,
        applied.equals(OfferId.NONE) ? 0 : random.nextInt(2_000) * MILLIS,
        perNanos,
        held,
        level,
        level + random.nextInt(1_000_000),
        Tokens.micros(random.nextInt(300)),
        Tokens.micros(random.nextInt(1_000)),
        random.nextBoolean());
  }

  private void arrives(Object sent) {
    assertThat(copy(sent)).isEqualTo(sent);
  }

  private <T> T copy(T sent) {
    @Nullable T arrived = wire.toObject(wire.toData(sent));
    return Objects.requireNonNull(arrived);
  }
}
