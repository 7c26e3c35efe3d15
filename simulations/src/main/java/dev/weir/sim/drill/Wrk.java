package dev.weir.sim.drill;

import dev.weir.sim.demo.FleetException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code wrk}, a load generator in C: one thread, many connections, as fast as answers come. */
final class Wrk {
  private static final int CONNECTIONS = 64;
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");
  private static final Pattern TOTAL = Pattern.compile("(\\d+) requests in ");
  private static final Pattern ERRORS = Pattern.compile("(Non-2xx.*|Socket errors.*)");

  private Wrk() {}

  /** What it saw. */
  record Seen(double perSecond, long requests) {}

  static Seen run(URI url, int seconds) throws IOException, FleetException, InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(
                  List.of("wrk", "-t1", "-c" + CONNECTIONS, "-d" + seconds + "s", url.toString()))
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      throw new FleetException("wrk is not there: install it (Debian: the package wrk)");
    }
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    return parse(text);
  }

  static Seen parse(String text) throws FleetException {
    Matcher rate = RATE.matcher(text);
    Matcher total = TOTAL.matcher(text);
    Matcher errors = ERRORS.matcher(text);
    if (errors.find() || !rate.find() || !total.find()) {
      throw new FleetException("wrk saw what was not to be seen:\n" + text);
    }
    return new Seen(Double.parseDouble(rate.group(1)), Long.parseLong(total.group(1)));
  }
}
