package dev.weir.protocol;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The parameters of an address. One that is not known is an error and not ignored: whoever has
 * mistyped it would take what is answered for what was asked.
 */
public final class QueryText {
  private QueryText() {}

  /**
   * Returns the parameters by name, in the order they were given.
   *
   * @param uri an address as it stands in a request's first line
   * @param known the names there are; {@code "d."} stands for all that begin so
   * @throws BadTextException if one is not known, is given twice, has no value or cannot be decoded
   */
  public static Map<String, String> parameters(String uri, List<String> known)
      throws BadTextException {
    Map<String, String> parameters = new LinkedHashMap<>();
    int from = uri.indexOf('?') + 1;
    while (from > 0 && from < uri.length()) {
      int and = uri.indexOf('&', from);
      int end = and < 0 ? uri.length() : and;
      if (end > from) {
        add(parameters, uri, from, end, known);
      }
      from = end + 1;
    }
    return parameters;
  }

  private static void add(
      Map<String, String> parameters, String uri, int from, int end, List<String> known)
      throws BadTextException {
    int equals = uri.indexOf('=', from);
    boolean hasValue = equals >= 0 && equals < end;
    String name = UrlText.decode(uri, from, hasValue ? equals : end, "a parameter's name");
    if (known.stream()
        .noneMatch(its -> its.endsWith(".") ? name.startsWith(its) : name.equals(its))) {
      throw new BadTextException("unknown parameter \"" + name + "\"; " + thereAre(known));
    }
    if (!hasValue) {
      throw new BadTextException("parameter \"" + name + "\" has no value");
    }
    String value = UrlText.decode(uri, equals + 1, end, name);
    if (parameters.put(name, value) != null) {
      throw new BadTextException(name + " is given twice");
    }
  }

  private static String thereAre(List<String> known) {
    String names =
        known.stream()
            .map(name -> name.endsWith(".") ? name + "KEY=VALUE" : name)
            .collect(Collectors.joining(", "));
    return names.isEmpty()
        ? "this path has none"
        : known.size() == 1 ? "there is only " + names : "there are " + names;
  }
}
