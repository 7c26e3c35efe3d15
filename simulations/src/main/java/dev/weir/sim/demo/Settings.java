package dev.weir.sim.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The settings files of the processes, written into the run's folder. */
final class Settings {
  private final RunFolder folder;
  private final Ports ports;

  Settings(RunFolder folder, Ports ports) {
    this.folder = folder;
    this.ports = ports;
  }

  Path writeCoordinator() throws IOException {
    return write(
        "coordinator.yaml",
        """
        http: {host: 127.0.0.1, port: %d}
        quotas: quotas/
        data: data/coordinator
        cluster: {self: 127.0.0.1:%d, members: [127.0.0.1:%d]}
        """
            .formatted(ports.coordinator(), ports.cluster(), ports.cluster()));
  }

  Path writeAgent(String region, int number, @Nullable Path audit) throws IOException {
    return write(
        "agent-" + region + ".yaml",
        """
        region: %s
        coordinators: ["%s"]
        http: {host: 127.0.0.1, port: %d}
        grpc: {host: 127.0.0.1, port: %d}
        admin: {host: 127.0.0.1, port: %d}
        redis: redis://127.0.0.1:%d
        data: data/agent-%s
        """
                .formatted(
                    region,
                    Ports.url(ports.coordinator()),
                    ports.agent(number),
                    ports.agentGrpc(number),
                    ports.agentAdmin(number),
                    ports.redis(),
                    region)
            + (audit == null ? "" : "audit: {file: \"" + audit + "\"}\n"));
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.run().resolve(name), text);
  }
}
