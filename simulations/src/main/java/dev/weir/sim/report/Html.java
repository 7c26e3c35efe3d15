package dev.weir.sim.report;

/** Text made safe for a page. */
final class Html {
  private Html() {}

  static String text(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
