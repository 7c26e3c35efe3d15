package dev.weir.sim.scenario;

import dev.weir.core.quota.QuotaBook;
import dev.weir.sim.fleet.Chance;
import dev.weir.sim.replay.Load;
import dev.weir.sim.replay.Request;
import dev.weir.sim.replay.Subject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The requests of a scenario: an open loop, each source with dice of its own. */
final class ScenarioLoad implements Load {
  private static final double SECOND_NANOS = 1e9;

  /** A rate may change, so no further ahead than this is looked at once. */
  private static final long AHEAD_NANOS = 20_000_000;

  private final List<Move> moves;
  private final long endNanos;
  private final List<Stream> streams = new ArrayList<>();
  private Stream first;

  ScenarioLoad(
      List<Source> sources,
      List<Move> moves,
      QuotaBook book,
      String domain,
      long endNanos,
      long seed) {
    this.moves = moves;
    this.endNanos = endNanos;
    Map<Callers, Subject[]> subjects = new HashMap<>();
    for (int i = 0; i < sources.size(); i++) {
      Source source = sources.get(i);
      Subject[] its =
          subjects.computeIfAbsent(source.callers(), callers -> new Subject[callers.count()]);
      streams.add(new Stream(source, its, book, domain, Chance.of(seed, i + 1L)));
    }
    first = Objects.requireNonNull(earliest());
  }

  @Override
  public long nextNanos() {
    return first.nextNanos;
  }

  @Override
  public Request take() {
    Request request = first.take();
    first = earliest();
    return request;
  }

  private Stream earliest() {
    Stream earliest = streams.get(0);
    for (Stream stream : streams) {
      if (stream.nextNanos < earliest.nextNanos) {
        earliest = stream;
      }
    }
    return earliest;
  }

  /** One source's requests. */
  private final class Stream {
    private final Source source;
    private final Subject[] subjects;
    private final QuotaBook book;
    private final String domain;
    private final Random random;
    private final double @Nullable [] cumulative;
    private long nextNanos;

    Stream(Source source, Subject[] subjects, QuotaBook book, String domain, Random random) {
      this.source = source;
      this.subjects = subjects;
      this.book = book;
      this.domain = domain;
      this.random = random;
      this.cumulative = cumulative(source.callers());
      advance();
    }

    private double @Nullable [] cumulative(Callers callers) {
      if (callers.count() == 1 || callers.exponent() == 0) {
        return null;
      }
      double[] sums = new double[callers.count()];
      double sum = 0;
      for (int i = 0; i < sums.length; i++) {
        sum += StrictMath.pow(i + 1.0, -callers.exponent());
        sums[i] = sum;
      }
      return sums;
    }

    /**
     * To the next request; the rate may change, but without memory asking again changes nothing.
     */
    private void advance() {
      long at = nextNanos;
      double part = source.even() ? 1 : -StrictMath.log(1 - random.nextDouble());
      while (true) {
        if (at >= endNanos) {
          nextNanos = NEVER;
          return;
        }
        double perSecond = source.shape().perSecondAt(at);
        double nanos = part * SECOND_NANOS / perSecond;
        if (perSecond > 0 && nanos <= AHEAD_NANOS) {
          nextNanos = at + Math.max(1, (long) nanos);
          if (nextNanos >= endNanos) {
            nextNanos = NEVER;
          }
          return;
        }
        part -= perSecond * AHEAD_NANOS / SECOND_NANOS;
        at += AHEAD_NANOS;
      }
    }

    Request take() {
      long at = nextNanos;
      Request request = new Request(at, region(at), subject(who()), source.costMicros());
      advance();
      return request;
    }

    private String region(long at) {
      String region = source.region();
      for (Move move : moves) {
        if (move.from().equals(region) && random.nextDouble() < move.shareAt(at)) {
          region = move.to();
        }
      }
      return region;
    }

    private int who() {
      if (subjects.length == 1) {
        return 0;
      }
      double[] sums = cumulative;
      if (sums == null) {
        return random.nextInt(subjects.length);
      }
      int found = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
      return Math.min(sums.length - 1, found < 0 ? -found - 1 : found);
    }

    private Subject subject(int number) {
      Subject known = subjects[number];
      if (known == null) {
        Callers callers = source.callers();
        known = Subject.of(book, domain, callers.name(number), callers.descriptors(number));
        subjects[number] = known;
      }
      return known;
    }
  }
}
