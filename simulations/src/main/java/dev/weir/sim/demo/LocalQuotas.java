package dev.weir.sim.demo;

import dev.weir.config.ConfigProblem;
import dev.weir.config.QuotaFile;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import dev.weir.sim.live.Question;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The quotas of a run: the file all processes are given, as this process reads it.
 *
 * @param file of one domain
 */
public record LocalQuotas(Path file, DomainBook domain) {
  private static final List<String> ORDER = List.of("eu-west", "us-east", "ap-south");

  /** Those of the demo. */
  static LocalQuotas read(Path home) throws IOException, FleetException {
    return readFile(home.resolve("deploy/config/demo.yaml"));
  }

  /** Those of any file; fails with all that is wrong with it. */
  public static LocalQuotas readFile(Path file) throws IOException, FleetException {
    QuotaFile.Outcome outcome = QuotaFile.read(file.toString(), Files.readString(file));
    if (outcome instanceof QuotaFile.Accepted accepted && accepted.domains().size() == 1) {
      return new LocalQuotas(file, accepted.domains().values().iterator().next());
    }
    String why =
        outcome instanceof QuotaFile.Refused refused
            ? refused.problems().stream()
                .map(ConfigProblem::toString)
                .collect(Collectors.joining("\n"))
            : file + " must be of one domain";
    throw new FleetException(why);
  }

  /** As agents and coordinator know them. */
  public QuotaBook book() {
    return new QuotaBook(1, Map.of(domain.domain(), domain));
  }

  /** The regions in the order of their ports; a book has them by name. */
  public List<String> regions() {
    return domain.regions().stream()
        .map(Region::name)
        .sorted(Comparator.comparingInt(LocalQuotas::place))
        .toList();
  }

  /** The quota whose one bucket all requests share. */
  public QuotaSpec shared() throws FleetException {
    for (QuotaSpec quota : domain.quotas()) {
      if (quota.match().stream().noneMatch(Match::isFree)) {
        return quota;
      }
    }
    throw new FleetException(file + " has no quota that all requests share");
  }

  private static int place(String region) {
    int place = ORDER.indexOf(region);
    return place < 0 ? ORDER.size() : place;
  }

  /** The rate of that quota. */
  public double sharedTokensPerSecond() throws FleetException {
    Rate rate = shared().rate();
    return rate.micros() / (double) Tokens.MICROS_PER_TOKEN * 1e9 / rate.perNanos();
  }

  /** A request that counts against the shared quota; a trace's key is the tenant. */
  public Question question() throws FleetException {
    Map<String, String> pairs = new TreeMap<>();
    for (Match match : shared().match()) {
      String value = match.value();
      if (value != null) {
        pairs.put(match.key(), value);
      }
    }
    return new Question(domain.domain(), "tenant", pairs);
  }
}
