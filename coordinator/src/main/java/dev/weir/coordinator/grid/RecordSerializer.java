package dev.weir.coordinator.grid;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.StreamSerializer;
import java.io.IOException;

/** One type of record on its way between members. */
final class RecordSerializer<T extends Record> implements StreamSerializer<T> {
  private final int typeId;
  private final Class<T> type;

  RecordSerializer(int typeId, Class<T> type) {
    this.typeId = typeId;
    this.type = type;
  }

  @Override
  public int getTypeId() {
    return typeId;
  }

  @Override
  public void write(ObjectDataOutput out, T value) throws IOException {
    RecordData.write(out, value);
  }

  @Override
  public T read(ObjectDataInput in) throws IOException {
    return RecordData.read(in, type);
  }
}
