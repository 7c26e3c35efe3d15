package dev.weir.coordinator.ctl;

/** What a coordinator answers that has the shop's quotas. */
final class Shop {
  private Shop() {}

  static StubCoordinator answersOn(StubCoordinator stub) {
    return stub.on("GET /v1/domains", DOMAINS)
        .on("GET /v1/domains/shop/quotas", QUOTAS)
        .on("GET /v1/domains/shop/quotas/public-api", PUBLIC_API)
        .on("GET /v1/domains/shop/quotas/public-api-total", TOTAL)
        .on("GET /v1/domains/shop/quotas/public-api/bound", BOUND)
        .on("GET /v1/domains/shop/quotas/public-api/leases", LEASES)
        .on("GET /v1/domains/shop/quotas/public-api/leases?key=tenant%3Dacme", ONE_BUCKET)
        .on("GET /v1/regions", REGIONS)
        .on("GET /v1/agents", AGENTS)
        .on("POST /v1/regions/eu-west/drain", "{\"region\":\"eu-west\",\"drained\":true}")
        .on("POST /v1/regions/eu-west/undrain", "{\"region\":\"eu-west\",\"drained\":false}")
        .on("POST /v1/regions/us-east/release-floor", "{\"region\":\"us-east\",\"released\":true}");
  }

  static final String DOMAINS =
      """
      {"generation": 7, "domains": [{"domain": "shop", "regions":
        {"eu-west": {"weight": 2}, "us-east": {"weight": 1}}}]}
      """;

  static final String QUOTAS =
      """
      {"domain": "shop", "generation": 7, "regions": {"eu-west": {"weight": 2}}, "quotas": [
        {"name": "payouts", "generation": 3, "source": "API", "quota":
          {"name": "payouts", "match": [{"key": "account"}], "limit": {"tokens": 10, "per": "90s"},
           "burst": 10, "maxCost": 10, "enforcement": "strict", "mode": "enforce",
           "algorithm": "token-bucket", "onStoreLoss": "deny"}},
        {"name": "public-api", "generation": 7, "source": "quotas/shop.yaml:15:5", "quota":
          {"name": "public-api", "match": [{"key": "api", "value": "public"}, {"key": "tenant"}],
           "limit": "6000/min", "burst": 500, "maxCost": 25, "enforcement": "leased",
           "mode": "enforce", "lease": {"ttl": "10s", "floor": "10%", "lend": true},
           "onLeaseExpiry": "floor", "onFloorExpiry": "deny", "onLostLedger": "known"}},
        {"name": "public-api-total", "generation": 7, "source": "quotas/shop.yaml:22:5", "quota":
          {"name": "public-api-total", "match": [{"key": "api", "value": "public"}],
           "limit": "2000/s", "burst": 2000, "maxCost": 100, "enforcement": "leased",
           "mode": "shadow", "lease": {"ttl": "10s", "floor": "10%", "lend": true}}},
        {"name": "retired", "generation": 7, "source": "quotas/shop.yaml:30:5", "quota":
          {"name": "retired", "match": [{"key": "api", "value": "public"}], "limit": "1/s",
           "burst": 1, "maxCost": 1, "enforcement": "leased", "mode": "off"}}]}
      """;

  static final String PUBLIC_API =
      "{\"match\": [{\"key\": \"api\", \"value\": \"public\"}, {\"key\": \"tenant\"}]}";

  static final String TOTAL = "{\"match\": [{\"key\": \"api\", \"value\": \"public\"}]}";

  static final String BOUND =
      """
      {"domain": "shop", "quota": "public-api", "rate": 100, "burst": 500, "drift": 5.0E-4,
       "bounded": false, "formula": "...", "terms": [
        {"cause": "coordinator-unreachable", "tokensOnce": 0, "tokensPerSecond": 0,
         "bounded": true, "note": "Agents go on with their leases until these expire."},
        {"cause": "floor-expired", "tokensOnce": 0, "tokensPerSecond": 0,
         "bounded": false, "note": "A region that is cut off for more than 24 h admits everything."},
        {"cause": "machine-suspended", "tokensOnce": 515, "tokensPerSecond": 0, "bounded": true,
         "note": "Once each time a machine wakes that slept past its leases: B + R for the 150 ms in which it may not have noticed."}]}
      """;

