package dev.weir.core.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MatcherTest {
  private static final QuotaSpec ALL = quota("all", 1000);
  private static final QuotaSpec TENANT = quota("tenant", 100, Match.any("tenant"));
  private static final QuotaSpec PUBLIC =
      quota("public", 10, Match.any("tenant"), new Match("api", "public"));
  private static final QuotaSpec USER = quota("user", 1, Match.any("user"), Match.any("tenant"));
  private static final DomainBook SHOP =
      new DomainBook("shop", List.of(), List.of(ALL, TENANT, PUBLIC, USER));
  private static final QuotaBook BOOK = new QuotaBook(7, Map.of("shop", SHOP));

  @Test
  void aRequestCountsAgainstEveryQuotaItMatchesNarrowestFirst() {
    assertThat(
            names(
                BOOK.match("shop", Descriptors.of("tenant", "acme", "api", "public", "user", "u"))))
        .containsExactly(
            "shop/user{tenant=acme,user=u}",
            "shop/public{tenant=acme}",
            "shop/tenant{tenant=acme}",
            "shop/all");
    assertThat(names(BOOK.match("shop", Descriptors.of("tenant", "acme", "api", "private"))))
        .containsExactly("shop/tenant{tenant=acme}", "shop/all");
    assertThat(names(BOOK.match("shop", Descriptors.NONE))).containsExactly("shop/all");
  }

  @Test
  void aDomainNobodyKnowsMatchesNothing() {
    assertThat(BOOK.match("shap", Descriptors.NONE)).isEmpty();
    assertThat(BOOK.matcher("shap")).isNull();
  }

  @Test
  void aQuotaThatIsOffMatchesNothing() {
    QuotaSpec off = TENANT.withMode(Mode.OFF);
    Matcher matcher = Matcher.of(new DomainBook("shop", List.of(), List.of(off)));
    assertThat(matcher.match(Descriptors.of("tenant", "acme"))).isEmpty();
    assertThat(matcher.size()).isZero();
  }

  @Test
  void theOrderOfConditionsDoesNotChangeTheBucket() {
    QuotaSpec turned = quota("user", 1, Match.any("tenant"), Match.any("user"));
    DescriptorLookup request = Descriptors.of("user", "u", "tenant", "t");
    assertThat(Matcher.of(new DomainBook("shop", List.of(), List.of(turned))).match(request))
        .extracting(BucketMatch::bucket)
        .isEqualTo(
            Matcher.of(new DomainBook("shop", List.of(), List.of(USER))).match(request).stream()
                .map(BucketMatch::bucket)
                .toList());
  }

  @Test
  void theSoleValueIsThereOnlyWhereOneFreeKeyTellsBucketsApart() {
    Matcher matcher = Matcher.of(SHOP);
    Descriptors request = Descriptors.of("tenant", "a,b", "api", "public", "user", "u");
    int[] slots = new int[matcher.matchesMax()];
    assertThat(matcher.match(request, slots)).isEqualTo(4);
    assertThat(slots).containsExactly(0, 1, 2, 3);
    assertThat(matcher.soleValue(0, request)).isNull();
    assertThat(matcher.soleValue(1, request)).isEqualTo("a,b");
    assertThat(matcher.key(1, request)).isEqualTo("tenant=a%2Cb");
    assertThat(matcher.soleValue(3, request)).isNull();
    assertThat(matcher.key(3, request)).isEmpty();
  }

  @Test
  void aKeyForARequestThatDoesNotMatchIsAnError() {
    Matcher matcher = Matcher.of(SHOP);
    assertThatThrownBy(() -> matcher.key(0, Descriptors.NONE))
        .hasMessage("shop/user does not match: no tenant");
  }

  @Test
  void aBookKnowsItsQuotasByName() {
    assertThat(BOOK.quota(TENANT.id())).isEqualTo(TENANT);
    assertThat(BOOK.quota(new QuotaId("shop", "none"))).isNull();
    assertThat(BOOK.quota(new QuotaId("other", "tenant"))).isNull();
    assertThat(BOOK.generation()).isEqualTo(7);
    assertThat(BOOK).isEqualTo(new QuotaBook(7, BOOK.domains())).isNotEqualTo(QuotaBook.EMPTY);
    assertThat(BOOK).hasSameHashCodeAs(new QuotaBook(7, BOOK.domains()));
  }

  @Test
  void aBookIsTheSameInWhateverOrderItsPartsCome() {
    List<Region> regions = List.of(new Region("b", 1), new Region("a", 2));
    assertThat(new DomainBook("shop", regions, List.of(TENANT, ALL)))
        .isEqualTo(
            new DomainBook("shop", List.of(regions.get(1), regions.get(0)), List.of(ALL, TENANT)));
  }

  @Test
  void whatIsNamedTwiceOrStandsInTheWrongPlaceIsRefused() {
    assertThatThrownBy(() -> new DomainBook("shop", List.of(), List.of(ALL, ALL)))
        .hasMessage("quota named twice: all");
    Region eu = new Region("eu", 1);
    assertThatThrownBy(() -> new DomainBook("shop", List.of(eu, eu), List.of()))
        .hasMessage("region named twice: eu");
    assertThatThrownBy(() -> new DomainBook("bank", List.of(), List.of(ALL)))
        .hasMessage("shop/all is not of domain bank");
    assertThatThrownBy(
            () -> new QuotaBook(0, Map.of("a", new DomainBook("b", List.of(), List.of()))))
        .hasMessage("domain b stands under a");
  }

  private static QuotaSpec quota(String name, long perSecond, Match... match) {
    return QuotaSpec.leased(
        new QuotaId("shop", name),
        List.of(match),
        Rate.perSecond(perSecond),
        Tokens.micros(perSecond));
  }

  private static List<String> names(List<BucketMatch> matches) {
    return matches.stream().map(match -> match.bucket().toString()).toList();
  }
}
