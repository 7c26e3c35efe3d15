package dev.weir.agent.check;

import dev.weir.agent.Decision;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.Descriptors;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was allowed under an idempotency key, for a while, so that a repeat is told the
 * same and costs nothing. What was refused cost nothing either: it is asked anew. Any thread; no
 * locks.
 */
public final class Repeats {
  /** How long a verdict is told again: 60 s. */
  public static final long KEPT_NANOS = 60 * Nanos.SECOND_NANOS;

  /** Verdicts kept at most; beyond it, the oldest are forgotten first. */
  public static final int KEPT_MAX = 100_000;

  /** Longest key, in characters. */
  static final int KEY_LENGTH_MAX = 255;

  private final LongSupplier clock;
  private final long keptNanos;
  private final int keptMax;
  private final ConcurrentMap<String, Claim> claims = new ConcurrentHashMap<>();

  /** What was allowed, in the order in which it is to be forgotten. */
  private final Queue<Claim> kept = new ConcurrentLinkedQueue<>();

  private final AtomicInteger keptCount = new AtomicInteger();

  /** What a key stands for. */
  record Asked(String domain, Descriptors descriptors, long cost) {}

  /** Remembers nothing yet. */
  public Repeats(LongSupplier clock) {
    this(clock, KEPT_NANOS, KEPT_MAX);
  }

  Repeats(LongSupplier clock, long keptNanos, int keptMax) {
    this.clock = clock;
    this.keptNanos = keptNanos;
    this.keptMax = keptMax;
  }

  /** A key that belongs to a question; whoever made it must {@link #decide} it or release it. */
  static final class Claim {
    private final String key;
    private final Asked asked;
    private final CompletableFuture<Decision> decision = new CompletableFuture<>();
    private volatile long forgottenAtNanos;

    private Claim(String key, Asked asked) {
      this.key = key;
      this.asked = asked;
    }

    private boolean isOverAt(long nowNanos) {
      return decision.isDone() && Nanos.hasReached(nowNanos, forgottenAtNanos);
    }
  }

  /**
   * A key, as somebody asks with it.
   *
   * @param first whether nobody else is deciding, or has decided, what it stands for
   */
  record Held(Claim claim, boolean first) {}

  /**
   * Takes a key for a question.
   *
   * @throws OtherQuestionException if the key stands for another one
   */
  Held hold(String key, Asked asked) throws OtherQuestionException {
    Claim mine = null;
    while (true) {
      Claim known = claims.get(key);
      if (known != null && !known.isOverAt(clock.getAsLong())) {
        if (!known.asked.equals(asked)) {
          throw new OtherQuestionException(key);
        }
        return new Held(known, false);
      }
      mine = mine == null ? new Claim(key, asked) : mine;
      boolean taken =
          known == null ? claims.putIfAbsent(key, mine) == null : claims.replace(key, known, mine);
      if (taken) {
        return new Held(mine, true);
      }
    }
  }

  /** Gives a key back that was taken and not decided. */
  void release(Held held) {
    if (held.first()) {
      forget(held.claim());
      held.claim().decision.cancel(false);
    }
  }

  /** Returns the verdict: that of whoever took the key first. */
  CompletableFuture<Decision> decide(Held held, Supplier<CompletionStage<Decision>> question) {
    Claim claim = held.claim();
    if (!held.first()) {
      return claim.decision.isDone() && !claim.decision.isCancelled()
          ? claim.decision
          : claim.decision.exceptionallyCompose(failure -> again(claim, failure, question));
    }
    try {
      CompletionStage<Decision> unused =
          question.get().whenComplete((decision, failure) -> decided(claim, decision, failure));
    } catch (RuntimeException e) {
      decided(claim, null, e);
    }
    return claim.decision;
  }

  /**
   * Whoever had the key first has given it back undecided: it is asked as if for the first time.
   */
  private CompletionStage<Decision> again(
      Claim claim, Throwable failure, Supplier<CompletionStage<Decision>> question) {
    if (!claim.decision.isCancelled()) {
      return CompletableFuture.failedFuture(failure);
    }
    try {
      return decide(hold(claim.key, claim.asked), question);
    } catch (OtherQuestionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void decided(Claim claim, @Nullable Decision decision, @Nullable Throwable failure) {
    if (decision == null) {
      forget(claim);
      claim.decision.completeExceptionally(
          failure == null ? new IllegalStateException("no verdict") : failure);
      return;
    }
    boolean costsAgain = decision.allowed() && claim.asked.cost() > 0;
    if (costsAgain) {
      claim.forgottenAtNanos = clock.getAsLong() + keptNanos;
      kept.add(claim);
      keptCount.incrementAndGet();
    } else {
      forget(claim);
    }
    claim.decision.complete(decision);
    makeRoom();
  }

  private void forget(Claim claim) {
    claims.remove(claim.key, claim);
  }

  private void makeRoom() {
    long nowNanos = clock.getAsLong();
    for (Claim oldest = kept.peek(); oldest != null; oldest = kept.peek()) {
      boolean mayGo =
          keptCount.get() > keptMax || Nanos.hasReached(nowNanos, oldest.forgottenAtNanos);
      if (!mayGo) {
        return;
      }
      // Another thread may be at it, too.
      if (kept.remove(oldest)) {
        keptCount.decrementAndGet();
        forget(oldest);
      }
    }
  }

  /** How many verdicts are kept. */
  int size() {
    return claims.size();
  }

  /** A key was used before, for another question. */
  static final class OtherQuestionException extends Exception {
    private static final long serialVersionUID = 1;

    OtherQuestionException(String key) {
      super(
          "idempotency key \""
              + key
              + "\" was used for another domain, other descriptors or another cost: draw a new one"
              + " for each request",
          null,
          false,
          false);
    }
  }
}
