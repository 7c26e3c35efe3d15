package dev.weir.agent.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
  private static final long START_MILLIS = 1_700_000_000_000L;

  @TempDir Path temp;

  @Test
  void theIdIsMadeOnceAndStays() throws Exception {
    String first;
    try (DataFolder folder = open()) {
      first = folder.id();
      assertThat(UUID.fromString(first)).isNotNull();
    }
    try (DataFolder folder = open()) {
      assertThat(folder.id()).isEqualTo(first);
    }
    try (DataFolder other = DataFolder.open(temp.resolve("other"))) {
      assertThat(other.id()).isNotEqualTo(first);
    }
  }

  @Test
  void aFolderIsLockedForAsLongAsItIsOpen() throws Exception {
    try (DataFolder folder = open()) {
      assertThat(folder.path()).isDirectory();
      assertThatThrownBy(this::open)
          .isInstanceOf(DataFolderException.class)
          .hasMessageContaining("in use by another process");
    }
    open().close();
  }

  @Test
  void bootNumbersOnlyGrow() throws Exception {
    try (DataFolder folder = open()) {
      assertThat(folder.nextBoot(START_MILLIS, 0)).isEqualTo(START_MILLIS);
      assertThat(folder.nextBoot(START_MILLIS, 0)).isEqualTo(START_MILLIS + 1);
    }
    try (DataFolder folder = open()) {
      // The wall clock was set back meanwhile.
      assertThat(folder.nextBoot(START_MILLIS - 5_000, 0)).isEqualTo(START_MILLIS + 2);
      assertThat(folder.nextBoot(START_MILLIS + 9_000, 0)).isEqualTo(START_MILLIS + 9_000);
    }
  }

  @Test
  void aBootStartsAboveTheNumberItWasTold() throws Exception {
    try (DataFolder folder = open()) {
      assertThat(folder.nextBoot(START_MILLIS, START_MILLIS + 77)).isEqualTo(START_MILLIS + 78);
      assertThat(folder.nextBoot(START_MILLIS, 3)).isEqualTo(START_MILLIS + 79);
    }
  }

  @Test
  void aBootNumberThatCannotGrowIsAnError() throws Exception {
    try (DataFolder folder = open()) {
      assertThatThrownBy(() -> folder.nextBoot(START_MILLIS, Long.MAX_VALUE))
          .isInstanceOf(DataFolderException.class)
          .hasMessageContaining("used up");
    }
  }

  @Test
  void theLastQuotasAreKept() throws Exception {
    try (DataFolder folder = open()) {
      assertThat(folder.loadQuotas()).isNull();
      folder.storeQuotas(bytes("first"));
      folder.storeQuotas(bytes("second"));
    }
    try (DataFolder folder = open()) {
      assertThat(folder.loadQuotas()).isEqualTo(bytes("second"));
    }
  }

  @Test
  void whatACrashLeftHalfWrittenIsNotRead() throws Exception {
    try (DataFolder folder = open()) {
      folder.storeQuotas(bytes("whole"));
      Files.writeString(folder.path().resolve("quotas.json.new"), "ha");
    }
    try (DataFolder folder = open()) {
      assertThat(folder.loadQuotas()).isEqualTo(bytes("whole"));
      folder.storeQuotas(bytes("next"));
      assertThat(folder.loadQuotas()).isEqualTo(bytes("next"));
    }
  }

  /** Starting over from zero would be a boot that the coordinator has long fenced. */
  @Test
  void aBootNumberThatCannotBeReadIsNotGuessed() throws Exception {
    open().close();
    Files.writeString(temp.resolve("agent").resolve("boot"), "twelve");
    try (DataFolder folder = open()) {
      assertThatThrownBy(() -> folder.nextBoot(START_MILLIS, 0))
          .isInstanceOf(DataFolderException.class)
          .hasMessageContaining("does not hold a boot number: \"twelve\"");
    }
  }

  @Test
  void aFileInItsPlaceIsNoFolder() throws Exception {
    Files.writeString(temp.resolve("agent"), "");
    assertThatThrownBy(this::open)
        .isInstanceOf(DataFolderException.class)
        .hasMessageContaining("agent is a file, not a folder");
  }

  private DataFolder open() throws DataFolderException {
    return DataFolder.open(temp.resolve("agent"));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
