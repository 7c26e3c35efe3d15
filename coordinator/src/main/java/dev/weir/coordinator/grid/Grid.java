package dev.weir.coordinator.grid;

import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import dev.weir.config.Endpoint;
import dev.weir.core.lease.Ledger;
import dev.weir.core.quota.BucketId;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/**
 * This process as a member of the cluster. Hazelcast says which member owns which ledgers and takes
 * steps there; safety does not rest on it (S9, S10).
 */
public final class Grid implements Closeable {
  private static final String MAP = "ledgers";

  private final HazelcastInstance member;

  private Grid(HazelcastInstance member) {
    this.member = member;
  }

  /**
   * Where members are.
   *
   * @param self where this one listens; port 0 for any
   * @param all of them, this one included
   */
  public record Members(Endpoint self, List<Endpoint> all) {
    public Members {
      all = List.copyOf(all);
    }

    boolean alone() {
      return all.stream().allMatch(self::equals);
    }
  }

  /**
   * Becomes a member; takes seconds.
   *
   * @throws IOException if the address is in use or not of this machine
   */
  public static Grid join(String cluster, Members members, LedgerOwner owner) throws IOException {
    Config config = config(cluster, members);
    config.getUserContext().put(Steps.OWNER, owner);
    try {
      config
          .getNetworkConfig()
          .getInterfaces()
          .setEnabled(true)
          .addInterface(InetAddress.getByName(members.self().host()).getHostAddress());
      return new Grid(Hazelcast.newHazelcastInstance(config));
    } catch (HazelcastException | IllegalStateException refused) {
      throw new IOException(
          "the cluster's address " + members.self() + " cannot be used: " + refused.getMessage(),
          refused);
    }
  }

  /** The ledgers of all members. */
  public LedgerMap ledgers() {
    IMap<BucketId, Ledger> map = member.getMap(MAP);
    return new LedgerMap(map);
  }

  /** The port this member listens on. */
  public int port() {
    return member.getCluster().getLocalMember().getAddress().getPort();
  }

  /** How many members there are now. */
  public int size() {
    return member.getCluster().getMembers().size();
  }

  /** How many partitions this member owns. */
  public long owned() {
    Member self = member.getCluster().getLocalMember();
    return member.getPartitionService().getPartitions().stream()
        .filter(partition -> self.equals(partition.getOwner()))
        .count();
  }

  /** Whether no ledger is on its way from one member to another. */
  public boolean isSettled() {
    return member.getPartitionService().isClusterSafe();
  }

  @Override
  public void close() {
    member.shutdown();
  }

  /** As measured; the reasons stand in the module's README. */
  static Config config(String cluster, Members members) {
    Config config = new Config();
    config.setClusterName("weir-" + cluster);
    config.setProperty("hazelcast.logging.type", "slf4j");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    config.setProperty("hazelcast.operation.fail.on.indeterminate.state", "true");
    config.setProperty("hazelcast.heartbeat.interval.seconds", "1");
    config.setProperty("hazelcast.max.no.heartbeat.seconds", "5");
    config.setProperty("hazelcast.merge.first.run.delay.seconds", "5");
    config.setProperty("hazelcast.merge.next.run.delay.seconds", "5");
    // A lone member has nobody to wait for.
    config.setProperty("hazelcast.wait.seconds.before.join", members.alone() ? "0" : "1");
    config.getJetConfig().setEnabled(false);
    config.getMetricsConfig().setEnabled(false);
    config.setSerializationConfig(GridSerializers.config());
    network(config.getNetworkConfig(), members);
    config.addMapConfig(
        new MapConfig(MAP)
            .setInMemoryFormat(InMemoryFormat.OBJECT)
            .setBackupCount(members.alone() ? 0 : Math.min(2, members.all().size() - 1))
            .setAsyncBackupCount(0)
            .setReadBackupData(false)
            .setStatisticsEnabled(false)
            .setPerEntryStatsEnabled(false));
    return config;
  }

  private static void network(NetworkConfig network, Members members) {
    network.setPort(members.self().port()).setPortAutoIncrement(false);
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig()
        .setEnabled(true)
        .setMembers(members.all().stream().map(Endpoint::toString).toList());
  }
}
