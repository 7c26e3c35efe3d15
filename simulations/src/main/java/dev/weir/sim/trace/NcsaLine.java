package dev.weir.sim.trace;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of an access log: {@code [HOST[:PORT]] CLIENT IDENT USER [TIME] "REQUEST" STATUS BYTES},
 * and whatever follows. Texts are empty where the line does not have them: a request that could not
 * be read has no method and no path.
 *
 * @param timeNanos since the epoch; logs know whole seconds
 * @param client name or address
 * @param user who logged in
 * @param method GET, POST and so on
 * @param path without the query, with escapes of the log undone
 * @param host the virtual host, without its port
 * @param status of the answer, three digits
 */
record NcsaLine(
    long timeNanos,
    String client,
    String user,
    String method,
    String path,
    String host,
    String status) {
  /** The names by which the texts are known: as descriptors, and to {@code --region-by column}. */
  static final List<String> NAMES = List.of("client", "user", "method", "path", "host", "status");

  private static final Pattern LOOKS = Pattern.compile("\\S+ .*\\[\\d\\d/[A-Z][a-z]{2}/\\d{4}:.*");
  private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");
  private static final int STATUS_DIGITS = 3;

  /** Tells whether a line is at least like one of a log. */
  static boolean looksLikeOne(String line) {
    return LOOKS.matcher(line).matches();
  }

  /** Reads a line. */
  static NcsaLine of(String line) throws BrokenLineException {
    int open = line.indexOf(" [");
    // An IPv6 client may stand in brackets as well; times have a slash after the day.
    while (open >= 0 && !line.startsWith("/", open + 4)) {
      open = line.indexOf(" [", open + 1);
    }
    int close = line.indexOf(']', Math.max(open, 0));
    if (open < 0 || close < 0) {
      throw new BrokenLineException("no time in brackets");
    }
    List<String> who = words(line.substring(0, open));
    if (who.size() < 3) {
      throw new BrokenLineException("expected client, identity and user before the time");
    }
    int at = hasHost(who) ? 1 : 0;
    int quote = close + 2;
    if (!line.startsWith(" \"", close + 1)) {
      throw new BrokenLineException("no request in quotes after the time");
    }
    int end = requestEnd(line, quote + 1);
    Request request = Request.of(unescaped(line.substring(quote + 1, end)));
    return new NcsaLine(
        NcsaTime.nanos(line.substring(open + 2, close)),
        withoutBrackets(who.get(at)),
        given(
            who.size() == at + 3
                ? who.get(at + 2)
                : String.join(" ", who.subList(at + 2, who.size()))),
        request.method,
        request.path,
        at == 1 ? PORT.matcher(who.get(0)).replaceFirst("") : request.host,
        given(line.substring(end + 2, end + 2 + statusLength(line, end + 2))));
  }

  /** Returns the text of one of {@link #NAMES}, empty where the line has none. */
  String text(String name) {
    return switch (name) {
      case "client" -> client;
      case "user" -> user;
      case "method" -> method;
      case "path" -> path;
      case "host" -> host;
      case "status" -> status;
      default -> "";
    };
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    for (String word : text.split(" ", -1)) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    return words;
  }

  /**
   * Tells whether a host comes before the client. The identity is a dash for as long as anybody
   * remembers, so it shows where the client is; users with a blank in their name come after it.
   */
  private static boolean hasHost(List<String> who) {
    return who.size() > 3 && !who.get(1).equals("-") && who.get(2).equals("-");
  }

  /** The closing quote is one that a status follows: old servers did not escape those within. */
  private static int requestEnd(String line, int from) throws BrokenLineException {
    for (int at = from; at < line.length(); at++) {
      char c = line.charAt(at);
      if (c == '\\') {
        at++;
      } else if (c == '"' && line.startsWith(" ", at + 1) && statusLength(line, at + 2) > 0) {
        return at;
      }
    }
    throw new BrokenLineException("no status after a request in quotes");
  }

  /** Returns the length of a status, three digits or a dash, that stands here; else 0. */
  private static int statusLength(String line, int from) {
    int end = from;
    while (end < line.length() && line.charAt(end) != ' ') {
      end++;
    }
    if (end - from == 1 && line.charAt(from) == '-') {
      return 1;
    }
    for (int at = from; at < end; at++) {
      if (line.charAt(at) < '0' || line.charAt(at) > '9') {
        return 0;
      }
    }
    return end - from == STATUS_DIGITS ? STATUS_DIGITS : 0;
  }

  private static String given(String text) {
    return text.equals("-") ? "" : text;
  }

  private static String withoutBrackets(String client) {
    return client.startsWith("[") && client.endsWith("]")
        ? client.substring(1, client.length() - 1)
        : client;
  }

  /** Undoes backslash escapes: a quote, a backslash, and xhh for a byte of UTF-8. */
  private static String unescaped(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    byte[] from = text.getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at < from.length; at++) {
      boolean escape = from[at] == '\\' && at + 1 < from.length;
      if (escape && (from[at + 1] == '"' || from[at + 1] == '\\')) {
        at++;
        bytes.write(from[at]);
      } else if (escape && from[at + 1] == 'x' && hex(from, at + 2) >= 0) {
        bytes.write(hex(from, at + 2));
        at += 3;
      } else {
        bytes.write(from[at]);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static int hex(byte[] bytes, int from) {
    if (from + 2 > bytes.length) {
      return -1;
    }
    int high = Character.digit(bytes[from], 16);
    int low = Character.digit(bytes[from + 1], 16);
    return high < 0 || low < 0 ? -1 : 16 * high + low;
  }

  /** What was asked: {@code GET /path?query HTTP/1.1}. */
  private record Request(String method, String path, String host) {
    private static final Pattern ORIGIN = Pattern.compile("(?i)https?://([^/?#]*)");
    private static final int METHOD_MAX = 31;
    private static final String VERSION = " HTTP/";
    private static final int VERSION_MAX = VERSION.length() + "1.1".length();

    static Request of(String text) {
      int blank = text.indexOf(' ');
      if (!isMethod(text, blank)) {
        return new Request("", "", "");
      }
      int version = text.lastIndexOf(VERSION);
      int end =
          version >= blank && text.length() - version <= VERSION_MAX ? version : text.length();
      String target = text.substring(blank, end).strip();
      String host = "";
      Matcher origin = ORIGIN.matcher(target);
      if (origin.lookingAt()) {
        host = PORT.matcher(origin.group(1)).replaceFirst("");
        target = target.substring(origin.end());
        target = target.startsWith("/") ? target : "/" + target;
      }
      int query = target.indexOf('?');
      return new Request(
          text.substring(0, blank), query < 0 ? target : target.substring(0, query), host);
    }

    private static boolean isMethod(String text, int length) {
      if (length < 1 || length > METHOD_MAX) {
        return false;
      }
      for (int i = 0; i < length; i++) {
        char c = text.charAt(i);
        if ((c < 'A' || c > 'Z') && (c != '-' || i == 0)) {
          return false;
        }
      }
      return true;
    }
  }
}
