package dev.weir.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All quotas as JSON, exactly: on the wire and on disk. Every default is written out, so that what
 * is read does not depend on the version that reads it; equal books have equal texts.
 */
public final class BookJson {
  private static final int DOMAINS_MAX = 10_000;
  private static final int REGIONS_MAX = 10_000;
  private static final int QUOTAS_MAX = 100_000;

  private BookJson() {}

  /** Returns a book as text. */
  public static String encode(QuotaBook book) {
    return new String(Wire.written(json -> write(book, json)), UTF_8);
  }

  /** Returns the book that a text is. */
  public static Parsed<QuotaBook> decode(String text) {
    return Wire.parsed(
        text.getBytes(UTF_8),
        Wire.ANSWER_BYTES_MAX,
        json -> {
          json.parser().nextToken();
          QuotaBook book = read(json);
          json.end();
          return book;
        });
  }

  static void write(QuotaBook book, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("generation", book.generation());
    json.writeArrayFieldStart("domains");
    for (DomainBook domain : book.domains().values()) {
      write(domain, json);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  static QuotaBook read(JsonReader json) throws IOException {
    BookFields fields = new BookFields();
    json.object(
        name -> {
          switch (name) {
            case "generation" -> fields.generation = json.number();
            case "domains" -> fields.domains = json.array(DOMAINS_MAX, () -> domain(json));
            default -> json.skip();
          }
        });
    Map<String, DomainBook> domains = new TreeMap<>();
    for (DomainBook domain : fields.domains) {
      if (domains.put(domain.domain(), domain) != null) {
        throw new MalformedMessageException("domain named twice: " + domain.domain());
      }
    }
    return new QuotaBook(fields.generation, domains);
  }

  private static void write(DomainBook domain, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("domain", domain.domain());
    json.writeArrayFieldStart("regions");
    for (Region region : domain.regions()) {
      json.writeStartObject();
      json.writeStringField("name", region.name());
      json.writeNumberField("weight", region.weight());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("quotas");
    for (QuotaSpec quota : domain.quotas()) {
      SpecJson.write(quota, json);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static DomainBook domain(JsonReader json) throws IOException {
    DomainFields fields = new DomainFields();
    json.object(
        name -> {
          switch (name) {
            case "domain" -> fields.domain = json.text();
            case "regions" -> fields.regions = json.array(REGIONS_MAX, () -> region(json));
            case "quotas" -> fields.quotas = json.array(QUOTAS_MAX, () -> SpecJson.read(json));
            default -> json.skip();
          }
        });
    return new DomainBook(
        fields.domain,
        fields.regions,
        fields.quotas.stream().map(quota -> quota.of(fields.domain)).toList());
  }

  private static Region region(JsonReader json) throws IOException {
    RegionFields fields = new RegionFields();
    json.object(
        name -> {
          switch (name) {
            case "name" -> fields.name = json.text();
            case "weight" -> fields.weight = json.integer();
            default -> json.skip();
          }
        });
    return new Region(fields.name, fields.weight);
  }

  private static final class BookFields {
    private long generation;
    private List<DomainBook> domains = List.of();
  }

  private static final class DomainFields {
    private String domain = "";
    private List<Region> regions = List.of();
    private List<SpecJson.Unplaced> quotas = List.of();
  }

  private static final class RegionFields {
    private String name = "";
    private int weight;
  }
}
