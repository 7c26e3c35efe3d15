package dev.weir.coordinator.ctl;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Takes what was not given as an option from the environment: {@code --dry-run} as WEIR_DRY_RUN.
 */
final class EnvironmentDefaults implements IDefaultValueProvider {
  private final Map<String, String> environment;

  EnvironmentDefaults(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || option.usageHelp() || option.versionHelp()) {
      return null;
    }
    String value = environment.get(variable(option.longestName()));
    return value == null || value.isEmpty() ? null : value;
  }

  private static String variable(String option) {
    return "WEIR_" + option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
