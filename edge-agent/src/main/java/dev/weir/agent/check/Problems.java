package dev.weir.agent.check;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.weir.agent.Decision;
import dev.weir.agent.Reason;
import dev.weir.agent.Verdict;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Tokens;
import java.nio.charset.StandardCharsets;

/** Bodies of answers that are not 200: {@code application/problem+json} (RFC 9457). */
final class Problems {
  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";
  private static final String EXCEEDED = TYPES + "quota-exceeded";
  private static final String EXCEEDED_TITLE =
      "Request cannot be satisfied as assigned quota has been exceeded";
  private static final String REDUCED = TYPES + "temporary-reduced-capacity";
  private static final String REDUCED_TITLE =
      "Request cannot be satisfied due to temporary server capacity constraints";

  private final String region;

  Problems(String region) {
    this.region = region;
  }

  /** Returns the body of a refusal. */
  byte[] refusal(Decision decision, int status, long retryAfterSeconds) {
    boolean exceeded = isExceeded(decision.reason());
    StringBuilder json = new StringBuilder(400);
    start(json, exceeded ? EXCEEDED : REDUCED, exceeded ? EXCEEDED_TITLE : REDUCED_TITLE, status);
    json.append(",\"detail\":\"").append(detail(decision, retryAfterSeconds));
    json.append("\",\"violated-policies\":[");
    boolean first = true;
    for (Verdict verdict : decision.quotas()) {
      if (!verdict.allowed()) {
        json.append(first ? "\"" : ",\"").append(verdict.quota().id().name()).append('"');
        first = false;
      }
    }
    json.append("],\"weir-reason\":\"").append(decision.reason());
    json.append("\",\"weir-region\":\"").append(region).append("\"}\n");
    return bytes(json);
  }

  /** Returns the body of an answer that is no verdict. */
  static byte[] problem(int status, String title, String detail) {
    StringBuilder json = new StringBuilder(200);
    start(json, "about:blank", title, status);
    json.append(",\"detail\":\"").append(JsonStringEncoder.getInstance().quoteAsString(detail));
    json.append("\"}\n");
    return bytes(json);
  }

  private static void start(StringBuilder json, String type, String title, int status) {
    json.append("{\"type\":\"").append(type).append("\",\"title\":\"").append(title);
    json.append("\",\"status\":").append(status);
  }

  private static boolean isExceeded(Reason reason) {
    return switch (reason) {
      case EXHAUSTED, COST_TOO_LARGE, OVERFLOW -> true;
      default -> false;
    };
  }

  /** Names and numbers only: nothing in it needs escaping. */
  private String detail(Decision decision, long retryAfterSeconds) {
    QuotaSpec quota = null;
    for (Verdict verdict : decision.quotas()) {
      if (quota == null && !verdict.allowed()) {
        quota = verdict.quota();
      }
    }
    String name = quota == null ? "" : "Quota " + quota.id().name();
    String why =
        switch (decision.reason()) {
          case EXHAUSTED -> name + " is used up in region " + region;
          case COST_TOO_LARGE ->
              name
                  + " takes no request that costs more than "
                  + (quota == null ? "" : Tokens.text(quota.maxCostMicros()));
          case OVERFLOW ->
              name + " has more keys than this agent keeps apart; the rest share one bucket";
          case LEASE_EXPIRED -> name + " has no lease, and no coordinator answers";
          case NO_LEASE -> name + " has no lease yet in region " + region;
          case UNKNOWN_REGION ->
              "Region "
                  + region
                  + " is not configured"
                  + (quota == null ? "" : " in domain " + quota.id().domain())
                  + ": add it under `regions:` in the domain's quota file at the coordinator, or"
                  + " correct `region:` in this agent's settings";
          case STORE_LOST -> name + " is strict, and its store is not in reach";
          case LEARNING -> name + " waits for a coordinator that has just started";
          case FLOOR_LENT -> name + " has lent its floor to another region";
          case DRAINED -> "Region " + region + " is being drained";
          case FENCED -> "A newer agent of region " + region + " has taken over";
          case OK, SHADOW -> name;
        };
    return decision.retryAfterNanos() == Decision.NEVER
        ? why + "."
        : why + "; retry in " + retryAfterSeconds + " s.";
  }

  private static byte[] bytes(StringBuilder json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }
}
