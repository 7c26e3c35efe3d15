package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.config.ConfigProblem;
import dev.weir.config.QuotaFile;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir ctl validate}: everything wrong with quota files, without a coordinator. */
@Command(
    name = "validate",
    description = "Reads quota files and shows all that is wrong with them; asks no coordinator.")
final class Validate implements Callable<Integer> {
  private final Ctl ctl;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Quota files, YAML or JSON, or folders of them, read as one; - for standard input.")
  private List<Path> files = List.of();

  Validate(Ctl ctl) {
    this.ctl = ctl;
  }

  @Override
  public Integer call() {
    QuotaTexts texts = QuotaTexts.read(files);
    if (ctl.isForPeople()) {
      ctl.print(report(texts));
    } else {
      ctl.print(json(texts));
    }
    return texts.areGood() ? 0 : CtlException.REFUSED;
  }

  private static String report(QuotaTexts texts) {
    StringBuilder report = new StringBuilder();
    texts.lines().forEach(line -> report.append(line).append('\n'));
    return report.append(texts.summary()).append('\n').toString();
  }

  private static ObjectNode json(QuotaTexts texts) {
    ObjectNode json = Json.object().put("valid", texts.areGood());
    json.set("problems", list(texts.problems()));
    json.set("warnings", list(texts.warnings()));
    ArrayNode quotas = json.putArray("quotas");
    if (texts.outcome() instanceof QuotaFile.Accepted accepted) {
      accepted
          .domains()
          .values()
          .forEach(domain -> domain.quotas().forEach(quota -> quotas.add(quota.id().toString())));
    }
    return json;
  }

  private static ArrayNode list(List<ConfigProblem> problems) {
    ArrayNode list = Json.array();
    problems.forEach(problem -> list.add(Problem.json(problem)));
    return list;
  }
}
