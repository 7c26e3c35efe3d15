package dev.weir.core.quota;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the quotas that a request counts against, in one domain. Immutable; any thread.
 *
 * <p>A quota's place here is its slot: slot 0 has the smallest rate, so a request that the
 * narrowest quota refuses costs the others nothing. Quotas that are {@link Mode#OFF} have no slot.
 *
 * <p>Cost: one look-up in the request for each key by which quotas are found (a fixed value where a
 * quota has one, else its first free key), one hash look-up for each of those that has quotas with
 * fixed values, and one comparison for each further condition of the quotas found: it does not grow
 * with the number of quotas that differ in a fixed value. {@link #match(DescriptorLookup, int[])}
 * and {@link #soleValue} allocate nothing; {@link #key} makes the text.
 */
public final class Matcher {
  private static final Comparator<QuotaSpec> NARROWEST_FIRST =
      Comparator.comparing(QuotaSpec::rate, Rate.BY_SPEED)
          .thenComparingLong(QuotaSpec::burstMicros)
          .thenComparing(QuotaSpec::id);

  private final CompiledQuota[] quotas;
  private final int[] unconditional;
  private final Index[] indexes;
  private final int matchesMax;

  private Matcher(CompiledQuota[] quotas, int[] unconditional, Index[] indexes) {
    this.quotas = quotas;
    this.unconditional = unconditional;
    this.indexes = indexes;
    int most = unconditional.length;
    for (Index index : indexes) {
      most += index.most();
    }
    this.matchesMax = most;
  }

  /** The quotas found by one key: with any value of it, and with a fixed one. */
  private static final class Index {
    final String key;
    final Map<String, int[]> fixed = new HashMap<>();
    int[] open = {};

    Index(String key) {
      this.key = key;
    }

    /** Most quotas that one value can find here. */
    int most() {
      return open.length + fixed.values().stream().mapToInt(slots -> slots.length).max().orElse(0);
    }

    void add(@Nullable String value, int slot) {
      if (value == null) {
        open = append(open, slot);
      } else {
        fixed.put(value, append(fixed.getOrDefault(value, new int[0]), slot));
      }
    }
  }

  /** Returns the matcher of a domain. */
  public static Matcher of(DomainBook book) {
    CompiledQuota[] quotas =
        book.quotas().stream()
            .filter(quota -> quota.mode() != Mode.OFF)
            .sorted(NARROWEST_FIRST)
            .map(CompiledQuota::new)
            .toArray(CompiledQuota[]::new);
    int[] unconditional = {};
    Map<String, Index> indexes = new TreeMap<>();
    for (int slot = 0; slot < quotas.length; slot++) {
      Match found = quotas[slot].foundBy();
      if (found == null) {
        unconditional = append(unconditional, slot);
      } else {
        indexes.computeIfAbsent(found.key(), Index::new).add(found.value(), slot);
      }
    }
    return new Matcher(quotas, unconditional, indexes.values().toArray(new Index[0]));
  }

  /** Returns the number of quotas, and so of slots. */
  public int size() {
    return quotas.length;
  }

  /** Returns an upper bound of the quotas that one request can match: usually a few. */
  public int matchesMax() {
    return matchesMax;
  }

  /** Returns the quota of a slot. */
  public QuotaSpec quota(int slot) {
    return quotas[slot].spec();
  }

  /**
   * Returns the value that alone tells the buckets of this quota apart in this request, or null
   * where the quota has no free key or several. It identifies the bucket within the quota as well
   * as {@link #key} does, without making a text.
   */
  public @Nullable String soleValue(int slot, DescriptorLookup descriptors) {
    return quotas[slot].soleValue(descriptors);
  }

  /** Returns the canonical bucket key of a request that this quota matched. */
  public String key(int slot, DescriptorLookup descriptors) {
    return quotas[slot].key(descriptors);
  }

  /**
   * Writes the slots of all matching quotas, ascending, and returns how many there are.
   *
   * @param slots at least {@link #matchesMax} long; kept by the caller from one request to the next
   */
  public int match(DescriptorLookup descriptors, int[] slots) {
    int count = 0;
    for (int slot : unconditional) {
      slots[count++] = slot;
    }
    for (Index index : indexes) {
      String value = descriptors.value(index.key);
      if (value != null) {
        count = take(index.open, descriptors, slots, count);
        if (!index.fixed.isEmpty()) {
          int[] candidates = index.fixed.get(value);
          if (candidates != null) {
            count = take(candidates, descriptors, slots, count);
          }
        }
      }
    }
    return count;
  }

  /** Returns all matching quotas with their buckets, narrowest first. */
  public List<BucketMatch> match(DescriptorLookup descriptors) {
    int[] slots = new int[matchesMax];
    int count = match(descriptors, slots);
    List<BucketMatch> matches = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      QuotaSpec quota = quota(slots[i]);
      BucketId bucket = new BucketId(quota.id(), key(slots[i], descriptors));
      matches.add(new BucketMatch(slots[i], quota, bucket));
    }
    return matches;
  }

  private int take(int[] candidates, DescriptorLookup descriptors, int[] slots, int before) {
    int count = before;
    for (int slot : candidates) {
      if (quotas[slot].restMatches(descriptors)) {
        int at = count++;
        for (; at > 0 && slots[at - 1] > slot; at--) {
          slots[at] = slots[at - 1];
        }
        slots[at] = slot;
      }
    }
    return count;
  }

  private static int[] append(int[] slots, int slot) {
    int[] longer = Arrays.copyOf(slots, slots.length + 1);
    longer[slots.length] = slot;
    return longer;
  }
}
