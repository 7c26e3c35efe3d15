package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.config.KnownNames;
import dev.weir.core.quota.Names;
import dev.weir.core.quota.QuotaId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which domains and quotas a coordinator has. */
final class Catalogue {
  private static final int NAMED_MAX = 12;

  private final CoordinatorClient coordinator;
  private final @Nullable String domain;

  /**
   * A catalogue that asks when it is asked.
   *
   * @param domain the only one that counts; null for all
   */
  Catalogue(CoordinatorClient coordinator, @Nullable String domain) {
    this.coordinator = coordinator;
    this.domain = domain;
  }

  /** Returns the domains that count. */
  List<String> domains() throws CtlException, InterruptedException {
    if (domain != null) {
      return List.of(domain);
    }
    List<String> domains = new ArrayList<>();
    coordinator
        .get("/v1/domains")
        .path("domains")
        .forEach(its -> domains.add(Json.string(its, "domain")));
    return domains;
  }

  /**
   * Returns the quotas of a domain, each {@code {name, generation, source, quota}}, where {@code
   * quota} is as quota files have it.
   */
  JsonNode quotas(String ofDomain) throws CtlException, InterruptedException {
    return coordinator.get("/v1/domains/" + Urls.encoded(ofDomain) + "/quotas").path("quotas");
  }

  /**
   * Returns the quota that is meant.
   *
   * @param text {@code NAME} or {@code DOMAIN/NAME}
   */
  QuotaId quota(String text) throws CtlException, InterruptedException {
    int slash = text.indexOf('/');
    String name = text.substring(slash + 1);
    String named = slash < 0 ? domain : text.substring(0, slash);
    if (!Names.isName(name) || (named != null && !Names.isDomain(named))) {
      throw CtlException.wrongUsage(
          "a quota is NAME or DOMAIN/NAME, as weir ctl quotas shows them: \"" + text + "\"");
    }
    if (domain != null && !domain.equals(named)) {
      throw CtlException.wrongUsage("--domain is " + domain + ", and the quota is " + text);
    }
    return named == null ? only(name) : new QuotaId(named, name);
  }

  /** Returns the path of a quota. */
  static String path(QuotaId quota) {
    return "/v1/domains/" + quota.domain() + "/quotas/" + quota.name();
  }

  private QuotaId only(String name) throws CtlException, InterruptedException {
    List<QuotaId> all = new ArrayList<>();
    for (String each : domains()) {
      quotas(each).forEach(quota -> all.add(new QuotaId(each, Json.string(quota, "name"))));
    }
    List<QuotaId> meant = all.stream().filter(id -> id.name().equals(name)).toList();
    if (meant.size() == 1) {
      return meant.get(0);
    }
    throw meant.isEmpty()
        ? CtlException.refused("there is no quota " + name + meant(name, all) + thereAre(all))
        : CtlException.wrongUsage(name + " is ambiguous: say " + String.join(" or ", texts(meant)));
  }

  private static String meant(String name, List<QuotaId> all) {
    String near = KnownNames.near(name, all.stream().map(QuotaId::name).toList());
    return near == null ? "; " : " (did you mean \"" + near + "\"?); ";
  }

  private static String thereAre(List<QuotaId> all) {
    if (all.isEmpty()) {
      return "there are no quotas at all: weir ctl apply FILE";
    }
    return all.size() <= NAMED_MAX
        ? "there are " + String.join(", ", texts(all))
        : "weir ctl quotas lists the " + all.size() + " there are";
  }

  private static List<String> texts(List<QuotaId> quotas) {
    return quotas.stream().map(QuotaId::toString).toList();
  }
}
