package dev.weir.sim.drill;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * When the whole load moves, and where to. The moves are not quite evenly spaced, so that they meet
 * the agents' ticks at every phase.
 *
 * @param first the region that has the load before the first move
 */
record Moves(String first, List<Move> moves) {
  /**
   * One of them.
   *
   * @param atNanos since the load began
   */
  record Move(long atNanos, String from, String to) {}

  /** Keeps its own copy of the moves. */
  Moves {
    moves = List.copyOf(moves);
  }

  /**
   * Moves among the regions, each to another than it is in.
   *
   * @param afterNanos when the first comes
   * @param everyNanos apart from the next, at least
   * @param spreadNanos and at most this much more
   */
  static Moves plan(
      List<String> regions,
      int count,
      long afterNanos,
      long everyNanos,
      long spreadNanos,
      Random dice) {
    List<Move> moves = new ArrayList<>();
    String at = regions.get(0);
    long atNanos = afterNanos;
    for (int i = 0; i < count; i++) {
      List<String> others = new ArrayList<>(regions);
      others.remove(at);
      String to = others.get(dice.nextInt(others.size()));
      moves.add(new Move(atNanos, at, to));
      at = to;
      atNanos += everyNanos + (long) (dice.nextDouble() * spreadNanos);
    }
    return new Moves(regions.get(0), moves);
  }

  /** Where the load is at an instant. */
  String at(long atNanos) {
    String region = first;
    for (Move move : moves) {
      if (atNanos < move.atNanos()) {
        break;
      }
      region = move.to();
    }
    return region;
  }

  /** When the load goes on from where a move took it, or the end. */
  long nextAfter(int move, long endNanos) {
    return move + 1 < moves.size() ? moves.get(move + 1).atNanos() : endNanos;
  }
}
