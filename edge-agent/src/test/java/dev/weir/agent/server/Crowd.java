package dev.weir.agent.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** So many connections that ask at one and the same moment. */
final class Crowd implements AutoCloseable {
  private final List<Socket> sockets = new ArrayList<>();
  private final ExecutorService threads;

  Crowd(int connections, int port) throws IOException {
    threads = Executors.newFixedThreadPool(connections);
    for (int i = 0; i < connections; i++) {
      sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
    }
  }

  /** Sends so many requests on each connection, all at once, and returns every status. */
  List<Integer> ask(int each, String path) throws Exception {
    CyclicBarrier together = new CyclicBarrier(sockets.size());
    byte[] requests =
        ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").repeat(each).getBytes(US_ASCII);
    List<Callable<List<Integer>>> askers = new ArrayList<>();
    for (Socket socket : sockets) {
      askers.add(
          () -> {
            together.await();
            socket.getOutputStream().write(requests);
            return statuses(socket, each);
          });
    }
    List<Integer> all = new ArrayList<>();
    for (Future<List<Integer>> answered : threads.invokeAll(askers)) {
      all.addAll(answered.get());
    }
    return all;
  }

  private static List<Integer> statuses(Socket socket, int count) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    List<Integer> statuses = new ArrayList<>();
    while (statuses.size() < count) {
      statuses.add(Integer.parseInt(line(in).split(" ", -1)[1]));
      int length = 0;
      for (String field = line(in); !field.isEmpty(); field = line(in)) {
        if (field.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
          length = Integer.parseInt(field.substring(field.indexOf(':') + 1).strip());
        }
      }
      for (int i = 0; i < length; i++) {
        if (in.read() < 0) {
          throw new IOException("closed in the middle of an answer");
        }
      }
    }
    return statuses;
  }

  private static String line(BufferedReader in) throws IOException {
    String line = in.readLine();
    if (line == null) {
      throw new IOException("closed before all was answered");
    }
    return line;
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
