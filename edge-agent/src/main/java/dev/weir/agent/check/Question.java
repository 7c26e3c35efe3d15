package dev.weir.agent.check;

import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.Names;
import dev.weir.protocol.BadTextException;
import dev.weir.protocol.UrlText;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * What {@code /v1/check} was asked. Of each input the first source counts: the query, then the
 * header.
 *
 * @param domain null where none was said
 * @param cost in whole tokens; what does not fit in a {@code long} is the largest
 * @param denyStatus what a refusal answers: 429 or 403
 * @param idempotencyKey tells a repeat of this question from another one like it; null without
 */
record Question(
    @Nullable String domain,
    Descriptors descriptors,
    long cost,
    int denyStatus,
    @Nullable String idempotencyKey) {
  private static final String DESCRIPTORS_HEADER = "X-RateLimit-Descriptors";
  private static final String KEY_HEADER = "X-RateLimit-Key";

  // Looked for in every request: these know their hash.
  private static final CharSequence DOMAIN = HttpHeaders.createOptimized("X-RateLimit-Domain");
  private static final CharSequence COST = HttpHeaders.createOptimized("X-RateLimit-Cost");
  private static final CharSequence IDEMPOTENCY_KEY =
      HttpHeaders.createOptimized("Idempotency-Key");

  private static final String KEY = "key";
  private static final String EXAMPLE =
      "; write " + DESCRIPTORS_HEADER + ": tenant=acme, path=\"/a;b\"";

  /**
   * Returns the question in a request.
   *
   * @param query what follows {@code ?} in the address; empty if nothing does
   */
  static Question of(String query, MultiMap headers) throws BadQuestionException {
    Reader reader = new Reader();
    reader.query(query);
    reader.headers(headers);
    return reader.question();
  }

  /** Returns a cost: a whole number, not negative. */
  static long cost(String text) throws BadQuestionException {
    if (text.isEmpty()) {
      throw new BadQuestionException("cost is empty; it is a whole number of tokens, such as 1");
    }
    long cost = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw new BadQuestionException(
            "cost must be a whole number of tokens, 0 or more: \"" + text + "\"");
      }
      cost = cost > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : cost * 10 + digit;
    }
    return cost;
  }

  /**
   * Returns the key, if it can be one; quotes around it, as a structured field has, are not its.
   */
  static String idempotencyKey(String text) throws BadQuestionException {
    boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
    String key = quoted ? text.substring(1, text.length() - 1) : text;
    if (key.isEmpty() || key.length() > Repeats.KEY_LENGTH_MAX) {
      throw new BadQuestionException(
          "an idempotency key has 1 to " + Repeats.KEY_LENGTH_MAX + " characters");
    }
    return key;
  }

  /** Returns the name, if it can be one. */
  static String domain(String text) throws BadQuestionException {
    if (!Names.isDomain(text)) {
      throw new BadQuestionException(
          "domain must match " + Names.DOMAIN_PATTERN + ": \"" + text + "\"");
    }
    return text;
  }

  /** Returns the descriptors of so many pairs, in an array key, value, key, value. */
  static Descriptors descriptors(String[] pairs, int count) throws BadQuestionException {
    try {
      return Descriptors.ofPairs(pairs, count);
    } catch (IllegalArgumentException e) {
      throw new BadQuestionException(String.valueOf(e.getMessage()));
    }
  }

  /** Collects what was said. */
  private static final class Reader {
    private final String[] pairs = new String[2 * Descriptors.PAIRS_MAX];

    private int count;
    private @Nullable String domain;
    private @Nullable String cost;
    private @Nullable String denyStatus;
    private @Nullable String idempotencyKey;

    Question question() throws BadQuestionException {
      return new Question(
          domain == null ? null : domain(domain),
          count == 0 ? Descriptors.NONE : descriptors(pairs, count),
          cost == null ? 1 : cost(cost),
          denyStatus == null ? 429 : denyStatus(denyStatus),
          idempotencyKey);
    }

    void query(String query) throws BadQuestionException {
      int from = 0;
      while (from < query.length()) {
        int end = query.indexOf('&', from);
        end = end < 0 ? query.length() : end;
        if (end > from) {
          parameter(query, from, end);
        }
        from = end + 1;
      }
    }

    private void parameter(String query, int from, int end) throws BadQuestionException {
      int equals = query.indexOf('=', from);
      boolean hasValue = equals >= 0 && equals < end;
      String name = decode(query, from, hasValue ? equals : end, "a parameter's name");
      if (!hasValue) {
        throw new BadQuestionException("parameter \"" + name + "\" has no value");
      }
      String value = decode(query, equals + 1, end, name);
      if (name.startsWith("d.")) {
        pair(name.substring(2), value);
        return;
      }
      switch (name) {
        case "domain" -> domain = once(name, domain, value);
        case "cost" -> cost = once(name, cost, value);
        case "deny_status" -> denyStatus = once(name, denyStatus, value);
        default ->
            throw new BadQuestionException(
                "unknown parameter \""
                    + name
                    + "\"; there are d.KEY=VALUE, domain, cost and deny_status");
      }
    }

    void headers(MultiMap headers) throws BadQuestionException {
      String repeated = headers.get(IDEMPOTENCY_KEY);
      if (repeated != null) {
        idempotencyKey = Question.idempotencyKey(header(repeated, "Idempotency-Key"));
      }
      if (domain == null) {
        domain = headers.get(DOMAIN);
      }
      if (cost == null) {
        cost = headers.get(COST);
      }
      if (count == 0) {
        for (String line : headers.getAll(DESCRIPTORS_HEADER)) {
          descriptorLine(header(line, DESCRIPTORS_HEADER));
        }
      }
      if (count == 0) {
        String key = headers.get(KEY_HEADER);
        if (key != null) {
          pair(KEY, header(key, KEY_HEADER));
        }
      }
    }

    /** {@code key=value, key="a value, with \"anything\""}. */
    private void descriptorLine(String line) throws BadQuestionException {
      int at = 0;
      while (at < line.length()) {
        int equals = line.indexOf('=', at);
        int comma = line.indexOf(',', at);
        if (comma >= 0 && (equals < 0 || comma < equals)) {
          blank(line.substring(at, comma));
          at = comma + 1;
          continue;
        }
        if (equals < 0) {
          blank(line.substring(at));
          return;
        }
        String key = line.substring(at, equals).strip();
        int start = equals + 1;
        while (start < line.length() && line.charAt(start) == ' ') {
          start++;
        }
        if (start < line.length() && line.charAt(start) == '"') {
          at = quoted(key, line, start + 1);
        } else {
          int end = line.indexOf(',', start);
          end = end < 0 ? line.length() : end;
          pair(key, plain(line.substring(start, end).strip()));
          at = end + 1;
        }
      }
    }

    /** Returns where the next pair begins. */
    private int quoted(String key, String line, int from) throws BadQuestionException {
      StringBuilder value = new StringBuilder();
      int at = from;
      while (at < line.length() && line.charAt(at) != '"') {
        if (line.charAt(at) == '\\' && at + 1 < line.length()) {
          at++;
        }
        value.append(line.charAt(at++));
      }
      int comma = line.indexOf(',', at);
      int end = comma < 0 ? line.length() : comma;
      if (at >= line.length() || !line.substring(at + 1, end).isBlank()) {
        throw new BadQuestionException(
            DESCRIPTORS_HEADER + ": the quoted value of \"" + key + "\" does not end");
      }
      pair(key, value.toString());
      return end + 1;
    }

    private static void blank(String text) throws BadQuestionException {
      if (!text.isBlank()) {
        throw new BadQuestionException(
            DESCRIPTORS_HEADER + ": \"" + text.strip() + "\" is not key=value" + EXAMPLE);
      }
    }

    /**
     * Returns a value that is not quoted. Pairs that another separator parts would be one pair, of
     * a value that no quota knows: a bucket of its own for each tenant and path.
     */
    private static String plain(String value) throws BadQuestionException {
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        boolean parts =
            c == ';'
                || ((c == '&' || c == '|' || c == ' ' || c == '\t') && value.indexOf('=', i) > 0);
        if (parts) {
          throw new BadQuestionException(
              DESCRIPTORS_HEADER
                  + ": commas part pairs, and \""
                  + value
                  + "\" has none; a value that does have a "
                  + (c == ';' ? "; " : "= after a blank, & or | ")
                  + "stands in quotes"
                  + EXAMPLE);
        }
      }
      return value;
    }

    private void pair(String key, String value) throws BadQuestionException {
      if (count == Descriptors.PAIRS_MAX) {
        throw new BadQuestionException(
            "a request has at most " + Descriptors.PAIRS_MAX + " descriptors");
      }
      pairs[2 * count] = key;
      pairs[2 * count + 1] = value;
      count++;
    }

    private static String decode(String query, int from, int to, String what)
        throws BadQuestionException {
      try {
        return UrlText.decode(query, from, to, what);
      } catch (BadTextException e) {
        throw new BadQuestionException(String.valueOf(e.getMessage()));
      }
    }

    private static String header(String value, String what) throws BadQuestionException {
      try {
        return UrlText.header(value, what);
      } catch (BadTextException e) {
        throw new BadQuestionException(String.valueOf(e.getMessage()));
      }
    }

    private static String once(String name, @Nullable String before, String value)
        throws BadQuestionException {
      if (before != null) {
        throw new BadQuestionException(name + " is given twice");
      }
      return value;
    }

    private static int denyStatus(String text) throws BadQuestionException {
      return switch (text) {
        case "429" -> 429;
        case "403" -> 403;
        default ->
            throw new BadQuestionException("deny_status must be 429 or 403: \"" + text + "\"");
      };
    }
  }
}
