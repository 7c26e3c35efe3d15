package dev.weir.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.weir.agent", importOptions = ImportOption.DoNotIncludeTests.class)
class AgentArchitectureTest {
  @ArchTest
  static final ArchRule anAgentStartsWithTheCoordinatorDead =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "com.hazelcast..", "dev.weir.coordinator..", "dev.weir.sim..", "dev.weir.bench..")
          .because("an agent must start and answer with the coordinator dead");

  @ArchTest
  static final ArchRule metricsAndAnswersDoNotMeet =
      noClasses()
          .that()
          .resideInAPackage("..telemetry..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("..api..", "..check..")
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
