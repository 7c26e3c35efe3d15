package dev.weir.core.message;

import dev.weir.core.quota.QuotaBook;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's answer to one {@link SyncRequest}.
 *
 * @param cluster the cluster's id
 * @param boot the boot that asked
 * @param seq the request that is answered
 * @param status whether the agent may go on
 * @param detail for a status other than {@link Status#OK}, and for an agent that is given no
 *     floors: what an operator should do; else empty
 * @param newestBoot the largest boot number seen of the region; a fenced process starts above it
 * @param book the quotas, when the agent's generation is not the newest; else null
 * @param floor the floors given or renewed; null when this boot does not hold its region's floor
 * @param drained whether the region is being drained
 * @param offers one per bucket, also about buckets the request did not name
 */
public record SyncAnswer(
    String cluster,
    long boot,
    long seq,
    Status status,
    String detail,
    long newestBoot,
    @Nullable QuotaBook book,
    @Nullable FloorGrant floor,
    boolean drained,
    List<BucketOffer> offers) {
  public SyncAnswer {
    offers = List.copyOf(offers);
  }

  /** Whether an agent may go on. */
  public enum Status {
    /** It may. */
    OK,
    /** A newer boot of the region was seen: stop. */
    FENCED,
    /** The region is not configured. */
    UNKNOWN_REGION
  }
}
