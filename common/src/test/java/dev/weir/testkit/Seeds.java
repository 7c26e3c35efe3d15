package dev.weir.testkit;

import static org.junit.jupiter.api.Named.named;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Path;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * A test of a law, run with a {@link Random} of seed 0, 1, 2 and so on. The seed stands in the
 * test's name, {@code -Dseed=7} runs that one alone, and a failure prints the command that repeats
 * it.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}")
@ArgumentsSource(Seeds.Provider.class)
@ExtendWith(Seeds.Repeat.class)
public @interface Seeds {
  /** How many seeds are tried. */
  int tries() default 200;

  /** Hands out the seeded generators. */
  final class Provider implements ArgumentsProvider, AnnotationConsumer<Seeds> {
    private int tries;

    @Override
    public void accept(Seeds seeds) {
      tries = seeds.tries();
    }

    @Override
    public Stream<? extends Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      return seeds(System.getProperty("seed"), tries).mapToObj(Provider::seeded).map(Arguments::of);
    }

    private static Named<Random> seeded(long seed) {
      return named("-Dseed=" + seed, random(seed));
    }

    static LongStream seeds(@Nullable String chosen, int tries) {
      return chosen == null || chosen.isBlank()
          ? LongStream.range(0, tries)
          : LongStream.of(Long.parseLong(chosen.strip()));
    }

    /**
     * Neighbouring seeds of {@link Random} begin alike, so the seed is mixed first (the finalizer
     * of MurmurHash3, a bijection).
     */
    static Random random(long seed) {
      long z = seed + 0x9E37_79B9_7F4A_7C15L;
      z = (z ^ z >>> 33) * 0xFF51_AFD7_ED55_8CCDL;
      z = (z ^ z >>> 33) * 0xC4CE_B9FE_1A85_EC53L;
      return new Random(z ^ z >>> 33);
    }
  }

  /** Says how to repeat what failed. */
  final class Repeat implements AfterTestExecutionCallback {
    private static final Pattern SEED = Pattern.compile("-Dseed=-?\\d+");

    @Override
    public void afterTestExecution(ExtensionContext context) {
      if (context.getExecutionException().isPresent()) {
        System.err.println(command(context));
      }
    }

    static String command(ExtensionContext context) {
      Matcher seed = SEED.matcher(context.getDisplayName());
      return "repeat with: mvn test -am -Dsurefire.failIfNoSpecifiedTests=false -pl "
          + Path.of("").toAbsolutePath().getFileName()
          + " -Dtest="
          + context.getRequiredTestClass().getSimpleName()
          + "#"
          + context.getRequiredTestMethod().getName()
          + (seed.find() ? " " + seed.group() : "");
    }
  }
}
