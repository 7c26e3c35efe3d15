package dev.weir.coordinator.grid;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Records as bytes, component by component in their order: numbers, flags, texts, constants, other
 * records, lists and maps of these, each of which may be null. For what goes between members of one
 * version: copies of ledgers, and steps sent to their owners.
 */
final class RecordData {
  private static final Map<Class<?>, Shape> SHAPES = new ConcurrentHashMap<>();

  private RecordData() {}

  /** How a record is taken apart and put together. */
  private record Shape(List<RecordComponent> components, Constructor<?> constructor) {
    static Shape of(Class<?> type) {
      RecordComponent[] components = type.getRecordComponents();
      Class<?>[] types = new Class<?>[components.length];
      for (int i = 0; i < types.length; i++) {
        types[i] = components[i].getType();
        components[i].getAccessor().setAccessible(true);
      }
      try {
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return new Shape(List.of(components), constructor);
      } catch (NoSuchMethodException impossible) {
        throw new LinkageError(type.getSimpleName(), impossible);
      }
    }
  }

  static void write(ObjectDataOutput out, Record value) throws IOException {
    Shape shape = shape(value.getClass());
    for (RecordComponent component : shape.components()) {
      write(out, component.getGenericType(), component(value, component));
    }
  }

  static <T extends Record> T read(ObjectDataInput in, Class<T> type) throws IOException {
    Shape shape = shape(type);
    @Nullable Object[] values = new @Nullable Object[shape.components().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = read(in, shape.components().get(i).getGenericType());
    }
    try {
      return type.cast(shape.constructor().newInstance(values));
    } catch (InvocationTargetException refused) {
      throw new IOException("not a " + type.getSimpleName(), refused.getCause());
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError(type.getSimpleName(), impossible);
    }
  }

  private static void write(ObjectDataOutput out, Type type, @Nullable Object value)
      throws IOException {
    if (type == long.class && value != null) {
      out.writeLong((Long) value);
    } else if (type == int.class && value != null) {
      out.writeInt((Integer) value);
    } else if (type == boolean.class && value != null) {
      out.writeBoolean((Boolean) value);
    } else {
      out.writeBoolean(value != null);
      if (value != null) {
        writeObject(out, type, value);
      }
    }
  }

  private static void writeObject(ObjectDataOutput out, Type type, Object value)
      throws IOException {
    if (value instanceof String text) {
      out.writeString(text);
    } else if (value instanceof Enum<?> constant) {
      out.writeString(constant.name());
    } else if (value instanceof Record part) {
      write(out, part);
    } else if (value instanceof List<?> list) {
      out.writeInt(list.size());
      for (Object item : list) {
        write(out, argument(type, 0), item);
      }
    } else if (value instanceof Map<?, ?> map) {
      out.writeInt(map.size());
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        write(out, argument(type, 0), entry.getKey());
        write(out, argument(type, 1), entry.getValue());
      }
    } else {
      throw new IllegalArgumentException("no form for " + type);
    }
  }

  private static @Nullable Object read(ObjectDataInput in, Type type) throws IOException {
    if (type == long.class) {
      return in.readLong();
    }
    if (type == int.class) {
      return in.readInt();
    }
    if (type == boolean.class) {
      return in.readBoolean();
    }
    return in.readBoolean() ? readObject(in, type) : null;
  }

  private static @Nullable Object readObject(ObjectDataInput in, Type type) throws IOException {
    Class<?> raw = raw(type);
    if (raw == String.class) {
      return in.readString();
    }
    if (raw.isEnum()) {
      return constant(raw, String.valueOf(in.readString()));
    }
    if (raw.isRecord()) {
      return read(in, raw.asSubclass(Record.class));
    }
    if (raw == List.class) {
      List<@Nullable Object> list = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        list.add(read(in, argument(type, 0)));
      }
      return list;
    }
    if (raw == Map.class) {
      Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
      for (int left = in.readInt(); left > 0; left--) {
        map.put(read(in, argument(type, 0)), read(in, argument(type, 1)));
      }
      return map;
    }
    throw new IllegalArgumentException("no form for " + type);
  }

  private static Object constant(Class<?> type, String name) throws IOException {
    for (Object constant : type.getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw new IOException("no " + type.getSimpleName() + " " + name);
  }

  private static @Nullable Object component(Record value, RecordComponent component) {
    try {
      return component.getAccessor().invoke(value);
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError(component.getName(), impossible);
    }
  }

  private static Shape shape(Class<?> type) {
    return SHAPES.computeIfAbsent(type, Shape::of);
  }

  private static Type argument(Type type, int index) {
    return ((ParameterizedType) type).getActualTypeArguments()[index];
  }

  private static Class<?> raw(Type type) {
    return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
  }
}
