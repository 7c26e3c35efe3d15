package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Tells an answer from a refusal, and says of a refusal what it is and what to do. */
final class Refusal {
  private Refusal() {}

  /** Returns the body of a good answer. */
  static JsonNode orAnswer(HttpRequest request, HttpResponse<String> response) throws CtlException {
    JsonNode body = Json.read(response.body());
    int status = response.statusCode();
    // An agent has none of these paths, and says so; a coordinator names the one that was asked.
    boolean anAgents = (status == 404 || status == 405) && body != null && !body.has("instance");
    if (body == null || !body.isContainerNode() || anAgents) {
      throw notACoordinator(request, response);
    }
    if (status < 200 || status > 299) {
      throw refusal(status, body);
    }
    return body;
  }

  private static CtlException refusal(int status, JsonNode problem) {
    StringBuilder message = new StringBuilder(summary(status, problem));
    for (JsonNode line : problem.path("problems")) {
      message.append("\n  ").append(Problem.line(line));
    }
    return status == 502 || status == 503 || status == 504
        ? CtlException.notReached(message.toString())
        : CtlException.refused(message.toString());
  }

  /** The detail says what to do; where there are problems, they are the detail. */
  private static String summary(int status, JsonNode problem) {
    String title = Json.string(problem, "title");
    String detail = Json.string(problem, "detail");
    if (problem.path("problems").isEmpty() && !detail.isEmpty()) {
      return Table.printable(detail);
    }
    return Table.printable("the coordinator answers " + status + " " + title).strip();
  }

  /** A proxy, an agent, or a coordinator of another version. */
  private static CtlException notACoordinator(HttpRequest request, HttpResponse<String> response) {
    return CtlException.notReached(
        "no coordinator of this version answers at "
            + request.uri()
            + " (HTTP "
            + response.statusCode()
            + ", "
            + response.headers().firstValue("Content-Type").orElse("no content type")
            + "). --coordinator names another; an agent's port is not a coordinator's");
  }
}
