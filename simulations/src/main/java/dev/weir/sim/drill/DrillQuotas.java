package dev.weir.sim.drill;

/** The quota files of the drills. */
final class DrillQuotas {
  /** 1,000 a second that three regions share, with floors of 10 %. */
  static final String SHARED = shared("1000/s");

  /** 1,000 a day, likewise. */
  static final String SLOW = shared("1000/d");

  /** So many tokens that a request is never refused: what a decision costs, and nothing else. */
  static final String ABUNDANT =
      """
      domain: drill
      regions:
        eu-west: {weight: 1}
      quotas:
        - name: shared
          match: [{key: api, value: public}]
          limit: 100000000/s
          maxCost: 10
      """;

  /** A bucket per tenant; a floor holds some requests. */
  static final String TENANTS =
      """
      domain: drill
      regions:
        eu-west: {weight: 1}
        us-east: {weight: 1}
        ap-south: {weight: 1}
      quotas:
        - name: per-tenant
          match: [{key: tenant}]
          limit: 50/s
          burst: 100
          maxCost: 2
      """;

  private DrillQuotas() {}

  private static String shared(String limit) {
    return """
        domain: drill
        regions:
          eu-west: {weight: 1}
          us-east: {weight: 1}
          ap-south: {weight: 1}
        quotas:
          - name: shared
            match: [{key: api, value: public}]
            limit: %s
            burst: 1000
            maxCost: 10
        """
        .formatted(limit);
  }
}
