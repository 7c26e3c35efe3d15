package dev.weir.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Quotas;
import dev.weir.testkit.Seeds;
import java.util.Random;

class BucketKeyProperties {
  private static final String ALPHABET = "ab=,%&C24859\u0085\u00e9\n";

  @Seeds(tries = 500)
  void everyTextReadsBackAsWhatItWasWrittenFrom(Random random) {
    Descriptors descriptors = Quotas.anyDescriptors(random);
    assertThat(BucketKey.decode(BucketKey.encode(descriptors))).isEqualTo(descriptors);
  }

  @Seeds(tries = 500)
  void anyTextIsRefusedOrIsTheOnlyTextOfWhatItMeans(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    String key = text.toString();
    try {
      assertThat(BucketKey.encode(BucketKey.decode(key))).isEqualTo(key);
    } catch (IllegalArgumentException refused) {
      assertThat(refused).hasMessageMatching("(?s)(not a bucket key|a? ?descriptor|the value).*");
    }
  }
}
