package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.core.quota.QuotaId;
import java.math.BigDecimal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir ctl bound}: what a quota can admit at most, and what each trouble may add. */
@Command(
    name = "bound",
    description =
        "Shows the most that all regions together can admit of a quota in any window of time, and"
            + " what may come on top while something is missing.")
final class Bound implements Callable<Integer> {
  private final Ctl ctl;

  @Parameters(paramLabel = "QUOTA", description = "NAME or DOMAIN/NAME.")
  private String quota = "";

  Bound(Ctl ctl) {
    this.ctl = ctl;
  }

  @Override
  public Integer call() throws CtlException, InterruptedException {
    CoordinatorClient coordinator = ctl.coordinator();
    QuotaId id = new Catalogue(coordinator, ctl.domain()).quota(quota);
    JsonNode answer = coordinator.get(Catalogue.path(id) + "/bound");
    if (ctl.isForPeople()) {
      ctl.print(report(id, answer));
    } else {
      ctl.print(answer);
    }
    return 0;
  }

  private static String report(QuotaId id, JsonNode answer) {
    StringBuilder report = new StringBuilder();
    report.append(id);
    report.append(": in any window of t seconds, all regions together admit at most\n\n    ");
    report.append(Shown.exactly(answer.path("burst")));
    report.append(" + ").append(rate(answer)).append(" * t tokens\n\n");
    report.append("of each bucket");
    report.append(answer.has("drift") ? ", the drift of clocks included;" : ";");
    report.append(" and in addition, only while the cause is at work:\n\n");
    return report.append(table(answer.path("terms"))).toString();
  }

  /** Returns {@code R·(1+ρ)}. */
  private static String rate(JsonNode answer) {
    JsonNode rate = answer.path("rate");
    if (!rate.isNumber()) {
      return rate.asText("?");
    }
    BigDecimal drift = answer.path("drift").decimalValue();
    return Shown.plain(rate.decimalValue().multiply(BigDecimal.ONE.add(drift)));
  }

  private static Table table(JsonNode terms) {
    Table table = new Table().left("CAUSE").right("ONCE").right("PER SECOND").sentences("NOTE");
    for (JsonNode term : terms) {
      boolean bounded = term.path("bounded").asBoolean(true);
      table.row(
          Json.string(term, "cause"),
          bounded ? Shown.exactly(term.path("tokensOnce")) : "no bound",
          bounded ? Shown.exactly(term.path("tokensPerSecond")) : "no bound",
          Json.string(term, "note"));
    }
    return table;
  }
}
