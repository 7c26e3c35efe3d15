package dev.weir.core.lease;

import dev.weir.core.message.FloorGrant;
import dev.weir.core.message.SyncAnswer.Status;
import dev.weir.core.quota.BucketId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the desk says to a request before its buckets are looked at.
 *
 * @param status whether the agent may go on; unless {@link Status#OK} its reports are last words
 * @param detail what an operator should do, also of a run that may go on, but without floors; empty
 *     when all is well
 * @param newestBoot the newest run seen of the region
 * @param floor floors given or renewed; null when this run does not hold its region's
 * @param drained whether the region is being drained
 * @param recalls buckets the request need not have named, in which others wait for what it holds
 * @param floorsChanged whether {@link Desk#floors} must be durable before the answer is sent
 */
public record Admission(
    Status status,
    String detail,
    long newestBoot,
    @Nullable FloorGrant floor,
    boolean drained,
    List<BucketId> recalls,
    boolean floorsChanged) {
  public Admission {
    recalls = List.copyOf(recalls);
  }

  Admission withFloorsChanged() {
    return new Admission(status, detail, newestBoot, floor, drained, recalls, true);
  }
}
