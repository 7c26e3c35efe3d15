package dev.weir.coordinator.ctl;

import java.util.ArrayList;
import java.util.List;

/** Rows under headings, columns two spaces apart. */
final class Table {
  /** How wide the last column may make a line, where it is wrapped. */
  private static final int LINE_MAX = 100;

  private static final int WRAP_MIN = 30;
  private static final String GAP = "  ";

  private final List<Boolean> right = new ArrayList<>();
  private final List<List<String>> lines = new ArrayList<>();
  private boolean wraps;

  Table() {
    lines.add(new ArrayList<>());
  }

  /** Adds a column of text. */
  Table left(String heading) {
    return column(heading, false);
  }

  /** Adds a column of numbers. */
  Table right(String heading) {
    return column(heading, true);
  }

  /** Adds a last column of sentences, which are wrapped. */
  Table sentences(String heading) {
    wraps = true;
    return column(heading, false);
  }

  /** Adds a row; an empty cell is shown as a dash. */
  void row(String... cells) {
    if (cells.length != right.size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + right.size() + " columns");
    }
    List<String> line = new ArrayList<>();
    for (String cell : cells) {
      line.add(cell.isEmpty() ? "-" : printable(cell));
    }
    lines.add(line);
  }

  boolean isEmpty() {
    return lines.size() == 1;
  }

  /** Returns the table, each line ended. */
  @Override
  public String toString() {
    int[] widths = new int[right.size()];
    for (List<String> line : lines) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], width(line.get(column)));
      }
    }
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> append(text, line, widths));
    return text.toString();
  }

  /** Returns a text in which nothing moves a terminal's cursor or changes its colours. */
  static String printable(String text) {
    StringBuilder printable = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              int kind = Character.getType(c);
              boolean acts =
                  kind == Character.CONTROL
                      || kind == Character.FORMAT
                      || kind == Character.LINE_SEPARATOR
                      || kind == Character.PARAGRAPH_SEPARATOR;
              printable.appendCodePoint(acts ? (c == '\n' || c == '\t' ? ' ' : '?') : c);
            });
    return printable.toString();
  }

  private Table column(String heading, boolean numbers) {
    lines.get(0).add(heading);
    right.add(numbers);
    return this;
  }

  private void append(StringBuilder text, List<String> line, int[] widths) {
    int start = text.length();
    int last = widths.length - 1;
    for (int column = 0; column < last; column++) {
      String cell = line.get(column);
      String padding = " ".repeat(widths[column] - width(cell));
      text.append(right.get(column) ? padding + cell : cell + padding).append(GAP);
    }
    int indent = text.length() - start;
    String cell = line.get(last);
    if (wraps) {
      appendWrapped(text, cell, indent);
    } else {
      text.append(right.get(last) ? " ".repeat(widths[last] - width(cell)) + cell : cell);
    }
    text.append('\n');
  }

  private static void appendWrapped(StringBuilder text, String sentences, int indent) {
    int most = Math.max(WRAP_MIN, LINE_MAX - indent);
    int used = 0;
    for (String word : sentences.split(" ", -1)) {
      if (used > 0 && used + 1 + width(word) > most) {
        text.append('\n').append(" ".repeat(indent));
        used = 0;
      }
      text.append(used > 0 ? " " : "").append(word);
      used += width(word) + (used > 0 ? 1 : 0);
    }
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