  static final String LEASES =
      """
      {"domain": "shop", "quota": "public-api", "tokensPerSecond": 100, "burst": 500,
       "slow": false, "ledgers": 3, "complete": true,
       "agents": [
        {"region": "eu-west", "boot": 3,
         "held": {"tokensPerSecond": 133.3333, "burst": 700}, "demand": 812.123456},
        {"region": "us-east", "boot": 12,
         "held": {"tokensPerSecond": 20, "burst": 150}, "demand": 19.5}],
       "buckets": [
        {"key": "tenant=acme", "leased": {"tokensPerSecond": 90, "burst": 450},
         "pool": {"tokensPerSecond": 0, "burst": 0, "level": 0}, "holders": 2},
        {"key": "tenant=b%2Cc", "leased": {"tokensPerSecond": 63.3333, "burst": 400},
         "pool": {"tokensPerSecond": 26.666667, "burst": 50, "level": 12.345678}, "holders": 1}]}
      """;

  static final String ONE_BUCKET =
      """
      {"domain": "shop", "quota": "public-api", "tokensPerSecond": 100, "burst": 500,
       "slow": false, "key": "tenant=acme", "ledgers": 1,
       "pool": {"tokensPerSecond": 10, "burst": 50, "level": 50},
       "floors": {"tokensPerSecond": 10, "burst": 50},
       "leased": {"tokensPerSecond": 80, "burst": 400}, "learning": false,
       "agents": [
        {"region": "eu-west", "boot": 3, "held": {"tokensPerSecond": 60, "burst": 300},
         "expiresInMs": 6412, "level": 12.345678, "demand": 81.25,
         "floor": {"tokensPerSecond": 6.666666, "burst": 33.333333}, "heardMsAgo": 90,
         "offered": {"tokensPerSecond": 65, "burst": 325, "tokens": 5, "expiresInMs": 9900}},
        {"region": "us-east", "boot": 12, "held": {"tokensPerSecond": 20, "burst": 100},
         "expiresInMs": 3000, "level": 100, "demand": 0.000116,
         "floor": {"tokensPerSecond": 3.333333, "burst": 25}, "heardMsAgo": 64000,
         "offered": {"tokensPerSecond": 20, "burst": 100, "tokens": 0, "expiresInMs": 3000}},
        {"region": "ap-south", "boot": 1, "held": {"tokensPerSecond": 0, "burst": 0},
         "expiresInMs": 0, "level": 1, "demand": 0,
         "floor": {"tokensPerSecond": 3.333333, "burst": 25}, "heardMsAgo": 70}]}
      """;

  static final String REGIONS =
      """
      {"regions": [
        {"region": "ap-south", "weights": {"shop": 1}, "drained": false,
         "floor": {"held": false}, "agents": []},
        {"region": "eu-west", "weights": {"shop": 2, "bank": 1}, "drained": true,
         "floor": {"held": true, "boot": 3, "newestBoot": 3, "version": 2}, "agents": [
          {"region": "eu-west", "boot": 3, "state": "alive", "status": "ok", "heardMsAgo": 90}]},
        {"region": "us-east", "weights": {"shop": 1}, "drained": false,
         "floor": {"held": true, "boot": 11, "newestBoot": 12, "version": 2}, "agents": [
          {"region": "us-east", "boot": 12, "state": "lost", "status": "fenced",
           "heardMsAgo": 64000}]}]}
      """;

  static final String AGENTS =
      """
      {"generation": 7, "agents": [
        {"region": "eu-west", "boot": 3, "state": "alive", "status": "ok",
         "address": "127.0.0.1:50312", "heardMsAgo": 90, "seq": 812, "generation": 7,
         "floor": true, "floorVersion": 2, "buckets": 12},
        {"region": "us-east", "boot": 12, "state": "lost", "status": "fenced",
         "address": "127.0.0.1:50990", "heardMsAgo": 64000, "seq": 4, "generation": 6,
         "floor": false, "floorVersion": 0, "buckets": 0}]}
      """;
}
