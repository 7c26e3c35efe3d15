package dev.weir.coordinator;

import dev.weir.config.CoordinatorSettings;
import dev.weir.coordinator.state.StartWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The files of one coordinator: settings, quotas, data. */
final class Site {
  static final String QUOTAS =
      """
      domain: shop
      regions:
        eu-west: {weight: 2}
        us-east: {weight: 1}
      quotas:
        - name: public-api
          match: [{key: api, value: public}]
          limit: 100/s
          burst: 100
          lease: {ttl: 1m}
        - name: daily
          match: [{key: tenant}]
          limit: 1000/d
          burst: 1000
          maxCost: 1
          lease: {ttl: 1s, floor: 0%}
      """;

  final Path folder;

  Site(Path folder) throws IOException {
    this.folder = folder;
    Files.createDirectories(folder.resolve("quotas"));
    Files.writeString(folder.resolve("quotas/shop.yaml"), QUOTAS);
    Files.writeString(
        folder.resolve("coordinator.yaml"),
        """
        http: {host: 127.0.0.1, port: 0}
        quotas: quotas/
        data: data
        cluster: {self: "127.0.0.1:0"}
        """);
  }

  Path settings() {
    return folder.resolve("coordinator.yaml");
  }

  Path quotas(String file) {
    return folder.resolve("quotas").resolve(file);
  }

  Path data(String file) {
    return folder.resolve("data").resolve(file);
  }

  Coordinator start(StartWord word) throws Exception {
    return Coordinator.start(CoordinatorSettings.read(settings(), Map.of(), Map.of()), word);
  }
}
