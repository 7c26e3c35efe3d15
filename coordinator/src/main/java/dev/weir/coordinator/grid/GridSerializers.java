package dev.weir.coordinator.grid;

import com.hazelcast.config.SerializationConfig;
import com.hazelcast.config.SerializerConfig;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.StreamSerializer;
import dev.weir.core.lease.Ledger;
import dev.weir.core.quota.BucketId;
import java.io.IOException;

/** Everything that goes between members, by its type's number; a number is never used again. */
final class GridSerializers {
  private static final int BUCKET_ID = 1001;
  private static final int LEDGER = 1002;
  private static final int LEDGER_REPLY = 1003;
  private static final int LEDGER_SEEN = 1004;
  private static final int PROCESSOR = 1005;
  private static final int COPY = 1006;

  private GridSerializers() {}

  static SerializationConfig config() {
    SerializationConfig config = new SerializationConfig();
    add(config, BucketId.class, new BucketIdSerializer(BUCKET_ID));
    add(config, Ledger.class, new RecordSerializer<>(LEDGER, Ledger.class));
    add(config, LedgerReply.class, new RecordSerializer<>(LEDGER_REPLY, LedgerReply.class));
    add(config, LedgerSeen.class, new RecordSerializer<>(LEDGER_SEEN, LedgerSeen.class));
    add(config, Steps.Processor.class, new OfProcessor());
    add(config, Steps.Copy.class, new OfCopy());
    return config;
  }

  private static <T> void add(
      SerializationConfig config, Class<T> type, StreamSerializer<T> serializer) {
    config.addSerializerConfig(
        new SerializerConfig().setTypeClass(type).setImplementation(serializer));
  }

  private static final class OfProcessor implements StreamSerializer<Steps.Processor> {
    @Override
    public int getTypeId() {
      return PROCESSOR;
    }

    @Override
    public void write(ObjectDataOutput out, Steps.Processor processor) throws IOException {
      RecordData.write(out, processor.step());
    }

    @Override
    public Steps.Processor read(ObjectDataInput in) throws IOException {
      return new Steps.Processor(RecordData.read(in, Steps.Step.class));
    }
  }

  private static final class OfCopy implements StreamSerializer<Steps.Copy> {
    @Override
    public int getTypeId() {
      return COPY;
    }

    @Override
    public void write(ObjectDataOutput out, Steps.Copy copy) throws IOException {
      Ledger ledger = copy.ledger();
      out.writeBoolean(ledger != null);
      if (ledger != null) {
        RecordData.write(out, ledger);
      }
    }

    @Override
    public Steps.Copy read(ObjectDataInput in) throws IOException {
      return new Steps.Copy(in.readBoolean() ? RecordData.read(in, Ledger.class) : null);
    }
  }
}
