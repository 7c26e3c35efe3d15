package dev.weir.core.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.Exhaustive;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ValuesTest {
  @Test
  void amountsAreWrittenAsPeopleWriteThem() {
    assertThat(Tokens.text(0)).isEqualTo("0");
    assertThat(Tokens.text(Tokens.micros(25))).isEqualTo("25");
    assertThat(Tokens.text(100_000)).isEqualTo("0.1");
    assertThat(Tokens.text(1)).isEqualTo("0.000001");
    assertThat(Tokens.text(1_500_000)).isEqualTo("1.5");
    assertThat(Tokens.text(Tokens.MAX_MICROS)).isEqualTo("1000000000000");
  }

  @Test
  void namesAreWhatTheirPatternsSay() {
    List<String> parts = List.of("", "a", "z", "0", "9", ".", "_", "-", "A", "/", " ", "\u00e9");
    Pattern name = Pattern.compile(Names.NAME_PATTERN);
    Pattern domain = Pattern.compile(Names.DOMAIN_PATTERN);
    Exhaustive all = new Exhaustive();
    while (all.more()) {
      String text = all.of(parts) + all.of(parts) + "a".repeat(62 * all.between(0, 1));
      assertThat(Names.isName(text)).as(text).isEqualTo(name.matcher(text).find());
      assertThat(Names.isDomain(text)).as(text).isEqualTo(domain.matcher(text).find());
    }
  }

  @Test
  void aQuotaNameThatWouldNeedEscapingIsRefused() {
    assertThatThrownBy(() -> new QuotaId("shop", "Public API"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("quota name must match ^[a-z0-9][a-z0-9._-]{0,62}$: \"Public API\"");
    assertThatThrownBy(() -> new QuotaId("sh/op", "api"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("domain must match ^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$: \"sh/op\"");
    assertThat(new QuotaId("shop", "api")).hasToString("shop/api");
  }

  @Test
  void aRegionWeighsOneToAMillion() {
    assertThat(new Region("eu-west", 1).weight()).isEqualTo(1);
    assertThat(new Region("eu-west", 1_000_000).weight()).isEqualTo(1_000_000);
    assertThatThrownBy(() -> new Region("eu-west", 0)).hasMessageContaining("weight must be in");
    assertThatThrownBy(() -> new Region("eu-west", 1_000_001))
        .hasMessageContaining("weight must be in");
  }

  @Test
  void sharesAddAndSubtractPartByPart() {
    Share five = new Share(5, 50);
    Share mixed = new Share(7, 20);
    assertThat(five.plus(mixed)).isEqualTo(new Share(12, 70));
    assertThat(five.plus(mixed).minus(mixed)).isEqualTo(five);
    assertThat(five.minusOrZero(mixed)).isEqualTo(new Share(0, 30));
    assertThat(five.max(mixed)).isEqualTo(new Share(7, 50));
    assertThat(five.min(mixed)).isEqualTo(new Share(5, 20));
    assertThat(five.fitsIn(mixed)).isFalse();
    assertThat(five.fitsIn(five.max(mixed))).isTrue();
    assertThat(Share.ZERO.isZero()).isTrue();
    assertThat(new Share(0, 1).isZero()).isFalse();
  }

  @Test
  void aShareIsNeverNegativeAndNeverWraps() {
    assertThatThrownBy(() -> new Share(1, 1).minus(new Share(2, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rateMicros must be in [0, 9223372036854775807]: -1");
    assertThatThrownBy(() -> new Share(Long.MAX_VALUE, 1).plus(new Share(1, 1)))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void leaseTermsAreCheckedAtBothEnds() {
    long second = 1_000_000_000L;
    assertThat(new LeaseTerms(second, 0, false, 60 * second, second + 1, -1)).isNotNull();
    assertThat(
            new LeaseTerms(
                300 * second, 900_000, true, 30 * 86_400 * second, 3600 * second, 10 * second))
        .isNotNull();
    refused("ttlNanos", () -> new LeaseTerms(second - 1, 0, true, 60 * second, 2 * second, -1));
    refused(
        "ttlNanos", () -> new LeaseTerms(300 * second + 1, 0, true, 60 * second, 3600 * second, 0));
    refused("floorPpm", () -> new LeaseTerms(second, -1, true, 60 * second, 2 * second, -1));
    refused("floorPpm", () -> new LeaseTerms(second, 900_001, true, 60 * second, 2 * second, -1));
    refused(
        "floorTtlNanos", () -> new LeaseTerms(second, 0, true, 60 * second - 1, 2 * second, -1));
    refused("lendTtlNanos", () -> new LeaseTerms(second, 0, true, 60 * second, second, -1));
    refused(
        "lendTtlNanos", () -> new LeaseTerms(second, 0, true, 60 * second, 3600 * second + 1, -1));
    refused(
        "firstLeaseWaitNanos", () -> new LeaseTerms(second, 0, true, 60 * second, 2 * second, -2));
    refused(
        "firstLeaseWaitNanos",
        () -> new LeaseTerms(second, 0, true, 60 * second, 2 * second, 10 * second + 1));
  }

  @Test
  void aLoanLastsTwoAndAHalfTimesTheTimeToLiveByDefault() {
    assertThat(LeaseTerms.DEFAULT.lendTtlNanos()).isEqualTo(25_000_000_000L);
    assertThat(LeaseTerms.defaultLendTtl(LeaseTerms.TTL_NANOS_MIN)).isEqualTo(2_500_000_000L);
    assertThat(LeaseTerms.defaultLendTtl(LeaseTerms.TTL_NANOS_MAX))
        .isLessThan(LeaseTerms.LEND_TTL_NANOS_MAX);
  }

  private static void refused(String what, Runnable making) {
    assertThatThrownBy(making::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(what + " must be in [");
  }
}
