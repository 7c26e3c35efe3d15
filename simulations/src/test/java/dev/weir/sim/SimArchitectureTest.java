package dev.weir.sim;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.weir.core.bucket.Bucket;
import dev.weir.core.math.Apportionment;
import dev.weir.core.math.MulDiv;
import dev.weir.core.math.Saturating;
import dev.weir.core.quota.Rate;
import java.util.Map;
import java.util.Set;

@AnalyzeClasses(
    packages = {"dev.weir.sim", "dev.weir.bench"},
    importOptions = ImportOption.DoNotIncludeTests.class)
class SimArchitectureTest {
  @ArchTest
  static final ArchRule serversAreReachedAsTheirClientsReachThem =
      noClasses()
          .that()
          .resideInAPackage("dev.weir.sim..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.hazelcast..", "dev.weir.coordinator..", "dev.weir.agent..")
          .because("a replay sees what a user sees");

  /** What decides about tokens; values of buckets and rates may be carried about. */
  private static final Map<Class<?>, Set<String>> TOKEN_ARITHMETIC =
      Map.of(
          Bucket.class,
          Set.of("full", "empty", "refill", "levelAt", "take", "waitNanos", "with", "plus"),
          Rate.class,
          Set.of("minted", "nanosToMint"));

  private static final DescribedPredicate<JavaMethodCall> TOKENS_ARE_RECKONED =
      DescribedPredicate.describe(
          "tokens are reckoned",
          call ->
              TOKEN_ARITHMETIC.entrySet().stream()
                  .anyMatch(
                      of ->
                          call.getTargetOwner().isEquivalentTo(of.getKey())
                              && of.getValue().contains(call.getName())));

  /** The judge and the central bucket beside which a town is seen must count for themselves. */
  @ArchTest
  static final ArchRule simulatedProcessesReckonNoTokens =
      noClasses()
          .that()
          .resideInAPackage("dev.weir.sim.fleet..")
          .and()
          .haveNameNotMatching(".*\\.fleet\\.(ChangingJudge|Aftermath|Town)(\\$.*)?")
          .should()
          .callMethodWhere(TOKENS_ARE_RECKONED)
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(MulDiv.class, Saturating.class, Apportionment.class)
          .because("agents and coordinator of a simulation are the product's, behind thin shells");

  /** The oracle is a bucket, and what is allowed is added up by who judges; all else is carried. */
  @ArchTest
  static final ArchRule replaysReckonNoTokens =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.weir.sim.replay..", "dev.weir.sim.scenario..", "dev.weir.sim.command..")
          .and()
          .haveNameNotMatching(".*\\.replay\\.TokenBuckets(\\$.*)?")
          .should()
          .callMethodWhere(TOKENS_ARE_RECKONED)
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(MulDiv.class, Saturating.class, Apportionment.class)
          .because("a strategy that is the product is the product's code, behind a thin shell");

  @ArchTest
  static final ArchRule nothingImportsABenchmark =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.weir.bench..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.weir.bench..")
          .because("benchmarks measure the product and are no part of it");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices()
          .matching("dev.weir.(**)")
          .should()
          .beFreeOfCycles()
          .because("a package that cannot be read without another is half a package");
}
