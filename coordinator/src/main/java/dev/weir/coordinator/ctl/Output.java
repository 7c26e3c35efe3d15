package dev.weir.coordinator.ctl;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How answers are written. */
enum Output {
  /** For people. */
  TABLE,
  /** For programs: as the coordinator said it. */
  JSON;

  static final class Reader implements ITypeConverter<Output> {
    @Override
    public Output convert(String text) {
      return switch (text) {
        case "table" -> TABLE;
        case "json" -> JSON;
        default -> throw new TypeConversionException("\"" + text + "\" is neither table nor json");
      };
    }
  }
}
