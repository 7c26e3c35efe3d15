package dev.weir.core.message;

import dev.weir.core.quota.QuotaId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The floors of an agent's region, given or renewed by an answer (S8).
 *
 * @param version version of the table; the agent names the version it uses in every request (S11)
 * @param table the floors by quota, or null when {@code version} is the one the agent named: then
 *     its time is renewed
 */
public record FloorGrant(long version, @Nullable Map<QuotaId, FloorShare> table) {
  public FloorGrant {
    table = table == null ? null : Map.copyOf(table);
  }
}
