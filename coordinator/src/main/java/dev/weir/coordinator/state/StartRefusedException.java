package dev.weir.coordinator.state;

/** The coordinator was asked to start in a way that does not fit its data folder (S9). */
public final class StartRefusedException extends Exception {
  private static final long serialVersionUID = 1;

  /** Refused for that reason, which says what to do. */
  public StartRefusedException(String why) {
    super(why);
  }
}
