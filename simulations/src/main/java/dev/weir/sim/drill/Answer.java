package dev.weir.sim.drill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An HTTP answer that was recorded, to be given again.
 *
 * @param headers without the length, which the server adds
 */
record Answer(int status, Map<String, String> headers, String body) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static Answer of(HttpResponse<String> response) {
    Map<String, String> headers = new LinkedHashMap<>();
    response
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!name.equalsIgnoreCase("content-length")) {
                headers.put(name, String.join(", ", values));
              }
            });
    return new Answer(response.statusCode(), headers, response.body());
  }

  void write(Path file) throws IOException {
    ObjectNode json = JSON.createObjectNode();
    json.put("status", status).put("body", body);
    ObjectNode fields = json.putObject("headers");
    headers.forEach(fields::put);
    Files.write(file, JSON.writeValueAsBytes(json));
  }

  static Answer read(Path file) throws IOException {
    JsonNode json = JSON.readTree(file.toFile());
    Map<String, String> headers = new LinkedHashMap<>();
    Iterator<Map.Entry<String, JsonNode>> fields = json.path("headers").fields();
    while (fields.hasNext()) {
      Map.Entry<String, JsonNode> field = fields.next();
      headers.put(field.getKey(), field.getValue().asText());
    }
    return new Answer(json.path("status").asInt(), headers, json.path("body").asText());
  }
}
