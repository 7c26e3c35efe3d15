package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.coordinator.ctl.QuotaTexts.Text;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir ctl apply}: puts quota files in force through the coordinator's API. */
@Command(
    name = "apply",
    description = {
      "Puts quota files in force: what they say is all there is of their domain, among the quotas"
          + " that came through the API. A domain's quotas change together or not at all.",
    })
final class Apply implements Callable<Integer> {
  private static final List<String> LISTS =
      List.of("added", "changed", "removed", "regions", "warnings");

  private final Ctl ctl;

  @Option(names = "--dry-run", description = "Show what would change, and change nothing.")
  private boolean dryRun;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Quota files, YAML or JSON, or folders of them, read as one; - for standard input.")
  private List<Path> files = List.of();

  Apply(Ctl ctl) {
    this.ctl = ctl;
  }

  @Override
  public Integer call() throws CtlException, IOException, InterruptedException {
    QuotaTexts quotas = QuotaTexts.read(files);
    quotas.lines().forEach(ctl::note);
    if (!quotas.areGood()) {
      throw CtlException.refused("nothing was sent: " + quotas.summary());
    }
    CoordinatorClient coordinator = ctl.coordinator();
    List<Text> texts = quotas.texts();
    ObjectNode answer = dryRun || texts.size() > 1 ? validate(coordinator, texts) : Json.object();
    if (!dryRun) {
      answer = apply(coordinator, texts);
    }
    if (ctl.isForPeople()) {
      ctl.print(report(answer));
    } else {
      ctl.print(answer);
    }
    return 0;
  }

  private static ObjectNode validate(CoordinatorClient coordinator, List<Text> texts)
      throws CtlException, InterruptedException {
    ObjectNode all = Json.object();
    for (Text text : texts) {
      add(all, send(coordinator, "/v1/config/validate", text));
    }
    return all;
  }

  private static ObjectNode apply(CoordinatorClient coordinator, List<Text> texts)
      throws CtlException, InterruptedException {
    ObjectNode all = Json.object();
    List<String> done = new ArrayList<>();
    for (Text text : texts) {
      try {
        add(all, send(coordinator, "/v1/config/apply", text));
      } catch (CtlException failure) {
        throw done.isEmpty()
            ? failure
            : failure.after("applied already: " + String.join(", ", done));
      }
      done.add(text.domain());
    }
    return all;
  }

  private static JsonNode send(CoordinatorClient coordinator, String path, Text text)
      throws CtlException, InterruptedException {
    return coordinator.post(
        path + "?file=" + Urls.encoded(text.name()), text.contentType(), text.text());
  }

  private static void add(ObjectNode all, JsonNode answer) {
    all.set("generation", answer.path("generation"));
    for (String list : LISTS) {
      ArrayNode items = all.withArray(list);
      answer.path(list).forEach(items::add);
    }
  }

  private String report(JsonNode answer) {
    StringBuilder report = new StringBuilder();
    for (String list : List.of("added", "changed", "removed")) {
      append(report, list, answer.path(list));
    }
    append(report, "region", answer.path("regions"));
    if (report.length() == 0) {
      report.append("nothing changes\n");
    }
    return report
        .append(dryRun ? "dry run, nothing was changed: " : "")
        .append("generation ")
        .append(Shown.exactly(answer.path("generation")))
        .append(" is in force\n")
        .toString();
  }

  private static void append(StringBuilder report, String what, JsonNode names) {
    for (String name : Json.strings(names)) {
      report.append(String.format("%-8s  %s\n", what, Table.printable(name)));
    }
  }
}
