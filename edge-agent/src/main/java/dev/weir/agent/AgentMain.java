package dev.weir.agent;

/** Wires and starts, nothing else. */
public final class AgentMain {
  private AgentMain() {}

  /**
   * Starts the process.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    System.out.println("weir agent");
  }
}
