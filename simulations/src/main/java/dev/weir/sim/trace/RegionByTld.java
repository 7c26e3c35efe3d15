package dev.weir.sim.trace;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Regions by the last part of a client's resolved name, as logs have it that look names up: {@code
 * proxy.example.fr} is in Europe. Rough by nature: a name says where it is registered.
 */
final class RegionByTld extends RegionBy {
  private static final String FORM = "write tld, or tld:europe=REGION,asia=REGION,...";

  private final Map<Continent, String> regions = new EnumMap<>(Continent.class);

  private RegionByTld() {
    for (Continent continent : Continent.values()) {
      regions.put(continent, continent.usualRegion());
    }
  }

  /** Reads {@code europe=eu-west,asia=ap-south}, perhaps empty; what is not named is as usual. */
  static RegionByTld of(String text) {
    RegionByTld result = new RegionByTld();
    if (text.isEmpty()) {
      return result;
    }
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String region = part.substring(equals + 1).strip();
      if (equals < 0 || region.isEmpty()) {
        throw new IllegalArgumentException(
            "\"" + part + "\" does not say the region of a continent; " + FORM);
      }
      result.regions.put(continent(part.substring(0, equals).strip()), region);
    }
    return result;
  }

  private static Continent continent(String word) {
    for (Continent continent : Continent.values()) {
      if (continent.word().equals(word)) {
        return continent;
      }
    }
    throw new IllegalArgumentException(
        "\"" + word + "\" is none of " + Continent.words() + "; " + FORM);
  }

  @Override
  String region(RowFields row) {
    String client = row.client();
    int end = client.endsWith(".") ? client.length() - 1 : client.length();
    int dot = client.lastIndexOf('.', end - 1);
    String last = dot < 0 ? "" : client.substring(dot + 1, end).toLowerCase(Locale.ROOT);
    return regions.getOrDefault(Continent.of(last), Continent.OTHER.usualRegion());
  }
}
