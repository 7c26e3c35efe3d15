package dev.weir.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Calendar;
import java.util.Date;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;

@AnalyzeClasses(packages = "dev.weir", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String[] SERVERS = {
    "io.vertx..", "io.netty..", "com.hazelcast..", "java.net..", "java.nio.channels.."
  };

  @ArchTest
  static final ArchRule theCoreUsesOnlyValuesAndArithmetic =
      classes()
          .that()
          .resideInAPackage("dev.weir.core..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.weir.core..",
              "java.lang",
              "java.lang.invoke",
              "java.lang.runtime",
              "java.math",
              "java.util",
              "java.util.function",
              "java.util.stream",
              "org.jspecify.annotations")
          .because("a decision is a function of its arguments");

  @ArchTest
  static final ArchRule theCoreReadsNoClockAndRollsNoDice =
      noClasses()
          .that()
          .resideInAPackage("dev.weir.core..")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(
              System.class,
              Thread.class,
              ThreadLocal.class,
              Runtime.class,
              ProcessBuilder.class,
              Random.class,
              SplittableRandom.class,
              UUID.class,
              Date.class,
              Calendar.class,
              Timer.class)
          .orShould()
          .callMethod(Math.class, "random")
          .because("time and chance are arguments, so that a run can be repeated and simulated");

  @ArchTest
  static final ArchRule theJudgeSharesNothingWithTheJudged =
      noClasses()
          .that()
          .resideInAPackage("dev.weir.core.bound..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.weir.core.bucket..", "dev.weir.core.lease..")
          .because("a checker that counts with the code it checks repeats its mistakes");

  @ArchTest
  static final ArchRule messagesKnowNoServer =
      noClasses()
          .that()
          .resideInAPackage("dev.weir.protocol..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SERVERS)
          .orShould()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.weir.config..", "dev.weir.port..")
          .because(
              "messages outlive servers, and what one end reads from files is not on the wire");

  @ArchTest
  static final ArchRule configurationOnlyReadsText =
      noClasses()
          .that()
          .resideInAPackage("dev.weir.config..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SERVERS)
          .orShould()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.weir.port..")
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(Thread.class, Random.class)
          .because(
              "text becomes records here; who watches files or serves them is a server's affair");

  @ArchTest
  static final ArchRule nothingSharedKnowsASide =
      noClasses()
          .that()
          .resideInAnyPackage("dev.weir.core..", "dev.weir.protocol..", "dev.weir.config..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.weir.coordinator..", "dev.weir.agent..", "dev.weir.sim..", "dev.weir.bench..")
          .because("both sides are built on it");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices()
          .matching("dev.weir.(**)")
          .should()
          .beFreeOfCycles()
          .because("a package that cannot be read without another is half a package");
}
