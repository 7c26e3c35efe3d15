package dev.weir.sim.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code weir dev}: everything on this machine until Ctrl-C. */
@Command(
    name = "dev",
    description = "Starts a coordinator, three agents and a Redis on this machine, until Ctrl-C.")
public final class Dev implements Callable<Integer> {
  @Mixin LocalOptions options = new LocalOptions();

  @Override
  public Integer call() throws IOException, FleetException, InterruptedException {
    Path home = Home.find();
    LocalQuotas quotas = LocalQuotas.read(home);
    Ports ports = new Ports(options.portBase, quotas.regions().size());
    ports.requireFree();
    try (Session session = Session.open("dev", home, ports)) {
      session.fleet().start(quotas.file(), quotas.regions(), System.err);
      System.out.print(Greeting.of(session.fleet(), quotas));
      // Ctrl-C ends the JVM, and the session's hook stops the processes.
      new CountDownLatch(1).await();
      return 0;
    }
  }
}
