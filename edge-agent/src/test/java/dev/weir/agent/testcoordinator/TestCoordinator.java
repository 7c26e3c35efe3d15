package dev.weir.agent.testcoordinator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.core.Rules;
import dev.weir.core.lease.Admission;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.FloorBook;
import dev.weir.core.lease.HolderId;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.lease.Ledger;
import dev.weir.core.lease.LedgerStep;
import dev.weir.core.lease.LedgerTerms;
import dev.weir.core.lease.Loss;
import dev.weir.core.lease.Mark;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaBook;
import dev.weir.protocol.Parsed;
import dev.weir.protocol.Wire;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/**
 * A coordinator on loopback, made of the core's desk and ledgers and nothing else: no disk, no
 * grid. It can be stopped and started again on the same port, with what it knew or without.
 */
public final class TestCoordinator implements AutoCloseable {
  private final String cluster;
  private final QuotaBook book;
  private final List<SyncRequest> requests = new ArrayList<>();
  private final Map<BucketId, Ledger> ledgers = new HashMap<>();
  private Desk desk;
  private HttpServer server;
  private ExecutorService threads;
  private final int port;
  private long authority = 1;
  private long offers;
  private UnaryOperator<SyncAnswer> twist = answer -> answer;

  /** A coordinator that never granted anything, and answers. */
  public TestCoordinator(String cluster, QuotaBook book) throws IOException {
    this.cluster = cluster;
    this.book = book;
    this.desk = desk(Desk.Start.FIRST, FloorBook.EMPTY);
    this.threads = Executors.newCachedThreadPool();
    this.server = listen(0);
    this.port = server.getAddress().getPort();
  }

  /** Where it is. */
  public String address() {
    return "http://127.0.0.1:" + port;
  }

  /** Stops answering: connections are refused. */
  public synchronized void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** Answers again, knowing what it knew. */
  public synchronized void startAgain() throws IOException {
    threads = Executors.newCachedThreadPool();
    server = listen(port);
  }

  /** Every request so far. */
  public synchronized List<SyncRequest> requests() {
    // The last one may overtake the one before: an agent that leaves does not wait for an answer.
    return requests.stream()
        .sorted(Comparator.comparingLong(SyncRequest::boot).thenComparingLong(SyncRequest::seq))
        .toList();
  }

  /** Changes every answer from now on. */
  public synchronized void twist(UnaryOperator<SyncAnswer> change) {
    twist = change;
  }

  /** Drains a region, or ends that. */
  public synchronized void drain(String region, boolean on) {
    desk.drain(region, on, System.nanoTime());
  }

  /** What all holders of a bucket count for, in micro-tokens of burst. */
  public synchronized long accountedBurstMicros(BucketId bucket) {
    Ledger ledger = ledgers.get(bucket);
    return ledger == null ? 0 : ledger.accountedAt(System.nanoTime()).burstMicros();
  }

  @Override
  public void close() {
    stop();
  }

  private Desk desk(Desk.Start start, FloorBook stored) {
    long nowNanos = System.nanoTime();
    Desk made =
        new Desk(
            start,
            authority,
            stored,
            Map.of(),
            Loss.NONE,
            LeaseTiming.DEFAULT,
            Rules.ALL,
            nowNanos);
    made.adopt(book, Map.of(), nowNanos);
    return made;
  }

  private HttpServer listen(int at) throws IOException {
    HttpServer made =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), 0);
    made.setExecutor(threads);
    made.createContext("/v1/sync", this::sync);
    made.start();
    return made;
  }

  private void sync(HttpExchange exchange) throws IOException {
    Parsed<SyncRequest> request = Wire.request(exchange.getRequestBody().readAllBytes());
    byte[] answer =
        request instanceof Parsed.Message<SyncRequest> good
            ? Wire.encode(answer(good.value()))
            : request.toString().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(request instanceof Parsed.Message<?> ? 200 : 400, answer.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(answer);
    }
  }

  private synchronized SyncAnswer answer(SyncRequest request) {
    requests.add(request);
    long nowNanos = System.nanoTime();
    Admission admission = desk.admit(request, nowNanos);
    HolderId who = new HolderId(request.region(), request.boot());
    List<BucketOffer> answered = new ArrayList<>();
    for (BucketReport report : request.buckets()) {
      LedgerTerms terms = desk.terms(report.bucket().quota());
      if (terms != null) {
        Ledger ledger = ledger(report.bucket(), terms, nowNanos);
        boolean last = request.leaving() || admission.status() != SyncAnswer.Status.OK;
        take(
            report.bucket(),
            last
                ? ledger.lastWord(report, who, request.seq(), terms, nowNanos, Rules.ALL)
                : ledger.on(report, who, request.seq(), terms, ++offers, nowNanos, Rules.ALL),
            answered);
      }
    }
    for (BucketId bucket : admission.recalls()) {
      LedgerTerms terms = desk.terms(bucket.quota());
      if (terms != null) {
        take(
            bucket,
            ledger(bucket, terms, nowNanos)
                .recall(bucket, who, request.seq(), terms, ++offers, nowNanos, Rules.ALL),
            answered);
      }
    }
    return twist.apply(
        new SyncAnswer(
            cluster,
            request.boot(),
            request.seq(),
            admission.status(),
            admission.detail(),
            admission.newestBoot(),
            request.generation() == book.generation() ? null : book,
            admission.floor(),
            admission.drained(),
            answered));
  }

  private Ledger ledger(BucketId bucket, LedgerTerms terms, long nowNanos) {
    return ledgers.computeIfAbsent(
        bucket,
        id ->
            Ledger.open(
                terms,
                desk.authority(id.quota()),
                desk.untouched(id.quota(), nowNanos),
                new Mark(0, 0),
                nowNanos));
  }

  private void take(BucketId bucket, LedgerStep step, List<BucketOffer> answered) {
    ledgers.put(bucket, step.next());
    if (step.offer() != null) {
      answered.add(step.offer());
    }
    step.recalls().forEach(holder -> desk.recall(holder, bucket));
  }
}
