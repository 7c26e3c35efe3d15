package dev.weir.coordinator;

/** Wires and starts, nothing else. */
public final class CoordinatorMain {
  private CoordinatorMain() {}

  /**
   * Starts the process.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    System.out.println("weir coordinator");
  }
}
