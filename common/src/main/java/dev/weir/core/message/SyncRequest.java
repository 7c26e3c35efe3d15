package dev.weir.core.message;

import dev.weir.core.math.Check;
import java.util.List;

/**
 * One request of an agent to the coordinator. Sending it is a promise never to apply the answer to
 * an older one (S3).
 *
 * @param cluster id of the cluster the agent keeps to; empty before its first answer
 * @param region the agent's region
 * @param folder id of the agent's data folder, which the process has locked
 * @param boot number of this run of the agent; newer runs have larger numbers (S8)
 * @param seq number of the request within the boot, from 1
 * @param generation generation of the quotas the agent uses; 0 before the first
 * @param floorVersion version of the floors in use; 0 for none
 * @param leaving whether this is the last request: everything held, the floor included, is given
 *     back
 * @param buckets what the agent declares, one per bucket that needs it
 * @param uses what was admitted within the boot, of quotas of which the coordinator has not heard
 *     it
 */
public record SyncRequest(
    String cluster,
    String region,
    String folder,
    long boot,
    long seq,
    long generation,
    long floorVersion,
    boolean leaving,
    List<BucketReport> buckets,
    List<QuotaUse> uses) {
  public SyncRequest {
    Check.inRange("boot", boot, 1, Long.MAX_VALUE);
    Check.inRange("seq", seq, 1, Long.MAX_VALUE);
    Check.inRange("generation", generation, 0, Long.MAX_VALUE);
    Check.inRange("floorVersion", floorVersion, 0, Long.MAX_VALUE);
    buckets = List.copyOf(buckets);
    uses = List.copyOf(uses);
  }
}
