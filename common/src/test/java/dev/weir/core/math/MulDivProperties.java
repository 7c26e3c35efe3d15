package dev.weir.core.math;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Exhaustive;
import dev.weir.testkit.Seeds;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MulDivProperties {
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  /** Where carries, signs and digits change. */
  private static final List<Long> EDGES =
      List.of(
          0L,
          1L,
          2L,
          3L,
          (1L << 31) - 1,
          1L << 31,
          (1L << 32) - 1,
          1L << 32,
          (1L << 32) + 1,
          (1L << 62) - 1,
          1L << 62,
          Long.MAX_VALUE - 1,
          Long.MAX_VALUE);

  @Seeds(tries = 200)
  void agreesWithUnboundedIntegers(Random random) {
    for (int i = 0; i < 500; i++) {
      agrees(anyLong(random), anyLong(random), anyLong(random), Math.max(1, anyLong(random)));
    }
  }

  /** A quotient close to 2^63 and a divisor of two digits: where a guessed digit is corrected. */
  @Seeds(tries = 200)
  void agreesWithUnboundedIntegersWhereTheDivisionIsWide(Random random) {
    for (int i = 0; i < 500; i++) {
      long c = 1L << 62 | random.nextLong() >>> (2 + random.nextInt(30));
      agrees(random.nextLong() >>> 1, c - random.nextInt(3), random.nextLong() >>> 1, c);
      agrees(random.nextLong() >>> 1, random.nextLong() >>> 1, 0, c);
    }
  }

  @Test
  void agreesWithUnboundedIntegersOnEveryEdge() {
    Exhaustive all = new Exhaustive();
    while (all.more()) {
      long c = Math.max(1, all.of(EDGES));
      agrees(all.of(EDGES), all.of(EDGES), all.of(EDGES), c);
    }
  }

  @Seeds(tries = 200)
  void carriedRemaindersMakeManySmallStepsEqualOneLargeOne(Random random) {
    long rate = random.nextLong() >>> (2 + random.nextInt(40));
    long per = 1 + (random.nextLong() >>> (1 + random.nextInt(40)));
    int steps = 1 + random.nextInt(100);
    long carry = 0;
    BigInteger sum = BigInteger.ZERO;
    for (int step = 0; step < steps; step++) {
      MulDiv minted = MulDiv.floor(rate, 1, carry, per);
      sum = sum.add(BigInteger.valueOf(minted.quotient()));
      carry = minted.remainder();
    }
    BigInteger whole = BigInteger.valueOf(rate).multiply(BigInteger.valueOf(steps));
    assertThat(sum).isEqualTo(whole.divide(BigInteger.valueOf(per)));
    assertThat(carry).isEqualTo(whole.mod(BigInteger.valueOf(per)).longValueExact());
  }

  @Seeds
  void ceilDivAgreesWithUp(Random random) {
    long a = anyLong(random);
    long b = Math.max(1, anyLong(random));
    assertThat(MulDiv.ceilDiv(a, b)).isEqualTo(MulDiv.up(a, 1, b));
  }

  private static void agrees(long a, long b, long carry, long c) {
    BigInteger[] exact =
        BigInteger.valueOf(a)
            .multiply(BigInteger.valueOf(b))
            .add(BigInteger.valueOf(carry))
            .divideAndRemainder(BigInteger.valueOf(c));
    boolean fits = exact[0].compareTo(MAX) <= 0;
    long floor = exact[0].min(MAX).longValueExact();
    long remainder = fits ? exact[1].longValueExact() : 0;
    long ceil = exact[0].add(BigInteger.valueOf(exact[1].signum())).min(MAX).longValueExact();

    String what = "(" + a + " * " + b + " + " + carry + ") / " + c;
    assertThat(MulDiv.floor(a, b, carry, c)).as(what).isEqualTo(new MulDiv(floor, remainder));
    assertThat(MulDiv.down(a, b, carry, c)).as(what).isEqualTo(floor);
    assertThat(MulDiv.up(a, b, carry, c)).as(what + ", rounded up").isEqualTo(ceil);
  }

  /** Zero or more, as often small as large. */
  private static long anyLong(Random random) {
    return random.nextLong() >>> (1 + random.nextInt(63));
  }
}
