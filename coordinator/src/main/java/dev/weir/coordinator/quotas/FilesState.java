package dev.weir.coordinator.quotas;

import dev.weir.config.ConfigProblem;
import dev.weir.config.Place;
import dev.weir.core.quota.QuotaId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the quota files are.
 *
 * @param places where each quota stands; of the last good files
 * @param problems what is wrong with the files of now; empty when they are in force
 * @param since since when that is so, by the wall clock; null when all is well
 */
public record FilesState(
    Map<QuotaId, Place> places, List<ConfigProblem> problems, @Nullable Instant since) {
  /** None were read. */
  public static final FilesState NONE = new FilesState(Map.of(), List.of(), null);

  public FilesState {
    places = Map.copyOf(places);
    problems = List.copyOf(problems);
  }
}
