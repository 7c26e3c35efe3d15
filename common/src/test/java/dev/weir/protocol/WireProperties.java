package dev.weir.protocol;

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
import dev.weir.core.quota.BucketKey;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Share;
import dev.weir.testkit.Seeds;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

class WireProperties {
  @Seeds
  void aRequestComesBackAsItWas(Random random) {
    SyncRequest request = request(random);
    assertThat(Wire.request(Wire.encode(request))).isEqualTo(new Parsed.Message<>(request));
  }

  @Seeds
  void anAnswerComesBackAsItWas(Random random) {
    SyncAnswer answer = answer(random);
    assertThat(Wire.answer(Wire.encode(answer))).isEqualTo(new Parsed.Message<>(answer));
  }

  @Seeds(tries = 500)
  void damagedMessagesAreReadOrMalformedAndNeverThrow(Random random) {
    byte[] request = damaged(Wire.encode(request(random)), random);
    byte[] answer = damaged(Wire.encode(answer(random)), random);
    assertThat(Wire.request(request)).isNotNull();
    assertThat(Wire.answer(answer)).isNotNull();
    assertThat(Wire.answer(request)).isNotNull();
    assertThat(Wire.request(answer)).isNotNull();
  }

  @Seeds(tries = 500)
  void noiseIsMalformed(Random random) {
    byte[] noise = new byte[1 + random.nextInt(40)];
    random.nextBytes(noise);
    noise[0] |= (byte) 0x80;
    assertThat(Wire.request(noise)).isInstanceOf(Parsed.Malformed.class);
    assertThat(Wire.answer(noise)).isInstanceOf(Parsed.Malformed.class);
  }

  private static byte[] damaged(byte[] bytes, Random random) {
    byte[] copy = bytes.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      copy[random.nextInt(copy.length)] =
          random.nextBoolean() ? (byte) random.nextInt() : copy[random.nextInt(copy.length)];
    }
    return random.nextInt(4) > 0 ? copy : Arrays.copyOf(copy, random.nextInt(copy.length));
  }

  private static SyncRequest request(Random random) {
    return new SyncRequest(
        random.nextBoolean() ? "" : "cluster-" + random.nextInt(9),
        "region-" + random.nextInt(9),
        random.nextBoolean() ? "" : "folder" + random.nextInt(9),
        positive(random),
        positive(random),
        notNegative(random),
        notNegative(random),
        random.nextBoolean(),
        some(random, () -> report(random)),
        uses(random));
  }

  private static List<QuotaUse> uses(Random random) {
    Map<QuotaId, QuotaUse> uses = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      QuotaId quota = quota(random);
      uses.put(quota, new QuotaUse(quota, notNegative(random), notNegative(random)));
    }
    return List.copyOf(uses.values());
  }

  private static BucketReport report(Random random) {
    long level = notNegative(random);
    return new BucketReport(
        bucket(random),
        offerId(random),
        notNegative(random),
        positive(random),
        share(random),
        level,
        Math.max(level, notNegative(random)),
        notNegative(random),
        notNegative(random),
        random.nextBoolean());
  }

  private static SyncAnswer answer(Random random) {
    SyncAnswer.Status[] statuses = SyncAnswer.Status.values();
    return new SyncAnswer(
        random.nextBoolean() ? "" : "cluster-" + random.nextInt(9),
        notNegative(random),
        notNegative(random),
        statuses[random.nextInt(statuses.length)],
        random.nextBoolean() ? "" : "add \"it\" to regions:\n  ü: {}",
        notNegative(random),
        random.nextInt(3) > 0 ? null : Books.book(random),
        random.nextBoolean() ? null : new FloorGrant(notNegative(random), table(random)),
        random.nextBoolean(),
        some(random, () -> offer(random)));
  }

  private static @Nullable Map<QuotaId, FloorShare> table(Random random) {
    if (random.nextBoolean()) {
      return null;
    }
    Map<QuotaId, FloorShare> table = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      table.put(quota(random), new FloorShare(positive(random), share(random), positive(random)));
    }
    return table;
  }

  private static BucketOffer offer(Random random) {
    OfferId id = offerId(random);
    return new BucketOffer(
        bucket(random),
        id.equals(OfferId.NONE) ? new OfferId(1, 1) : id,
        positive(random),
        share(random),
        notNegative(random),
        notNegative(random),
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextBoolean());
  }

  private static BucketId bucket(Random random) {
    String[] values = {"", "acme", "a,b=c&d%e", "\u0000\n\u0085", "e\u0301", "é", "😀", "\"\\/"};
    String key =
        random.nextBoolean()
            ? ""
            : BucketKey.encode(
                Descriptors.of(
                    Map.of(
                        "tenant",
                        values[random.nextInt(values.length)],
                        "user",
                        values[random.nextInt(values.length)])));
    return new BucketId(quota(random), key);
  }

  private static QuotaId quota(Random random) {
    return new QuotaId("Shop" + random.nextInt(3), "quota." + random.nextInt(9));
  }

  private static OfferId offerId(Random random) {
    return random.nextBoolean() ? OfferId.NONE : new OfferId(random.nextLong(), number(random));
  }

  private static Share share(Random random) {
    return random.nextInt(3) == 0
        ? Share.ZERO
        : new Share(notNegative(random), notNegative(random));
  }

  private static long positive(Random random) {
    return Math.max(1, notNegative(random));
  }

  private static long notNegative(Random random) {
    return number(random) & Long.MAX_VALUE;
  }

  /** Of any length in bits, the extremes among them. */
  private static long number(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> Long.MAX_VALUE;
      default -> random.nextLong() >>> random.nextInt(64);
    };
  }

  private static <T> List<T> some(Random random, Supplier<T> one) {
    return Stream.generate(one).limit(random.nextInt(5)).toList();
  }
}
