package dev.weir.coordinator.ctl;

import dev.weir.config.ConfigProblem;
import dev.weir.config.QuotaFile;
import dev.weir.config.QuotaFolder;
import dev.weir.core.quota.DomainBook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Quota files named on a command line, read as one.
 *
 * @param files what was named, folders opened
 * @param outcome what reading them came to
 */
record QuotaTexts(List<Path> files, QuotaFile.Outcome outcome) {
  private static final Path STANDARD_INPUT = Path.of("/dev/stdin");

  QuotaTexts {
    files = List.copyOf(files);
  }

  /** A text of one domain, to be sent. */
  record Text(String name, String domain, String contentType, String text) {}

  /** Reads what was named; {@code -} is standard input. */
  static QuotaTexts read(List<Path> named) {
    List<Path> paths =
        named.stream().map(path -> path.toString().equals("-") ? STANDARD_INPUT : path).toList();
    List<Path> files = new ArrayList<>();
    List<ConfigProblem> empty = new ArrayList<>();
    for (Path path : paths) {
      List<Path> inPath = list(path);
      files.addAll(inPath);
      if (inPath.isEmpty() && Files.isDirectory(path)) {
        empty.add(
            new ConfigProblem(
                path.toString(), 0, 0, "has no file that ends in .yaml, .yml or .json", null));
      }
    }
    return new QuotaTexts(files, with(empty, QuotaFolder.read(paths)));
  }

  private static QuotaFile.Outcome with(List<ConfigProblem> more, QuotaFile.Outcome outcome) {
    if (more.isEmpty()) {
      return outcome;
    }
    List<ConfigProblem> problems = new ArrayList<>(more);
    if (outcome instanceof QuotaFile.Refused refused) {
      problems.addAll(refused.problems());
    }
    return new QuotaFile.Refused(problems, outcome.warnings());
  }

  boolean areGood() {
    return outcome instanceof QuotaFile.Accepted;
  }

  List<ConfigProblem> problems() {
    return outcome instanceof QuotaFile.Refused refused ? refused.problems() : List.of();
  }

  List<ConfigProblem> warnings() {
    return outcome.warnings();
  }

  /** Returns every problem and every warning, a line each. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    problems().forEach(problem -> lines.add(Problem.line(problem, "error")));
    warnings().forEach(warning -> lines.add(Problem.line(warning, "warning")));
    return lines;
  }

  /** Returns in a line what it came to. */
  String summary() {
    String warned = warnings().isEmpty() ? "" : ", " + count(warnings().size(), "warning");
    if (!(outcome instanceof QuotaFile.Accepted accepted)) {
      return "not good: " + count(problems().size(), "problem") + warned;
    }
    Collection<DomainBook> domains = accepted.domains().values();
    int quotas = domains.stream().mapToInt(domain -> domain.quotas().size()).sum();
    String whose =
        domains.size() == 1
            ? "domain " + domains.iterator().next().domain()
            : count(domains.size(), "domain");
    return "good: " + count(quotas, "quota") + " of " + whose + warned;
  }

  /**
   * Returns what is to be sent, one text for each domain. A single file goes as it is, so that the
   * coordinator's messages name its lines. Several are put together, since the coordinator takes a
   * file as all there is of its domain; and what was piped in cannot be read twice.
   */
  List<Text> texts() throws IOException {
    if (!(outcome instanceof QuotaFile.Accepted accepted)) {
      throw new IllegalStateException("not good: " + problems());
    }
    List<Text> texts = new ArrayList<>();
    for (DomainBook domain : accepted.domains().values()) {
      texts.add(
          files.size() == 1 && Files.isRegularFile(files.get(0))
              ? asItIs(files.get(0), domain.domain())
              : new Text(
                  domain.domain() + ".yaml",
                  domain.domain(),
                  "application/yaml",
                  QuotaFile.toYaml(domain)));
    }
    return texts;
  }

  static String count(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  private static Text asItIs(Path file, String domain) throws IOException {
    String name = file.toString();
    String type = name.endsWith(".json") ? "application/json" : "application/yaml";
    return new Text(name, domain, type, Files.readString(file));
  }

  /** What cannot be listed is a problem that reading will find. */
  private static List<Path> list(Path path) {
    try {
      return QuotaFolder.list(path);
    } catch (IOException toBeFound) {
      return List.of();
    }
  }
}
