package dev.weir.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * How much of an iteration the thread was really running. On a shared machine the score times this
 * share is the cost in CPU time, and repeats where wall-clock figures do not.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class CpuShare {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** CPU time of the iteration. */
  public long cpuNanos;

  /** Its wall-clock time. */
  public long wallNanos;

  private long cpuStartNanos;
  private long wallStartNanos;

  /** Before each iteration. */
  @Setup(Level.Iteration)
  public void start() {
    cpuNanos = 0;
    wallNanos = 0;
    cpuStartNanos = THREADS.getCurrentThreadCpuTime();
    wallStartNanos = System.nanoTime();
  }

  /** After each iteration. */
  @TearDown(Level.Iteration)
  public void stop() {
    cpuNanos = THREADS.getCurrentThreadCpuTime() - cpuStartNanos;
    wallNanos = System.nanoTime() - wallStartNanos;
  }
}
