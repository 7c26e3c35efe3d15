package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir ctl drain}: a region gives its leases back. */
@Command(
    name = "drain",
    description =
        "Has a region's agents give their leases back and get no new ones. Its floors stay.")
final class Drain implements Callable<Integer> {
  private final Ctl ctl;

  @Parameters(paramLabel = "REGION")
  private String region = "";

  Drain(Ctl ctl) {
    this.ctl = ctl;
  }

  @Override
  public Integer call() throws CtlException, InterruptedException {
    String path = RegionName.path(region) + "/drain";
    JsonNode answer = ctl.coordinator().post(path);
    if (ctl.isForPeople()) {
      ctl.print(
          region
              + " is drained: its agent gives its leases back and gets no new ones. Its floors stay."
              + "\nUndo with: weir ctl undrain "
              + region
              + "\n");
    } else {
      ctl.print(answer);
    }
    return 0;
  }
}
