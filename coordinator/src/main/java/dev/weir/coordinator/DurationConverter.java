package dev.weir.coordinator;

import dev.weir.core.math.Nanos;
import dev.weir.core.quota.LeaseTerms;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code 30s} or {@code 5m} as a time to live in nanoseconds. */
final class DurationConverter implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,6})(s|m)");

  @Override
  public Long convert(String text) {
    Matcher form = FORM.matcher(text);
    if (form.matches()) {
      long unit = form.group(2).equals("m") ? 60 * Nanos.SECOND_NANOS : Nanos.SECOND_NANOS;
      long nanos = Long.parseLong(form.group(1)) * unit;
      if (nanos >= LeaseTerms.TTL_NANOS_MIN && nanos <= LeaseTerms.TTL_NANOS_MAX) {
        return nanos;
      }
    }
    throw new TypeConversionException(
        "\"" + text + "\" is not a time to live from 1s to 5m, such as 30s");
  }
}
