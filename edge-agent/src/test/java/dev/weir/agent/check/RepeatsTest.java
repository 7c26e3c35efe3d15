package dev.weir.agent.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.agent.Decision;
import dev.weir.agent.Reason;
import dev.weir.agent.check.Repeats.Asked;
import dev.weir.agent.check.Repeats.Held;
import dev.weir.agent.check.Repeats.OtherQuestionException;
import dev.weir.core.quota.Descriptors;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RepeatsTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final Decision ALLOWED = new Decision(true, Reason.OK, 0, List.of());
  private static final Decision REFUSED = new Decision(false, Reason.EXHAUSTED, 5, List.of());
  private static final Asked ACME = new Asked("shop", Descriptors.of("tenant", "acme"), 2);

  private final ManualTicker clock = ManualTicker.startingAnywhere(new Random(11));
  private final Repeats repeats = new Repeats(clock, 60 * SECOND_NANOS, 3);
  private int charged;

  private Decision ask(String key, Asked asked, Decision answer) throws OtherQuestionException {
    return repeats
        .decide(
            repeats.hold(key, asked),
            () -> {
              charged++;
              return CompletableFuture.completedFuture(answer);
            })
        .join();
  }

  @Test
  void aRepeatIsToldTheFirstVerdictAndCostsNothing() throws Exception {
    assertThat(ask("k", ACME, ALLOWED)).isSameAs(ALLOWED);
    Decision later = new Decision(true, Reason.SHADOW, 0, List.of());
    assertThat(ask("k", ACME, later)).isSameAs(ALLOWED);
    assertThat(charged).isEqualTo(1);
    assertThat(ask("other", ACME, later)).isSameAs(later);
    assertThat(charged).isEqualTo(2);
  }

  @Test
  void aKeyIsForgottenAfterAMinute() throws Exception {
    ask("k", ACME, ALLOWED);
    clock.advance(60 * SECOND_NANOS - 1);
    ask("k", ACME, ALLOWED);
    assertThat(charged).isEqualTo(1);
    clock.advance(1);
    ask("k", ACME, ALLOWED);
    assertThat(charged).isEqualTo(2);
    assertThat(repeats.size()).isEqualTo(1);
  }

  @Test
  void whatIsOverIsSweptWhenOthersCome() throws Exception {
    ask("a", ACME, ALLOWED);
    ask("b", ACME, ALLOWED);
    clock.advance(61 * SECOND_NANOS);
    ask("c", ACME, ALLOWED);
    assertThat(repeats.size()).isEqualTo(1);
  }

  @Test
  void beyondTheMostTheOldestAreForgotten() throws Exception {
    for (String key : List.of("a", "b", "c", "d")) {
      ask(key, ACME, ALLOWED);
    }
    assertThat(repeats.size()).isEqualTo(3);
    ask("d", ACME, ALLOWED);
    assertThat(charged).as("still known").isEqualTo(4);
    ask("a", ACME, ALLOWED);
    assertThat(charged).as("forgotten").isEqualTo(5);
  }

  @Test
  void refusalsAndLooksCostNothingAndAreAskedAnew() throws Exception {
    assertThat(ask("k", ACME, REFUSED)).isSameAs(REFUSED);
    assertThat(ask("k", ACME, ALLOWED)).isSameAs(ALLOWED);
    Asked look = new Asked("shop", ACME.descriptors(), 0);
    ask("look", look, ALLOWED);
    assertThat(ask("look", look, REFUSED)).isSameAs(REFUSED);
    assertThat(repeats.size()).isEqualTo(1);
  }

  @Test
  void aKeyStandsForOneQuestion() throws Exception {
    ask("k", ACME, ALLOWED);
    for (Asked other :
        List.of(
            new Asked("other", ACME.descriptors(), 2),
            new Asked("shop", Descriptors.of("tenant", "other"), 2),
            new Asked("shop", ACME.descriptors(), 3))) {
      assertThatThrownBy(() -> repeats.hold("k", other))
          .isInstanceOf(OtherQuestionException.class)
          .hasMessageContaining("\"k\"");
    }
  }

  @Test
  void aRepeatThatComesTooSoonWaitsForTheFirst() throws Exception {
    CompletableFuture<Decision> undecided = new CompletableFuture<>();
    CompletableFuture<Decision> first = repeats.decide(repeats.hold("k", ACME), () -> undecided);
    CompletableFuture<Decision> repeat =
        repeats.decide(
            repeats.hold("k", ACME),
            () -> {
              throw new AssertionError("asked twice");
            });
    assertThat(repeat).isNotDone();
    undecided.complete(REFUSED);
    assertThat(first.join()).isSameAs(REFUSED);
    assertThat(repeat.join()).isSameAs(REFUSED);
  }

  @Test
  void aFaultIsNotRemembered() throws Exception {
    CompletableFuture<Decision> failed =
        repeats.decide(
            repeats.hold("k", ACME),
            () -> {
              throw new IllegalStateException("no quotas");
            });
    assertThatThrownBy(failed::join)
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("no quotas");
    assertThat(ask("k", ACME, ALLOWED)).isSameAs(ALLOWED);
  }

  @Test
  void whoeverWaitsForAKeyThatIsGivenBackAsksItself() throws Exception {
    Held first = repeats.hold("k", ACME);
    CompletableFuture<Decision> repeat =
        repeats.decide(repeats.hold("k", ACME), () -> CompletableFuture.completedFuture(ALLOWED));
    assertThat(repeat).isNotDone();
    repeats.release(first);
    assertThat(repeat.join()).isSameAs(ALLOWED);
    assertThat(ask("k", ACME, REFUSED)).isSameAs(ALLOWED);
  }

  /** Many threads, few keys, each asked many times: every key is charged exactly once. */
  @Seeds(tries = 20)
  void atOnceFromManyThreadsEachKeyIsChargedOnce(Random random) throws Exception {
    int threads = 4;
    int keys = 50;
    Repeats shared = new Repeats(System::nanoTime);
    AtomicInteger[] charges = new AtomicInteger[keys];
    for (int key = 0; key < keys; key++) {
      charges[key] = new AtomicInteger();
    }
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Integer>> done = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        long seed = random.nextLong();
        done.add(
            pool.submit(
                () -> {
                  Random mine = new Random(seed);
                  int allowed = 0;
                  start.await(10, TimeUnit.SECONDS);
                  for (int i = 0; i < 500; i++) {
                    int key = mine.nextInt(keys);
                    Held held = shared.hold("key" + key, ACME);
                    if (mine.nextInt(50) == 0) {
                      shared.release(held);
                    } else {
                      Decision decision =
                          shared
                              .decide(
                                  held,
                                  () -> {
                                    charges[key].incrementAndGet();
                                    return CompletableFuture.completedFuture(ALLOWED);
                                  })
                              .get(10, TimeUnit.SECONDS);
                      allowed += decision.allowed() ? 1 : 0;
                    }
                  }
                  return allowed;
                }));
      }
      for (Future<Integer> each : done) {
        assertThat(each.get(20, TimeUnit.SECONDS)).isGreaterThan(400);
      }
      for (AtomicInteger charge : charges) {
        assertThat(charge.get()).isEqualTo(1);
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
