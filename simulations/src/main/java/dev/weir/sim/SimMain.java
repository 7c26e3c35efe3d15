package dev.weir.sim;

/** Wires and starts, nothing else. */
public final class SimMain {
  private SimMain() {}

  /**
   * Starts the process.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    System.out.println("weir sim");
  }
}
