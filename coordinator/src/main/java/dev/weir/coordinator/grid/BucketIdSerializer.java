package dev.weir.coordinator.grid;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.StreamSerializer;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import java.io.IOException;
import java.util.Objects;

/** Keys of the map; by hand, since every step of every ledger writes one. */
final class BucketIdSerializer implements StreamSerializer<BucketId> {
  private final int typeId;

  BucketIdSerializer(int typeId) {
    this.typeId = typeId;
  }

  @Override
  public int getTypeId() {
    return typeId;
  }

  @Override
  public void write(ObjectDataOutput out, BucketId bucket) throws IOException {
    out.writeString(bucket.quota().domain());
    out.writeString(bucket.quota().name());
    out.writeString(bucket.key());
  }

  @Override
  public BucketId read(ObjectDataInput in) throws IOException {
    QuotaId quota = new QuotaId(text(in), text(in));
    return new BucketId(quota, text(in));
  }

  private static String text(ObjectDataInput in) throws IOException {
    return Objects.requireNonNull(in.readString());
  }
}
