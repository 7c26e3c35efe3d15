package dev.weir.sim.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditLogTest {
  private static final QuotaId QUOTA = new QuotaId("shop", "public-api");

  private final AuditLog log = new AuditLog();

  @Test
  void linesOfAllFilesAreMergedPerBucketAndByTime() throws IOException, AuditException {
    add("30,shop/public-api,,1000000\n50,shop/public-api,,2000000\n");
    add("40,shop/public-api,,3000000\n-5,shop/public-api,tenant=a,7\n");

    assertThat(log.buckets().keySet())
        .containsExactlyInAnyOrder(new BucketId(QUOTA, ""), new BucketId(QUOTA, "tenant=a"));
    assertThat(inOrder(new BucketId(QUOTA, "")))
        .containsExactly("30:1000000", "40:3000000", "50:2000000");
  }

  @Test
  void aClockThatWrapsIsStillInOrder() throws IOException, AuditException {
    add(Long.MIN_VALUE + 3 + ",shop/public-api,,2\n");
    add(Long.MAX_VALUE - 3 + ",shop/public-api,,1\n");
    assertThat(inOrder(new BucketId(QUOTA, "")))
        .containsExactly(Long.MAX_VALUE - 3 + ":1", Long.MIN_VALUE + 3 + ":2");
  }

  @Test
  void keysOfSeveralPairsKeepTheirCommas() throws IOException, AuditException {
    add("1,shop/public-api,a=1,b=2,9\n");
    assertThat(inOrder(new BucketId(QUOTA, "a=1,b=2"))).containsExactly("1:9");
  }

  @Test
  void aLastLineCutShortIsLeftOut() throws IOException, AuditException {
    add("1,shop/public-api,,1000000\n2,shop/public-api,,10");
    assertThat(inOrder(new BucketId(QUOTA, ""))).containsExactly("1:1000000");
  }

  @Test
  void aLineThatIsNoAdmissionIsAnErrorThatNamesIt() {
    for (String line :
        List.of(
            "",
            "1,shop/public-api,1000000",
            "x,shop/public-api,,1",
            "1,public-api,,1",
            "1,shop/Public API,,1",
            "1,shop/public-api,,-1",
            "1,shop/public-api,,1.5")) {
      assertThatThrownBy(() -> add(line + "\n"))
          .as(line)
          .isInstanceOf(AuditException.class)
          .hasMessageContaining("eu-west.csv:1: not an audit line")
          .hasMessageEndingWith(line);
    }
  }

  private void add(String text) throws IOException, AuditException {
    log.add("eu-west.csv", new StringReader(text));
  }

  private List<String> inOrder(BucketId bucket) {
    List<String> seen = new ArrayList<>();
    Admissions admissions = log.buckets().get(bucket);
    if (admissions != null) {
      admissions.forEachInOrder((at, cost) -> seen.add(at + ":" + cost));
    }
    return seen;
  }
}
