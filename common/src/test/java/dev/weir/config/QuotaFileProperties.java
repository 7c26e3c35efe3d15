package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.testkit.Quotas;
import dev.weir.testkit.Seeds;
import java.util.List;
import java.util.Random;

class QuotaFileProperties {
  private static final QuotaId ID = new QuotaId("shop", "q");

  @Seeds(tries = 500)
  void whatIsWrittenIsReadBackToTheSame(Random random) {
    QuotaSpec quota = Quotas.any(random, ID);
    assertThat(QuotaFile.readQuota(ID, "q.json", QuotaFile.toJson(quota))).isEqualTo(quota);
    assertThat(QuotaFile.readQuota(ID, "q.yaml", QuotaFile.toYaml(quota))).isEqualTo(quota);
    assertThat(QuotaFile.readQuota(ID, "a body", QuotaFile.toJson(quota))).isEqualTo(quota);
    assertThat(QuotaFile.readQuota(ID, "a body", QuotaFile.toYaml(quota))).isEqualTo(quota);
  }

  @Seeds
  void aDomainIsReadBackToTheSame(Random random) {
    DomainBook domain =
        new DomainBook(
            "shop",
            Quotas.anyRegions(random, 5),
            List.of(
                Quotas.any(random, ID),
                Quotas.any(random, new QuotaId("shop", "null")),
                Quotas.any(random, new QuotaId("shop", "007"))));
    assertThat(QuotaFile.read("shop.yaml", QuotaFile.toYaml(domain)))
        .isInstanceOfSatisfying(
            QuotaFile.Accepted.class,
            read -> assertThat(read.domains()).containsEntry("shop", domain));
  }

  @Seeds(tries = 1000)
  void anyTextIsAcceptedOrRefusedWithAReason(Random random) {
    boolean yaml = random.nextBoolean();
    QuotaSpec quota = Quotas.any(random, ID);
    StringBuilder text =
        new StringBuilder(yaml ? QuotaFile.toYaml(quota) : QuotaFile.toJson(quota));
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      damage(text, random);
    }
    try {
      QuotaSpec read = QuotaFile.readQuota(ID, yaml ? "q.yaml" : "q.json", text.toString());
      assertThat(read.id()).isEqualTo(ID);
    } catch (ConfigException refused) {
      assertThat(refused.problems())
          .isNotEmpty()
          .allSatisfy(
              problem -> {
                assertThat(problem.line()).isPositive();
                assertThat(problem.column()).isPositive();
                assertThat(problem.message()).isNotBlank().doesNotContain("\n");
              });
    }
  }

  private static void damage(StringBuilder text, Random random) {
    if (text.isEmpty()) {
      return;
    }
    int at = random.nextInt(text.length());
    int end = Math.min(text.length(), at + 1 + random.nextInt(6));
    switch (random.nextInt(4)) {
      case 0 -> text.delete(at, end);
      case 1 -> text.insert(at, text.substring(at, end));
      case 2 -> text.setCharAt(at, "{}[]:,\"'#&*-?|>%@` \n\t\0\ud83d0".charAt(random.nextInt(24)));
      default -> text.setLength(at);
    }
  }
}
