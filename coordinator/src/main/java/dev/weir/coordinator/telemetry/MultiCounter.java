package dev.weir.coordinator.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Counters of one name that are counted elsewhere, and come and go with what they count. Any
 * thread.
 */
final class MultiCounter {
  private final MeterRegistry registry;
  private final String name;
  private final String help;
  private final Map<Tags, Counted> counted = new HashMap<>();

  private static final class Counted {
    private final FunctionCounter meter;
    private volatile double now;

    Counted(MultiCounter of, Tags tags) {
      meter =
          FunctionCounter.builder(of.name, this, its -> its.now)
              .description(of.help)
              .tags(tags)
              .register(of.registry);
    }
  }

  MultiCounter(MeterRegistry registry, String name, String help) {
    this.registry = registry;
    this.name = name;
    this.help = help;
  }

  /** Sets what they are at; those not named are gone. */
  synchronized void set(Map<Tags, Double> now) {
    for (Iterator<Map.Entry<Tags, Counted>> all = counted.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<Tags, Counted> entry = all.next();
      if (!now.containsKey(entry.getKey())) {
        registry.remove(entry.getValue().meter);
        all.remove();
      }
    }
    now.forEach(
        (tags, value) ->
            counted.computeIfAbsent(tags, absent -> new Counted(this, absent)).now = value);
  }
}
