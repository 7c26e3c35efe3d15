package dev.weir.coordinator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.weir.coordinator",
    importOptions = ImportOption.DoNotIncludeTests.class)
class CoordinatorArchitectureTest {
  @ArchTest
  static final ArchRule strictLimitsAreTheAgentsBusiness =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.vertx.redis..", "redis..")
          .because("strict limits are decided by the agent, in Redis");

  @ArchTest
  static final ArchRule theOtherSideIsKnownByItsMessagesOnly =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.weir.agent..", "dev.weir.sim..", "dev.weir.bench..")
          .because("agents and coordinator of different versions must work together");

  @ArchTest
  static final ArchRule metricsAndAnswersDoNotMeet =
      noClasses()
          .that()
          .resideInAPackage("..telemetry..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..api..")
          .allowEmptyShould(true)
          .because("a metric must not change an answer");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices()
          .matching("dev.weir.(**)")
          .should()
          .beFreeOfCycles()
          .because("a package that cannot be read without another is half a package");
}
