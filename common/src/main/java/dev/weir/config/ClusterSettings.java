package dev.weir.config;

import dev.weir.core.math.Check;
import java.util.List;

/**
 * Where a coordinator member stands among the others.
 *
 * @param self where it listens for them
 * @param members the voters, itself among them or not: 1, 3 or 5
 * @param holdNanos how long a voter's confirmation is good for (S10), in {@code [200 ms, 60 s]}
 */
public record ClusterSettings(Endpoint self, List<Endpoint> members, long holdNanos) {
  static final long HOLD_NANOS_MIN = 200_000_000L;
  static final long HOLD_NANOS_MAX = 60_000_000_000L;
  private static final Endpoint DEFAULT_SELF = new Endpoint("127.0.0.1", 5701);
  private static final long DEFAULT_HOLD_NANOS = 2_000_000_000L;

  /** One member on loopback, 2 s. */
  public static final ClusterSettings DEFAULT =
      new ClusterSettings(DEFAULT_SELF, List.of(DEFAULT_SELF), DEFAULT_HOLD_NANOS);

  public ClusterSettings {
    members = List.copyOf(members);
    if (!isVoters(members)) {
      throw new IllegalArgumentException("members must be 1, 3 or 5 different ones: " + members);
    }
    Check.inRange("holdNanos", holdNanos, HOLD_NANOS_MIN, HOLD_NANOS_MAX);
  }

  static ClusterSettings read(Section settings) {
    Section cluster = settings.section("cluster", "cluster");
    if (cluster == null) {
      return DEFAULT;
    }
    Endpoint self = cluster.value("self", Endpoint::parse, DEFAULT_SELF);
    List<Endpoint> members = Lists.read(cluster, "members", Endpoint::parse);
    if (!cluster.has("members")) {
      members = List.of(self);
    } else if (!isVoters(members)) {
      cluster
          .problems()
          .error(
              cluster.place("members"),
              "members: the voters must be 1, 3 or 5 different addresses, not " + members);
      members = List.of(self);
    }
    long holdNanos =
        cluster.value(
            "hold", Durations.between(HOLD_NANOS_MIN, HOLD_NANOS_MAX), DEFAULT_HOLD_NANOS);
    cluster.close();
    return new ClusterSettings(self, members, holdNanos);
  }

  private static boolean isVoters(List<Endpoint> members) {
    int count = members.size();
    return (count == 1 || count == 3 || count == 5) && members.stream().distinct().count() == count;
  }
}
