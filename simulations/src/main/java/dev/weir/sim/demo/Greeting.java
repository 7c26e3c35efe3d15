package dev.weir.sim.demo;

import java.net.URI;
import java.util.Map;

/** What {@code weir dev} says when all is up: where things are and what to type first. */
final class Greeting {
  private Greeting() {}

  static String of(Fleet fleet, LocalQuotas quotas) {
    StringBuilder text = new StringBuilder();
    text.append("coordinator   ").append(fleet.coordinator()).append('\n');
    Map<String, URI> agents = fleet.agentUrls();
    agents.forEach((region, url) -> text.append(String.format("%-14s%s%n", region, url)));
    text.append("redis         redis://127.0.0.1:").append(fleet.ports().redis()).append('\n');
    text.append("quotas        ").append(quotas.file()).append("\n\n");
    URI first = agents.values().iterator().next();
    text.append("Ask the first agent:\n  curl -i \"")
        .append(first)
        .append("/v1/check?domain=")
        .append(quotas.domain().domain())
        .append("&d.tenant=acme&d.api=public\"\n");
    text.append("Ctrl-C stops everything.\n");
    return text.toString();
  }
}
