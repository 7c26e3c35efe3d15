package dev.weir.sim.report;

import java.util.List;
import java.util.Locale;

/**
 * One plot as SVG: lines and areas over evenly spaced slots, with its axes. Colours come from the
 * page's style sheet by class name, so that a plot has no script and no style of its own.
 */
final class Plot {
  private static final int LEFT = 64;
  private static final int RIGHT = 16;
  private static final int TOP = 22;
  private static final int BOTTOM = 24;
  private static final int Y_STEPS = 5;

  private final int width;
  private final int height;
  private final int slots;
  private final double yStep;
  private final int ySteps;
  private final StringBuilder marks = new StringBuilder();

  /**
   * An empty plot.
   *
   * @param slots how many values each series has, at least 2
   * @param largest the largest value to be shown
   */
  Plot(int width, int height, int slots, double largest) {
    this.width = width;
    this.height = height;
    this.slots = slots;
    this.yStep = niceStep(largest / Y_STEPS);
    this.ySteps = Math.max(1, (int) Math.ceil(largest / yStep - 1e-9));
  }

  /** A step of 1, 2, 2.5 or 5 times a power of ten, at least as large as asked. */
  static double niceStep(double atLeast) {
    if (atLeast <= 0) {
      return 1;
    }
    double power = Math.pow(10, Math.floor(Math.log10(atLeast)));
    for (double factor : new double[] {1, 2, 2.5, 5}) {
      if (factor * power >= atLeast * (1 - 1e-9)) {
        return factor * power;
      }
    }
    return 10 * power;
  }

  /** Draws a line through the values; {@code NaN} is a gap. */
  void line(double[] values, String cssClass) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < values.length; i++) {
      if (Double.isNaN(values[i])) {
        drawing = false;
        continue;
      }
      path.append(drawing ? 'L' : 'M').append(point(i, values[i]));
      drawing = true;
    }
    path(path, cssClass);
  }

  /** Fills between two series. */
  void area(double[] lower, double[] upper, String cssClass) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < upper.length; i++) {
      path.append(i == 0 ? 'M' : 'L').append(point(i, upper[i]));
    }
    for (int i = lower.length - 1; i >= 0; i--) {
      path.append('L').append(point(i, lower[i]));
    }
    path(path.append('Z'), cssClass);
  }

  /** Draws a level across the plot, with its name at the right end. */
  void level(double value, String name, String cssClass) {
    path(
        new StringBuilder("M").append(point(0, value)).append('L').append(point(slots - 1, value)),
        cssClass);
    text(width - RIGHT, y(value) - 4, "end", "label", name);
  }

  /**
   * A label on the time axis.
   *
   * @param part where, from 0 at the left to 1 at the right
   */
  record Tick(double part, String label) {}

  /** The finished plot with its title above it and ticks below. */
  String svg(String title, List<Tick> ticks) {
    StringBuilder axes = new StringBuilder();
    StringBuilder labels = new StringBuilder();
    for (int i = 0; i <= ySteps; i++) {
      double value = yStep * i;
      axes.append(grid(LEFT, y(value), width - RIGHT, y(value)));
      labels.append(label(LEFT - 6, y(value) + 4, "end", number(value)));
    }
    for (Tick tick : ticks) {
      double x = LEFT + tick.part() * (width - LEFT - RIGHT);
      axes.append(grid(x, y(0), x, y(0) + 4));
      labels.append(label(x, height - 6, "middle", tick.label()));
    }
    return "<svg viewBox=\"0 0 "
        + width
        + ' '
        + height
        + "\" role=\"img\" aria-label=\""
        + Html.text(title)
        + "\">"
        + axes
        + marks
        + labels
        + "<text class=\"title\" x=\""
        + LEFT
        + "\" y=\"14\">"
        + Html.text(title)
        + "</text></svg>\n";
  }

  private void path(StringBuilder path, String cssClass) {
    marks.append("<path class=\"").append(cssClass).append("\" d=\"").append(path).append("\"/>");
  }

  private void text(double x, double y, String anchor, String cssClass, String text) {
    marks.append(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
            cssClass,
            x,
            y,
            anchor,
            Html.text(text)));
  }

  private static String label(double x, double y, String anchor, String text) {
    return String.format(
        Locale.ROOT,
        "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
        x,
        y,
        anchor,
        Html.text(text));
  }

  private static String grid(double x1, double y1, double x2, double y2) {
    return String.format(
        Locale.ROOT, "<path class=\"grid\" d=\"M%.1f %.1fL%.1f %.1f\"/>", x1, y1, x2, y2);
  }

  private String point(int slot, double value) {
    double x = LEFT + (double) slot / (slots - 1) * (width - LEFT - RIGHT);
    return String.format(Locale.ROOT, "%.1f %.1f", x, y(value));
  }

  private double y(double value) {
    double yMax = yStep * ySteps;
    double clipped = Math.min(Math.max(value, 0), yMax);
    return height - BOTTOM - clipped / yMax * (height - TOP - BOTTOM);
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,d", (long) value)
        : String.format(Locale.ROOT, "%.3g", value);
  }
}
