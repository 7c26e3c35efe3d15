package dev.weir.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckedFileTest {
  @TempDir Path folder;

  @Test
  void whatWasWrittenLastIsRead() throws IOException {
    CheckedFile file = new CheckedFile(folder.resolve("a.json"));
    assertThat(file.read()).isNull();
    file.write("{\"one\": \"é\"}\n");
    file.write("{\"two\": 2}\n");
    assertThat(file.read()).isEqualTo("{\"two\": 2}\n");
    assertThat(folder).isDirectoryNotContaining(name -> name.toString().endsWith(".next"));
  }

  @Test
  void aFileCutShortOrChangedIsDamage() throws IOException {
    Path path = folder.resolve("a.json");
    CheckedFile file = new CheckedFile(path);
    file.write("{\"level\": 100}");
    byte[] whole = Files.readAllBytes(path);
    for (int i = 0; i < whole.length; i++) {
      byte[] changed = whole.clone();
      changed[i] ^= 1;
      Files.write(path, changed);
      assertThatThrownBy(file::read)
          .isInstanceOf(DamagedStateException.class)
          .hasMessageContaining("a.json is damaged");
      Files.write(path, Arrays.copyOf(whole, i));
      assertThatThrownBy(file::read).isInstanceOf(DamagedStateException.class);
    }
    Files.write(path, whole);
    assertThat(file.read()).isEqualTo("{\"level\": 100}");
  }

  @Test
  void aWriteThatWasInterruptedLeavesTheOldText() throws IOException {
    CheckedFile file = new CheckedFile(folder.resolve("a.json"));
    file.write("old");
    Files.writeString(folder.resolve("a.json.next"), "weir 1 half of the ne");
    assertThat(file.read()).isEqualTo("old");
    file.write("new");
    assertThat(file.read()).isEqualTo("new");
  }
}
