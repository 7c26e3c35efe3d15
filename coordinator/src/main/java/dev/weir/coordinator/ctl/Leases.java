package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.core.quota.BucketKey;
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
    String query = key == null ? "" : "?key=" + Urls.encoded(canonical(key));
    CoordinatorClient coordinator = ctl.coordinator();
    QuotaId id = new Catalogue(coordinator, ctl.domain()).quota(quota);
    JsonNode answer = coordinator.get(Catalogue.path(id) + "/leases" + query);
    if (ctl.isForPeople()) {
      ctl.print(LeaseReport.of(id, answer));
    } else {
      ctl.print(answer);
    }
    return 0;
  }

  /** Returns a key as the coordinator writes it, whether typed so or by hand. */
  private static String canonical(String key) throws CtlException {
    try {
      return BucketKey.encode(BucketKey.decode(key));
    } catch (IllegalArgumentException byHand) {
      return BucketKey.encode(DescriptorText.parse(key));
    }
  }
}
