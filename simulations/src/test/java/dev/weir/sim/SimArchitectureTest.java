package dev.weir.sim;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

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
