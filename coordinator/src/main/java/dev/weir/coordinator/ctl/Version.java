package dev.weir.coordinator.ctl;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of the jar, as Maven wrote it there. */
final class Version implements IVersionProvider {
  private static final String PROPERTIES =
      "/META-INF/maven/dev.weir/weir-coordinator/pom.properties";

  @Override
  public String[] getVersion() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream(PROPERTIES)) {
      if (in != null) {
        properties.load(in);
      }
    }
    return new String[] {"weir " + properties.getProperty("version", "(not packaged)")};
  }
}
