package dev.weir.sim.replay;

/**
 * What was asked for and what came of it: {@code asked = admitted + refused + unserved}. Each in
 * requests, and what they cost in micro-tokens.
 *
 * @param refused by the way of limiting
 * @param unserved asked where no agent ran: neither the limiter nor the oracle heard of them
 * @param oracleAdmitted what one central bucket would have admitted of the same arrivals
 * @param falseRefusals refused though the oracle admitted them
 */
public record Counts(
    long asked,
    long admitted,
    long refused,
    long unserved,
    long oracleAdmitted,
    long falseRefusals,
    long askedMicros,
    long admittedMicros,
    long refusedMicros,
    long unservedMicros,
    long oracleAdmittedMicros,
    long falseRefusedMicros) {
  /** Admitted as a part of what the oracle admitted, by tokens; 1 where that admitted nothing. */
  public double utilisation() {
    return oracleAdmittedMicros == 0 ? 1 : (double) admittedMicros / oracleAdmittedMicros;
  }

  /** Part of the requests that were wrongly refused, in {@code [0, 1]}. */
  public double falseRefusalPart() {
    long served = asked - unserved;
    return served == 0 ? 0 : (double) falseRefusals / served;
  }
}
