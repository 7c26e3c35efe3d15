package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir ctl undrain}: a drained region takes part again. */
@Command(name = "undrain", description = "Has a drained region's agents get leases again.")
final class Undrain implements Callable<Integer> {
  private final Ctl ctl;

  @Parameters(paramLabel = "REGION")
  private String region = "";

  Undrain(Ctl ctl) {
    this.ctl = ctl;
  }

  @Override
  public Integer call() throws CtlException, InterruptedException {
    String path = RegionName.path(region) + "/undrain";
    JsonNode answer = ctl.coordinator().post(path);
    if (ctl.isForPeople()) {
      ctl.print(region + " takes part again\n");
    } else {
      ctl.print(answer);
    }
    return 0;
  }
}
