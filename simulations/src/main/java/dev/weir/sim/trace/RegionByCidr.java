package dev.weir.sim.trace;

import dev.weir.config.Cidr;
import dev.weir.config.IpAddress;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Regions by the client's address, from a file of lines {@code 10.0.0.0/8 eu-west}: IPv4 and IPv6,
 * the longest prefix wins. Blank lines and what follows a {@code #} have no meaning. One table per
 * length of prefix: a look-up takes as many steps as there are lengths.
 */
final class RegionByCidr extends RegionBy {
  private static final int V4_BYTES = 4;

  /** IPv4 addresses count as mapped into IPv6, ::ffff:0:0/96. */
  private static final int MAPPED_BITS = 96;

  private static final long MAPPED = 0xffff_0000_0000L;

  /** By length of prefix, the longest first. */
  private final Map<Integer, Map<Block, String>> tables = new TreeMap<>(Comparator.reverseOrder());

  private final String file;

  private RegionByCidr(String file) {
    this.file = file;
  }

  static RegionByCidr read(String file) {
    try (Reader reader =
        new InputStreamReader(Files.newInputStream(Path.of(file)), StandardCharsets.UTF_8)) {
      return read(new Lines(file, reader));
    } catch (TraceException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    } catch (IOException | InvalidPathException e) {
      throw new IllegalArgumentException(
          "cannot read \"" + file + "\", which should say the regions of addresses", e);
    }
  }

  static RegionByCidr read(Lines lines) throws IOException, TraceException {
    RegionByCidr result = new RegionByCidr(lines.name());
    for (String line = lines.next(); line != null; line = lines.next()) {
      int comment = line.indexOf('#');
      String text = (comment < 0 ? line : line.substring(0, comment)).strip();
      if (!text.isEmpty()) {
        result.add(lines, text.split("\\s+", -1));
      }
    }
    if (result.tables.isEmpty()) {
      throw new TraceException(
          lines.name(), "names no region; expected lines such as 10.0.0.0/8 eu-west");
    }
    return result;
  }

  private void add(Lines lines, String[] words) throws TraceException {
    if (words.length != 2) {
      throw lines.problem("expected a block of addresses and a region, as in 10.0.0.0/8 eu-west");
    }
    Block block;
    try {
      block = block(words[0]);
    } catch (IllegalArgumentException e) {
      throw lines.problem(String.valueOf(e.getMessage()));
    }
    String before =
        tables.computeIfAbsent(block.bits, bits -> new HashMap<>()).put(block, words[1]);
    if (before != null) {
      throw lines.problem("these addresses are already " + before + "'s");
    }
  }

  @Override
  @Nullable String region(RowFields row) {
    byte[] address = IpAddress.parse(row.client());
    if (address == null) {
      return null;
    }
    Block whole = block(address, Long.SIZE * 2);
    for (Map.Entry<Integer, Map<Block, String>> table : tables.entrySet()) {
      String region = table.getValue().get(whole.cut(table.getKey()));
      if (region != null) {
        return region;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return "cidr:" + file;
  }

  private static Block block(String text) {
    // Says what is wrong with it, if anything is.
    Cidr.of(text);
    int slash = text.indexOf('/');
    byte[] address = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
    if (address == null) {
      throw new IllegalArgumentException("\"" + text + "\" is not a block of addresses");
    }
    int front = address.length == V4_BYTES ? MAPPED_BITS : 0;
    int bits =
        slash < 0 ? Long.SIZE * 2 : front + Integer.parseInt(text, slash + 1, text.length(), 10);
    return block(address, bits);
  }

  private static Block block(byte[] address, int bits) {
    if (address.length == V4_BYTES) {
      return new Block(0, MAPPED | number(address, 0, V4_BYTES), bits);
    }
    return new Block(number(address, 0, Long.BYTES), number(address, Long.BYTES, Long.BYTES), bits);
  }

  private static long number(byte[] bytes, int from, int count) {
    long number = 0;
    for (int i = from; i < from + count; i++) {
      number = (number << Byte.SIZE) | Byte.toUnsignedLong(bytes[i]);
    }
    return number;
  }

  /** The first {@code bits} of an address of 128 bits; those that follow are 0. */
  private record Block(long high, long low, int bits) {
    Block cut(int to) {
      return new Block(first(high, to), first(low, to - Long.SIZE), to);
    }

    private static long first(long word, int count) {
      if (count <= 0) {
        return 0;
      }
      return count >= Long.SIZE ? word : word & (-1L << (Long.SIZE - count));
    }
  }
}
