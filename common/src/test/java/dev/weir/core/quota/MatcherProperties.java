package dev.weir.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Quotas;
import dev.weir.testkit.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

class MatcherProperties {
  @Seeds(tries = 500)
  void findsWhatAskingEveryQuotaFinds(Random random) {
    List<QuotaSpec> quotas = anyQuotas(random);
    Matcher matcher = Matcher.of(new DomainBook("shop", List.of(), quotas));
    Descriptors request = Quotas.anyDescriptors(random);
    List<BucketMatch> found = matcher.match(request);
    assertThat(found).hasSizeLessThanOrEqualTo(matcher.matchesMax());

    assertThat(found.stream().map(BucketMatch::quota))
        .containsExactlyInAnyOrderElementsOf(
            quotas.stream()
                .filter(quota -> quota.mode() != Mode.OFF && quota.matches(request))
                .toList());
    assertThat(found.stream().map(match -> match.quota().rate()))
        .isSortedAccordingTo(Rate.BY_SPEED);
    assertThat(found.stream().map(BucketMatch::slot).toList())
        .isSortedAccordingTo(Comparator.naturalOrder());
  }

  @Seeds(tries = 500)
  void theKeyIsTheTextOfTheFreeValuesHoweverItIsAsked(Random random) {
    Matcher matcher = Matcher.of(new DomainBook("shop", List.of(), anyQuotas(random)));
    Descriptors request = Quotas.anyDescriptors(random);
    List<BucketMatch> found = matcher.match(request);
    assertThat(matcher.match(DescriptorLookup.of(request.asMap()))).isEqualTo(found);
    for (BucketMatch match : found) {
      Map<String, String> free = new TreeMap<>(request.asMap());
      free.keySet()
          .retainAll(match.quota().match().stream().filter(Match::isFree).map(Match::key).toList());
      assertThat(BucketKey.decode(match.bucket().key())).isEqualTo(Descriptors.of(free));
      assertThat(match.bucket().quota()).isEqualTo(match.quota().id());
      assertThat(matcher.quota(match.slot())).isEqualTo(match.quota());
    }
  }

  private static List<QuotaSpec> anyQuotas(Random random) {
    List<QuotaSpec> quotas = new ArrayList<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      quotas.add(Quotas.any(random, new QuotaId("shop", "q" + i)));
    }
    return quotas;
  }
}
