package dev.weir.coordinator;

import dev.weir.coordinator.desk.FrontDesk;
import dev.weir.coordinator.desk.Learning;
import dev.weir.coordinator.events.Event;
import dev.weir.coordinator.events.EventLog;
import dev.weir.coordinator.grid.LedgerMap;
import dev.weir.coordinator.quotas.QuotaKeeper;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is looked after now and then. Nothing that must happen at an instant is done here. */
final class Housekeeping implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
  private static final long LOOK_SECONDS = 1;
  private static final long SWEEP_SECONDS = 10;
  private static final long REFRESH_SECONDS = 30;

  private final FrontDesk desk;
  private final EventLog events;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread keeper = new Thread(task, "weir-housekeeping");
            keeper.setDaemon(true);
            return keeper;
          });
  private final List<Future<?>> tasks = new ArrayList<>();
  private boolean learning;

  Housekeeping(FrontDesk desk, QuotaKeeper keeper, LedgerMap ledgers, EventLog events) {
    this.desk = desk;
    this.events = events;
    every(LOOK_SECONDS, this::look);
    every(SWEEP_SECONDS, ledgers::sweep);
    every(REFRESH_SECONDS, () -> keeper.refresh().join());
  }

  private void look() {
    desk.lookAround();
    Learning now = desk.learning();
    if (now.quotas() > 0 && !learning) {
      learning = true;
      events.note(
          Event.Kind.LEARNING_BEGAN,
          (now.quotas() == 1 ? "1 quota only confirms" : now.quotas() + " quotas only confirm")
              + " leases for up to "
              + (now.leftNanos() / 1_000_000)
              + " ms",
          Map.of("quotas", now.quotas(), "leftMs", now.leftNanos() / 1_000_000));
    } else if (now.quotas() == 0 && learning) {
      learning = false;
      events.note(Event.Kind.LEARNING_ENDED, "every quota grants again", Map.of());
    }
  }

  private void every(long seconds, Runnable task) {
    tasks.add(
        thread.scheduleWithFixedDelay(
            () -> {
              try {
                task.run();
              } catch (RuntimeException failed) {
                LOG.error("housekeeping", failed);
              }
            },
            seconds == LOOK_SECONDS ? 0 : seconds,
            seconds,
            TimeUnit.SECONDS));
  }

  @Override
  public void close() {
    tasks.forEach(task -> task.cancel(false));
    thread.shutdown();
    try {
      if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
        LOG.warn("housekeeping did not end");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
