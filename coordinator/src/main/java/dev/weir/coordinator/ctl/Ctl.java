package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.core.quota.Names;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The options that all commands share, and what they are for. */
@Command(
    name = "weir ctl",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Asks a coordinator, or tells it.",
    sortOptions = false,
    optionListHeading = "%nOptions:%n",
    parameterListHeading = "%n",
    commandListHeading = "%nCommands:%n",
    footerHeading = "%n",
    footer = "Every option can also be set in the environment: --dry-run as WEIR_DRY_RUN=true.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:fine",
      "1:a check failed, or the coordinator refused",
      "2:wrong usage",
      "3:no coordinator was reached"
    })
class Ctl implements Runnable {
  static final String DEFAULT_URL = "http://127.0.0.1:8070";

  @Option(
      names = "--coordinator",
      scope = ScopeType.INHERIT,
      paramLabel = "URL",
      description = "Whom to ask; any member will do. Default: " + DEFAULT_URL + ".")
  private String coordinator = DEFAULT_URL;

  @Option(
      names = {"-o", "--output"},
      scope = ScopeType.INHERIT,
      paramLabel = "table|json",
      converter = Output.Reader.class,
      description = "For people or for programs. Default: table.")
  private Output output = Output.TABLE;

  @Option(
      names = "--domain",
      scope = ScopeType.INHERIT,
      paramLabel = "DOMAIN",
      description = "Of which domain, where several have quotas.")
  private @Nullable String domain;

  @Option(
      names = "--timeout",
      scope = ScopeType.INHERIT,
      paramLabel = "SECONDS",
      description = "How long to wait for an answer. Default: 10.")
  private int timeoutSeconds = 10;

  @Spec private @Nullable CommandSpec spec;

  /** Without a command there is nothing to do. */
  @Override
  public void run() {
    throw new ParameterException(spec().commandLine(), "a command is missing");
  }

  /** The coordinator that was named; nothing is sent yet. */
  CoordinatorClient coordinator() throws CtlException {
    if (timeoutSeconds < 1) {
      throw CtlException.wrongUsage("--timeout must be at least 1 second: " + timeoutSeconds);
    }
    return CoordinatorClient.of(coordinator, Duration.ofSeconds(timeoutSeconds));
  }

  /** The domain that was named, or null. */
  @Nullable String domain() throws CtlException {
    if (domain != null && !Names.isDomain(domain)) {
      throw CtlException.wrongUsage(
          "--domain must match " + Names.DOMAIN_PATTERN + ": \"" + domain + "\"");
    }
    return domain;
  }

  /** Whether people read the answer. */
  boolean isForPeople() {
    return output == Output.TABLE;
  }

  /** Writes the answer for people. */
  void print(String text) {
    PrintWriter out = spec().commandLine().getOut();
    out.print(text);
    out.flush();
  }

  /** Writes the answer for programs. */
  void print(JsonNode answer) {
    print(Json.text(answer));
  }

  /** Says something beside the answer. */
  void note(String text) {
    spec().commandLine().getErr().println(text);
  }

  /** Lets time pass. */
  void pause(Duration time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
  }

  private CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("not part of a command line");
    }
    return spec;
  }
}
