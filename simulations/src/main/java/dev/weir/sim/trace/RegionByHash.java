package dev.weir.sim.trace;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Clients shared out to regions by their names, in the proportion of weights. Each region draws a
 * number from the client's name and its own, and the highest wins (rendezvous hashing): the same
 * client is always in the same region, and a region more takes over its part of the clients and
 * moves no other.
 */
final class RegionByHash extends RegionBy {
  private static final long FNV_START = 0xCBF2_9CE4_8422_2325L;
  private static final long FNV_PRIME = 0x100_0000_01B3L;

  private final String[] regions;
  private final double[] weights;
  private final long[] hashes;

  private RegionByHash(Map<String, Double> weightOf) {
    this.regions = weightOf.keySet().toArray(new String[0]);
    this.weights = new double[regions.length];
    this.hashes = new long[regions.length];
    for (int i = 0; i < regions.length; i++) {
      weights[i] = weightOf.getOrDefault(regions[i], 1.0);
      hashes[i] = hash(regions[i]);
    }
  }

  /** Reads {@code eu-west=2,us-east,ap-south}. */
  static RegionByHash of(String text) {
    Map<String, Double> weights = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String region = (equals < 0 ? part : part.substring(0, equals)).strip();
      double weight = equals < 0 ? 1 : weight(part.substring(equals + 1).strip());
      if (region.isEmpty()) {
        throw new IllegalArgumentException(
            "\"hash:" + text + "\" has a region without a name; write hash:eu-west=2,us-east");
      }
      if (weights.put(region, weight) != null) {
        throw new IllegalArgumentException("hash: names the region " + region + " twice");
      }
    }
    return new RegionByHash(weights);
  }

  @Override
  String region(RowFields row) {
    long client = hash(row.client());
    int best = 0;
    double highest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < regions.length; i++) {
      // Where the exponent is 1/weight, the chance to be the highest is in proportion to it.
      double score = StrictMath.log(Dice.unit(client, hashes[i]) + 0x1p-54) / weights[i];
      if (score > highest) {
        highest = score;
        best = i;
      }
    }
    return regions[best];
  }

  private static double weight(String text) {
    try {
      double weight = Double.parseDouble(text);
      if (weight > 0 && weight < Double.POSITIVE_INFINITY) {
        return weight;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(weightProblem(text), e);
    }
    throw new IllegalArgumentException(weightProblem(text));
  }

  private static String weightProblem(String text) {
    return "the weight \"" + text + "\" is no number above 0, as in hash:eu-west=2,us-east";
  }

  /** FNV-1a over the characters: the same on every machine. */
  private static long hash(String text) {
    long hash = FNV_START;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return hash;
  }
}
