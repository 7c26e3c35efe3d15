package dev.weir.sim.scenario;

import dev.weir.config.BadValue;
import dev.weir.config.Section;
import dev.weir.config.ValueParser;
import dev.weir.config.Values;
import dev.weir.core.quota.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the {@code load} of a scenario. */
final class LoadReader {
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long DAY_NANOS = 24 * 3600 * SECOND_NANOS;
  private static final int CALLERS_MAX = 1_000_000;
  private static final long MILLION = 1_000_000;
  private static final List<String> SHAPES = List.of("ramp", "day", "steps", "spike");

  /** How callers of one source differ in how often they ask. */
  private enum Spread {
    UNIFORM,
    ZIPF
  }

  private enum Spacing {
    POISSON,
    EVEN
  }

  private LoadReader() {}

  static List<Source> read(Section file, EventsReader events) {
    List<Source> sources = new ArrayList<>();
    for (Section load : file.sections("load", "a load")) {
      load.require("region");
      load.require("rate");
      List<String> regions = load.list("region", Values.text());
      regions.forEach(region -> events.check(load, "region", region));
      Shape shape = shape(load);
      Callers callers = callers(load);
      Spacing spacing = load.value("spacing", Values.word(Spacing.class), Spacing.POISSON);
      long costMicros = load.value("cost", Values.millionths(), MILLION);
      if (costMicros == 0) {
        load.wrong("cost", "cost must be more than 0", null);
      }
      load.close();
      if (shape != null && costMicros > 0) {
        for (String region : regions) {
          sources.add(new Source(region, shape, callers, spacing == Spacing.EVEN, costMicros));
        }
      }
    }
    return sources;
  }

  private static Callers callers(Section load) {
    Map<String, String> fixed = load.values("descriptors", Values.text());
    Section many = load.section("callers", "callers");
    if (many == null) {
      return new Callers(fixed, null, 1, 0);
    }
    many.require("key");
    many.require("count");
    String key = many.value("key", Values.text());
    int count = many.value("count", Values.whole(1, CALLERS_MAX), 1);
    Spread spread = many.value("spread", Values.word(Spread.class), Spread.UNIFORM);
    double exponent = many.value("exponent", Values.millionths(), MILLION) / (double) MILLION;
    if (many.has("exponent") && spread == Spread.UNIFORM) {
      many.wrong("exponent", "exponent means something only with spread: zipf", null);
    }
    many.close();
    return new Callers(fixed, key, count, spread == Spread.ZIPF ? exponent : 0);
  }

  // ------------------------------------------------------------------------------ shapes

  private static @Nullable Shape shape(Section load) {
    if (!load.isMapping("rate")) {
      Double rate = load.value("rate", LoadReader::perSecond);
      return rate == null ? null : new Shape.Constant(rate);
    }
    Section rate = load.section("rate", "rate");
    if (rate == null) {
      return null;
    }
    List<Shape> shapes = new ArrayList<>();
    int said = 0;
    for (String name : SHAPES) {
      if (rate.has(name)) {
        said++;
        Shape shape = name.equals("steps") ? steps(rate) : shape(name, rate);
        if (shape != null) {
          shapes.add(shape);
        }
      } else {
        // A key that is asked for is a key that is known.
        rate.section(name, name);
      }
    }
    if (said != 1) {
      load.wrong("rate", "rate must be a limit such as 100/s, or one of " + SHAPES, null);
    }
    rate.close();
    return shapes.size() == 1 ? shapes.get(0) : null;
  }

  private static @Nullable Shape shape(String name, Section rate) {
    Section of = rate.section(name, name);
    if (of == null) {
      return null;
    }
    Shape shape =
        switch (name) {
          case "ramp" ->
              new Shape.Ramp(
                  needed(of, "from"), needed(of, "to"), time(of, "at", 0), time(of, "over", 0));
          case "day" ->
              new Shape.Day(
                  needed(of, "low"),
                  needed(of, "high"),
                  Math.max(1, time(of, "period", DAY_NANOS)),
                  time(of, "peak", 0));
          default ->
              new Shape.Spike(
                  needed(of, "base"), needed(of, "peak"), time(of, "at", 0), time(of, "for", 0));
        };
    of.close();
    return shape;
  }

  private static @Nullable Shape steps(Section rate) {
    List<Shape.Step> steps = new ArrayList<>();
    for (Map.Entry<String, Double> step : rate.values("steps", LoadReader::perSecond).entrySet()) {
      try {
        long atNanos = Values.nanos(0, 7 * DAY_NANOS).parse(step.getKey());
        if (!steps.isEmpty() && atNanos <= steps.get(steps.size() - 1).atNanos()) {
          rate.wrong("steps", "steps must be in the order of time: " + step.getKey(), null);
        }
        steps.add(new Shape.Step(atNanos, step.getValue()));
      } catch (BadValue bad) {
        rate.wrong("steps", "steps: \"" + step.getKey() + "\" " + bad.reason(), bad.suggestion());
      }
    }
    return steps.isEmpty() ? null : new Shape.Steps(steps);
  }

  private static double needed(Section of, String key) {
    of.require(key);
    ValueParser<Double> rate = LoadReader::perSecond;
    return of.value(key, rate, 0.0);
  }

  private static long time(Section of, String key, long otherwise) {
    return of.value(key, Values.nanos(0, 7 * DAY_NANOS), otherwise);
  }

  private static double perSecond(String text) throws BadValue {
    Rate rate = Values.rate().parse(text);
    return rate.micros() * 1e3 / rate.perNanos();
  }
}
