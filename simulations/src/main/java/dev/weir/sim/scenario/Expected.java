package dev.weir.sim.scenario;

import dev.weir.sim.replay.ReplayResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What must come of a scenario; null where nothing is said.
 *
 * @param utilisation at least, as a part
 * @param utilisationLessQuietFloors at least, as a part
 * @param falseRefusals at most, as a part of the requests asked
 * @param convergenceNanos at most
 * @param jain at least
 */
public record Expected(
    boolean boundHeld,
    @Nullable Double utilisation,
    @Nullable Double utilisationLessQuietFloors,
    @Nullable Double falseRefusals,
    @Nullable Long convergenceNanos,
    @Nullable Double jain) {
  /** The bound, and nothing else. */
  public static final Expected BOUND = new Expected(true, null, null, null, null, null);

  /** What of it has not come true, in sentences; empty where all has. */
  public List<String> missed(ReplayResult result) {
    List<String> missed = new ArrayList<>();
    if (boundHeld && !result.boundHeld()) {
      missed.add(
          String.format(
              Locale.ROOT,
              "the bound was to hold; a window was %.6f tokens over it",
              result.overshootMicros() / 1e6));
    }
    double use = result.total().utilisation();
    if (utilisation != null && use < utilisation) {
      missed.add(percent("utilisation was to be at least", utilisation, use));
    }
    double lessFloors = result.utilisationLessQuietFloors();
    if (utilisationLessQuietFloors != null && lessFloors < utilisationLessQuietFloors) {
      missed.add(
          percent(
              "utilisation less quiet floors was to be at least",
              utilisationLessQuietFloors,
              lessFloors));
    }
    double wrong = result.total().falseRefusalPart();
    if (falseRefusals != null && wrong > falseRefusals) {
      missed.add(percent("false refusals were to be at most", falseRefusals, wrong));
    }
    OptionalDouble took = result.convergenceNanos();
    if (convergenceNanos != null && (took.isEmpty() || took.getAsDouble() > convergenceNanos)) {
      missed.add(
          String.format(
              Locale.ROOT,
              "convergence was to take at most %.0f ms; %s",
              convergenceNanos / 1e6,
              took.isEmpty()
                  ? "it did not come"
                  : String.format(Locale.ROOT, "it took %.0f ms", took.getAsDouble() / 1e6)));
    }
    if (jain != null && result.jain() < jain) {
      missed.add(
          String.format(
              Locale.ROOT, "jain was to be at least %.4f; it is %.4f", jain, result.jain()));
    }
    return missed;
  }

  private static String percent(String what, double wanted, double is) {
    return String.format(Locale.ROOT, "%s %.4g %%; it is %.4g %%", what, 100 * wanted, 100 * is);
  }
}
