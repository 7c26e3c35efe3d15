package dev.weir.sim.report;

import dev.weir.core.quota.FloorSplit;
import dev.weir.core.quota.Tokens;
import dev.weir.sim.live.Timeline;
import dev.weir.sim.live.Timeline.Count;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A replay as one page that needs nothing else: no script, no network. */
public final class HtmlReport {
  private static final int WIDTH = 960;

  private final Run run;
  private final Timeline timeline;
  private final List<String> regions;
  private final int slots;

  private HtmlReport(Run run) {
    this.run = run;
    this.timeline = run.outcome().timeline();
    this.regions = timeline.regions();
    this.slots = Math.max(2, timeline.slots());
  }

  /** Writes the page to a file. */
  public static void write(Run run, Path file) throws IOException {
    Files.writeString(file, of(run));
  }

  static String of(Run run) {
    return new HtmlReport(run).page();
  }

  private String page() {
    return resource("page.html")
        .replace("{{style}}", resource("page.css"))
        .replace("{{verdict}}", verdict())
        .replace("{{table}}", table())
        .replace("{{numbers}}", numbers())
        .replace("{{legend}}", legend())
        .replace("{{asked}}", asked())
        .replace("{{leases}}", leases())
        .replace("{{trace}}", Html.text(run.trace().name()))
        .replace("{{about}}", about());
  }

  private String verdict() {
    Figures figures = Figures.of(run);
    return figures.boundHeld()
        ? "<p class=\"held\">The bound held: no window admitted more than <i>B</i> + <i>R</i>(1+<i>ρ</i>)<i>t</i>.</p>"
        : "<p class=\"broken\">The bound did not hold: "
            + format("%,.6f", figures.overshoot())
            + " tokens too many."
            + Figures.missing(run).map(text -> " " + Html.text(text)).orElse("")
            + "</p>";
  }

  private String table() {
    StringBuilder rows = new StringBuilder();
    for (String region : regions) {
      row(
          rows,
          "<span class=\"key region" + regions.indexOf(region) + "\"></span>" + Html.text(region),
          timeline.total(region, Count.ASKED),
          timeline.total(region, Count.ADMITTED),
          timeline.total(region, Count.REFUSED));
    }
    Figures figures = Figures.of(run);
    row(rows, "all regions", figures.asked(), figures.admitted(), figures.refused());
    row(
        rows,
        "one central bucket",
        figures.asked(),
        figures.oracleAdmitted(),
        figures.asked() - figures.oracleAdmitted());
    return rows.toString();
  }

  private static void row(
      StringBuilder rows, String name, long asked, long admitted, long refused) {
    rows.append(
        format(
            "<tr><th>%s</th><td>%,d</td><td>%,d</td><td>%,d</td></tr>%n",
            name, asked, admitted, refused));
  }

  private String numbers() {
    Figures figures = Figures.of(run);
    StringBuilder items = new StringBuilder();
    item(
        items,
        format("%.1f %%", 100 * figures.utilisation()),
        "of what one central bucket admits of the same arrivals, fed in the same order");
    item(
        items,
        format("%.1f %%", 100 * figures.utilisationLessQuietFloors()),
        "of it, less the floors of quiet regions");
    item(
        items,
        format("%s", Tokens.text(Math.round(figures.overshoot() * 1e6))),
        "tokens: the largest overshoot of any window, by the agents' own decision times");
    item(
        items,
        format("%,.0f", figures.bound()),
        "tokens: the bound for the whole run; "
            + format("%,d", figures.admitted())
            + " were admitted");
    return items.toString();
  }

  private static void item(StringBuilder items, String number, String meaning) {
    items.append(format("<li><b>%s</b><span>%s</span></li>%n", number, Html.text(meaning)));
  }

  private String legend() {
    StringBuilder legend = new StringBuilder();
    for (String region : regions) {
      legend.append(
          format(
              "<span><span class=\"key region%d\"></span>%s</span> ",
              regions.indexOf(region), Html.text(region)));
    }
    return legend.toString();
  }

  private String asked() {
    StringBuilder plots = new StringBuilder();
    for (String region : regions) {
      double[] asked = series(region, Count.ASKED);
      double[] admitted = series(region, Count.ADMITTED);
      // Each region by its own scale: the quiet ones would be a line on the axis by the largest.
      Plot plot = new Plot(WIDTH, 150, slots, Series.max(asked));
      int colour = regions.indexOf(region);
      plot.area(Series.constant(0, slots), asked, "asked region" + colour);
      plot.area(Series.constant(0, slots), admitted, "admitted region" + colour);
      plots.append(plot.svg(region + ", tokens per second", TimeAxis.of(run, slots)));
    }
    return plots.toString();
  }

  private String leases() {
    double quota = Figures.perSecond(run.quota().rate());
    double floors =
        FloorSplit.of(run.quota(), run.regions()).values().stream()
            .mapToDouble(floor -> Figures.floorPerSecond(run.quota(), floor))
            .sum();
    Plot plot = new Plot(WIDTH, 280, slots, quota * 1.1);
    double[] below = Series.constant(0, slots);
    double[] above = Series.constant(floors, slots);
    plot.area(below, above, "floors");
    for (String region : regions) {
      below = above;
      above = Series.sum(below, Series.leased(run.leases(), region, timeline.slotNanos(), slots));
      plot.area(below, above, "admitted region" + regions.indexOf(region));
    }
    plot.level(quota, "quota", "quota");
    return plot.svg("leased to each region, tokens per second", TimeAxis.of(run, slots));
  }

  private double[] series(String region, Count count) {
    return Series.perSecond(timeline, region, count, slots);
  }

  private String about() {
    return Html.text(
        format(
            "Played %,.0f times as fast as recorded, %.3g requests for each one recorded, in %.1f s;"
                + " seed %d. Times are the trace's own, UTC.",
            run.pace().speed(), run.pace().scale(), run.outcome().lengthNanos() / 1e9, run.seed()));
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static String resource(String name) {
    try (InputStream in = HtmlReport.class.getResourceAsStream("/report/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the build left out report/" + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("report/" + name + " cannot be read", e);
    }
  }
}
