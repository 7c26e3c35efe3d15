package dev.weir.agent;

import dev.weir.config.AgentSettings;
import dev.weir.config.ClockSettings;
import dev.weir.config.Endpoint;
import dev.weir.config.SyncSettings;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Agents and quotas for tests. */
public final class Agents {
  private static final Endpoint ANY_PORT = new Endpoint("127.0.0.1", 0);
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private Agents() {}

  /** Settings of an agent of {@code eu-west}. */
  public static AgentSettings settings(Path data, String... coordinators) {
    return settings(data, null, 1_000_000, coordinators);
  }

  /** Settings of an agent of {@code eu-west} with an audit file and a cap on keys. */
  public static AgentSettings settings(
      Path data, @Nullable Path audit, int keysMax, String... coordinators) {
    return new AgentSettings(
        "eu-west",
        List.of(coordinators),
        ANY_PORT,
        ANY_PORT,
        ANY_PORT,
        null,
        data,
        new SyncSettings(20_000_000L, 1_000_000_000L),
        ClockSettings.DEFAULT,
        audit,
        List.of(),
        keysMax);
  }

  /** A leased quota of domain {@code shop}, one bucket per tenant. */
  public static QuotaSpec perTenant(String name, long perSecond, long burst) {
    return QuotaSpec.leased(
        new QuotaId("shop", name),
        List.of(Match.any("tenant")),
        Rate.perSecond(perSecond),
        Tokens.micros(burst));
  }

  /** Generation 1 of these quotas, of domain {@code shop} with the one region {@code eu-west}. */
  public static QuotaBook book(QuotaSpec... quotas) {
    return new QuotaBook(
        1,
        Map.of("shop", new DomainBook("shop", List.of(new Region("eu-west", 1)), List.of(quotas))));
  }

  /** Waits until something is so. */
  public static void eventually(String what, BooleanSupplier isSo) {
    long startNanos = System.nanoTime();
    while (!isSo.getAsBoolean()) {
      if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
        throw new AssertionError("never: " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
