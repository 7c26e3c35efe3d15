package dev.weir.agent.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditFileTest {
  @TempDir Path temp;

  @Test
  void aLineSaysWhenWhichBucketAndHowMuch() throws Exception {
    Path path = temp.resolve("new folder").resolve("audit.csv");
    try (AuditFile audit = AuditFile.open(path)) {
      audit.admitted(-5, "shop/api", "tenant=acme,user=7", 1_000_000);
      audit.admitted(7, "shop/all", "", 250_000);
    }
    assertThat(Files.readAllLines(path))
        .containsExactly("-5,shop/api,tenant=acme,user=7,1000000", "7,shop/all,,250000");
  }

  /** More lines than there is room for: the threads wait, and none is lost. */
  @Test
  void noLineIsLost() throws Exception {
    Path path = temp.resolve("audit.csv");
    int threads = 4;
    int each = 50_000;
    try (AuditFile audit = AuditFile.open(path)) {
      List<Thread> running = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int thread = t;
        running.add(
            new Thread(
                () ->
                    IntStream.range(0, each)
                        .forEach(i -> audit.admitted(i, "d/q", "" + thread, i))));
      }
      running.forEach(Thread::start);
      for (Thread thread : running) {
        thread.join();
      }
    }
    List<String> lines = Files.readAllLines(path);
    assertThat(lines).hasSize(threads * each).doesNotHaveDuplicates();
  }

  @Test
  void aLineAfterTheEndDoesNotHang() throws Exception {
    AuditFile audit = AuditFile.open(temp.resolve("audit.csv"));
    audit.close();
    audit.admitted(1, "d/q", "", 1);
    audit.close();
    assertThat(temp.resolve("audit.csv")).isEmptyFile();
  }

  @Test
  void aFolderIsNoFile() {
    assertThatThrownBy(() -> AuditFile.open(temp)).isInstanceOf(IOException.class);
  }
}
