package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.quota.QuotaId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuotaFolderTest {
  @TempDir Path folder;

  @Test
  void theFilesOfAFolderAreReadInTheOrderOfTheirNames() throws IOException {
    Files.writeString(folder.resolve("b.yml"), quota("b"));
    Files.writeString(folder.resolve("a.yaml"), quota("a"));
    Files.writeString(folder.resolve("c.json"), "{\"domain\": \"shop\", \"quotas\": []}");
    Files.writeString(folder.resolve(".hidden.yaml"), "broken: [");
    Files.writeString(folder.resolve("notes.txt"), "broken: [");
    Files.createDirectory(folder.resolve("sub.yaml"));
    assertThat(QuotaFolder.list(folder))
        .containsExactly(
            folder.resolve("a.yaml"), folder.resolve("b.yml"), folder.resolve("c.json"));
    assertThat(QuotaFolder.read(folder))
        .isInstanceOfSatisfying(
            QuotaFile.Accepted.class,
            read ->
                assertThat(read.places())
                    .containsEntry(
                        new QuotaId("shop", "b"),
                        new Place(folder.resolve("b.yml").toString(), 1, 32)));
  }

  @Test
  void linkedFilesAreFollowedAsKubernetesMountsThem() throws IOException {
    Path data = Files.createDirectory(folder.resolve("..2026"));
    Files.writeString(data.resolve("shop.yaml"), quota("q"));
    Files.createSymbolicLink(folder.resolve("..data"), data.getFileName());
    Files.createSymbolicLink(folder.resolve("shop.yaml"), Path.of("..data", "shop.yaml"));
    assertThat(QuotaFolder.list(folder)).containsExactly(folder.resolve("shop.yaml"));
    assertThat(QuotaFolder.read(folder)).isInstanceOf(QuotaFile.Accepted.class);
  }

  @Test
  void aLinkThatLeadsNowhereIsAProblemAndNotAFileLess() throws IOException {
    Files.writeString(folder.resolve("a.yaml"), quota("a"));
    Path link = Files.createSymbolicLink(folder.resolve("b.yaml"), Path.of("absent"));
    assertThat(QuotaFolder.read(folder))
        .isInstanceOfSatisfying(
            QuotaFile.Refused.class,
            refused ->
                assertThat(refused.problems())
                    .extracting(ConfigProblem::toString)
                    .containsExactly(link + ": no such file"));
  }

  @Test
  void aSingleFileMayHaveAnyName() throws IOException {
    Path file = Files.writeString(folder.resolve("quotas.conf"), quota("q"));
    assertThat(QuotaFolder.list(file)).containsExactly(file);
    assertThat(QuotaFolder.read(file)).isInstanceOf(QuotaFile.Accepted.class);
  }

  @Test
  void anEmptyFolderHasNoQuotas() {
    assertThat(QuotaFolder.read(folder))
        .isInstanceOfSatisfying(
            QuotaFile.Accepted.class, read -> assertThat(read.domains()).isEmpty());
  }

  @Test
  void whatIsNotThereIsAProblemAndNotAnEmptyFolder() {
    Path absent = folder.resolve("absent");
    assertThat(QuotaFolder.read(absent))
        .isInstanceOfSatisfying(
            QuotaFile.Refused.class,
            refused ->
                assertThat(refused.problems())
                    .extracting(ConfigProblem::toString)
                    .containsExactly(absent + ": no such file"));
    assertThatThrownBy(() -> QuotaFolder.list(absent)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void severalPathsAreReadAsOne() throws IOException {
    Path one = Files.writeString(folder.resolve("one.yaml"), quota("q"));
    Path two = Files.writeString(folder.resolve("two.yaml"), quota("q"));
    assertThat(QuotaFolder.read(List.of(one, two)))
        .isInstanceOfSatisfying(
            QuotaFile.Refused.class,
            refused ->
                assertThat(refused.problems())
                    .extracting(ConfigProblem::toString)
                    .containsExactly(
                        two + ":1:32: quota q stands twice, first at " + one + ":1:32"));
  }

  private static String quota(String name) {
    return "{domain: shop, quotas: [{name: " + name + ", match: [], limit: 9/s}]}";
  }
}
