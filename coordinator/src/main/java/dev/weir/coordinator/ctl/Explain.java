package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.core.quota.BucketKey;
import dev.weir.core.quota.Descriptors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir ctl explain}: which quotas a request counts against. */
@Command(
    name = "explain",
    description =
        "Shows which quotas a request with these descriptors counts against, and in which bucket;"
            + " and why not against the others.")
final class Explain implements Callable<Integer> {
  private final Ctl ctl;

  @Parameters(
      paramLabel = "KEY=VALUE,...",
      arity = "0..*",
      description =
          "The request's descriptors, as tenant=acme,api=public; none for a bare request.")
  private List<String> descriptors = List.of();

  Explain(Ctl ctl) {
    this.ctl = ctl;
  }

  @Override
  public Integer call() throws CtlException, InterruptedException {
    Descriptors request = DescriptorText.parse(String.join(",", descriptors));
    Catalogue catalogue = new Catalogue(ctl.coordinator(), ctl.domain());
    List<Explanation> explanations = new ArrayList<>();
    for (String domain : catalogue.domains()) {
      explanations.add(Explanation.of(domain, catalogue.quotas(domain), request));
    }
    if (ctl.isForPeople()) {
      ctl.print(report(request, explanations));
    } else {
      ctl.print(json(request, explanations));
    }
    return 0;
  }

  private static String report(Descriptors request, List<Explanation> explanations) {
    if (explanations.isEmpty()) {
      return "no quotas: weir ctl apply FILE\n";
    }
    String text = request.size() == 0 ? "a request without descriptors" : BucketKey.encode(request);
    List<String> reports = explanations.stream().map(one -> one.report(text)).toList();
    return String.join("\n", reports);
  }

  private static JsonNode json(Descriptors request, List<Explanation> explanations) {
    ObjectNode json = Json.object();
    ObjectNode pairs = json.putObject("descriptors");
    for (int i = 0; i < request.size(); i++) {
      pairs.put(request.key(i), request.value(i));
    }
    ArrayNode domains = json.putArray("domains");
    explanations.forEach(one -> domains.add(one.json()));
    return json;
  }
}
