package dev.weir.config;

/**
 * Where something stands in what was read.
 *
 * @param file as the reader was told, or what else the text came from
 * @param line from 1; 0 where there is no line, as in a variable of the environment
 * @param column from 1; 0 where there is no line
 */
public record Place(String file, int line, int column) {
  /** Returns the place of something that is all of its source. */
  public static Place of(String file) {
    return new Place(file, 0, 0);
  }

  @Override
  public String toString() {
    return line == 0 ? file : file + ":" + line + ":" + column;
  }
}
