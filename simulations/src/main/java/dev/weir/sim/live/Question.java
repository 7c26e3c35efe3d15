package dev.weir.sim.live;

import java.util.Map;
import java.util.TreeMap;

/**
 * How an arrival's key becomes the question an agent is asked.
 *
 * @param domain the quota file's domain
 * @param keyName the descriptor that carries the trace's key
 * @param others descriptors that are the same for every arrival
 */
public record Question(String domain, String keyName, Map<String, String> others) {
  /** Keeps its own copy of the descriptors. */
  public Question {
    others = Map.copyOf(others);
  }

  /** The descriptors of one arrival. */
  public Map<String, String> descriptors(String key) {
    Map<String, String> descriptors = new TreeMap<>(others);
    descriptors.put(keyName, key);
    return descriptors;
  }
}
