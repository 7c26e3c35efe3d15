package dev.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.coordinator.quotas.QuotaKeeper.BadQuotasException;
import dev.weir.coordinator.state.StartRefusedException;
import dev.weir.coordinator.state.StartWord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuotaWatchTest {
  @TempDir Path folder;

  @Test
  void changesAreTakenHoweverTheyComeAndBadOnesAreNot() throws Exception {
    Site site = new Site(folder);
    try (Coordinator coordinator = site.start(new StartWord.FirstStart())) {
      Http http = new Http("http://" + coordinator.http());

      Files.writeString(site.quotas("shop.yaml"), Site.QUOTAS.replace("100/s", "101/s"));
      Await.until("written", () -> limit(http).equals("101/s"));

      Files.writeString(site.quotas(".next"), Site.QUOTAS.replace("100/s", "102/s"));
      Files.move(
          site.quotas(".next"), site.quotas("shop.yaml"), StandardCopyOption.REPLACE_EXISTING);
      Await.until("renamed", () -> limit(http).equals("102/s"));

      Files.writeString(site.quotas("shop.yaml"), Site.QUOTAS.replace("limit: 100/s", "limit: x"));
      Await.until("refused", () -> http.get("/readyz").text().contains("problems"));
      JsonNode ready = http.get("/readyz").json();
      assertThat(ready.path("ready").asBoolean()).isTrue();
      assertThat(ready.path("files").path("problems").path(0).path("line").asInt()).isEqualTo(8);
      assertThat(limit(http)).as("the last good one").isEqualTo("102/s");
      assertThat(http.get("/v1/events").text()).contains("files-refused");
      assertThat(http.get("/metrics").text())
          .contains("weir_config_files_good 0.0")
          .contains("weir_config_load_total{result=\"error\"} 1.0");

      Files.writeString(
          site.quotas("shop.yaml"), Site.QUOTAS.substring(0, Site.QUOTAS.indexOf("quotas:")));
      Await.until("cut off", () -> http.get("/readyz").text().contains("nothing about quotas"));
      assertThat(limit(http)).isEqualTo("102/s");

      Files.delete(site.quotas("shop.yaml"));
      Files.createSymbolicLink(site.quotas("shop.yaml"), Path.of("absent"));
      Files.writeString(site.quotas("other.yaml"), "domain: other\nquotas: []\n");
      Await.until("dangling", () -> http.get("/readyz").text().contains("no such file"));
      assertThat(limit(http)).isEqualTo("102/s");

      Files.delete(site.quotas("other.yaml"));
      Files.delete(site.quotas("shop.yaml"));
      Await.until("all gone", () -> http.get("/readyz").text().contains("no quota file any more"));
      assertThat(limit(http)).isEqualTo("102/s");

      Files.writeString(site.quotas("shop.yaml"), Site.QUOTAS);
      Await.until("good again", () -> limit(http).equals("100/s"));
      Await.until("said to be good", () -> !http.get("/readyz").json().has("files"));
    }
  }

  @Test
  void aFolderSwappedByALinkIsReadAnew() throws Exception {
    Site site = new Site(folder);
    Files.delete(site.quotas("shop.yaml"));
    version(site, "..1", "1/s");
    Files.createSymbolicLink(site.quotas("..data"), Path.of("..1"));
    Files.createSymbolicLink(site.quotas("shop.yaml"), Path.of("..data/shop.yaml"));
    try (Coordinator coordinator = site.start(new StartWord.FirstStart())) {
      Http http = new Http("http://" + coordinator.http());
      assertThat(limit(http)).isEqualTo("1/s");
      version(site, "..2", "2/s");
      Files.createSymbolicLink(site.quotas("..data_tmp"), Path.of("..2"));
      Files.move(site.quotas("..data_tmp"), site.quotas("..data"), StandardCopyOption.ATOMIC_MOVE);
      Await.until("swapped", () -> limit(http).equals("2/s"));
    }
  }

  @Test
  void aNameStandsInFilesOrInTheApiAndNotInBoth() throws Exception {
    Site site = new Site(folder);
    try (Coordinator coordinator = site.start(new StartWord.FirstStart())) {
      Http http = new Http("http://" + coordinator.http());
      String mine = "/v1/domains/shop/quotas/mine";
      http.put(mine, "{\"match\":[{\"key\":\"u\"}],\"limit\":\"5/s\"}");
      Files.writeString(
          site.quotas("shop.yaml"),
          Site.QUOTAS + "  - {name: mine, match: [{key: u}], limit: 7/s}\n");
      Await.until("refused", () -> http.get("/readyz").text().contains("shop/mine"));
      assertThat(http.get(mine).json().path("limit").asText()).isEqualTo("5/s");
      assertThat(http.delete(mine).status()).isEqualTo(200);
      Await.until("the file's", () -> http.get(mine).text().contains("7/s"));
    }
  }

  @Test
  void filesThatWereNeverGoodStopTheStart() throws Exception {
    Site site = new Site(folder);
    Files.writeString(site.quotas("shop.yaml"), "domain: shop\nquotas: [{name: a");
    assertThatThrownBy(() -> site.start(new StartWord.FirstStart()))
        .isInstanceOf(BadQuotasException.class)
        .hasMessageContaining("shop.yaml:2");
  }

  /** As a folder that is mounted too late, or one too high in the tree. */
  @Test
  void aFolderWithoutAnyFileStopsTheFirstStartAndSaysNothingOfGoodOnes() throws Exception {
    Site site = new Site(folder);
    Files.delete(site.quotas("shop.yaml"));
    assertThatThrownBy(() -> site.start(new StartWord.FirstStart()))
        .isInstanceOf(BadQuotasException.class)
        .hasMessageContaining("has no quota file; write one, or leave `quotas:` out");
    assertThat(site.data("cluster.json")).doesNotExist();
    Files.writeString(site.quotas("shop.yaml"), "domain: shop\nregions: {eu: {}}\nquotas: []\n");
    try (CoordinatorProcess process = CoordinatorProcess.start(site, "--first-start")) {
      assertThat(process.ready().get("/v1/domains/shop/quotas").status()).isEqualTo(200);
    }
  }

  @Test
  void aFirstStartThatFailsDoesNotSpeakOfGoodFilesOfBefore() throws Exception {
    Site site = new Site(folder);
    Files.writeString(site.quotas("shop.yaml"), "domain: shop\n");
    try (CoordinatorProcess process = CoordinatorProcess.start(site, "--first-start")) {
      assertThat(process.exitCode()).isEqualTo(1);
      assertThat(process.errors())
          .contains("there are none from before")
          .doesNotContain("last good ones");
    }
  }

  @Test
  void aStartThatFailsOnQuotaFilesDoesNotUseUpTheWord() throws Exception {
    Site site = new Site(folder);
    StartWord word = new StartWord.FirstStart();
    Files.writeString(site.quotas("shop.yaml"), "domain: shop\n");
    assertThatThrownBy(() -> site.start(word)).isInstanceOf(BadQuotasException.class);
    Files.delete(site.quotas("shop.yaml"));
    Files.delete(site.quotas(""));
    assertThatThrownBy(() -> site.start(word))
        .isInstanceOf(BadQuotasException.class)
        .hasMessageContaining("no such file");
    assertThat(site.data("cluster.json")).doesNotExist();
    assertThatThrownBy(() -> site.start(new StartWord.None()))
        .isInstanceOf(StartRefusedException.class);
    Files.createDirectory(site.quotas(""));
    Files.writeString(site.quotas("shop.yaml"), Site.QUOTAS);
    try (Coordinator coordinator = site.start(word)) {
      assertThat(limit(new Http("http://" + coordinator.http()))).isEqualTo("100/s");
    }
    assertThat(site.data("cluster.json")).exists();
    assertThatThrownBy(() -> site.start(word)).isInstanceOf(StartRefusedException.class);
  }

  @Test
  void aClusterWithoutQuotaFilesBeginsAsWell() throws Exception {
    Site site = new Site(folder);
    Files.writeString(
        site.settings(), Files.readString(site.settings()).replace("quotas: quotas/\n", ""));
    site.start(new StartWord.FirstStart()).close();
    try (Coordinator again = site.start(new StartWord.None())) {
      assertThat(again.cluster()).isNotEmpty();
    }
  }

  private static void version(Site site, String name, String limit) throws Exception {
    Files.createDirectory(site.quotas(name));
    Files.writeString(site.quotas(name).resolve("shop.yaml"), Site.QUOTAS.replace("100/s", limit));
  }

  private static String limit(Http http) throws Exception {
    return http.get("/v1/domains/shop/quotas/public-api").json().path("limit").asText();
  }
}
