package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.core.quota.QuotaId;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir ctl leases}: who holds what of a quota now. */
@Command(
    name = "leases",
    description =
        "Shows who holds what of a quota: of all its buckets in sum and of those that lease most,"
            + " or of one bucket in full.")
final class Leases implements Callable<Integer> {
  private final Ctl ctl;

  @Parameters(index = "0", paramLabel = "QUOTA", description = "NAME or DOMAIN/NAME.")
  private String quota = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "KEY",
      description =
          "One bucket: the values of the quota's free keys, as tenant=acme or as shown in the table.")
  private @Nullable String key;

  Leases(Ctl ctl) {
    this.ctl = ctl;
  }

  @Override
  public Integer call() throws CtlException, InterruptedException {
    TypedKey typed = key == null ? null : TypedKey.parse(key);
    CoordinatorClient coordinator = ctl.coordinator();
    QuotaId id = new Catalogue(coordinator, ctl.domain()).quota(quota);
    String path = Catalogue.path(id);
    String query = typed == null ? "" : "?key=" + Urls.encoded(typed.of(id, coordinator.get(path)));
    JsonNode answer = coordinator.get(path + "/leases" + query);
    if (ctl.isForPeople()) {
      ctl.print(LeaseReport.of(id, answer));
    } else {
      ctl.print(answer);
    }
    return 0;
  }
}
