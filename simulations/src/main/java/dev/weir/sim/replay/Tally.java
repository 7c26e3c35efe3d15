package dev.weir.sim.replay;

/** Counts what comes of requests, of one region or of all. */
final class Tally {
  private long asked;
  private long admitted;
  private long refused;
  private long unserved;
  private long oracleAdmitted;
  private long falseRefusals;
  private long askedMicros;
  private long admittedMicros;
  private long refusedMicros;
  private long unservedMicros;
  private long oracleAdmittedMicros;
  private long falseRefusedMicros;

  void asked(Request request) {
    asked++;
    askedMicros += request.costMicros();
    if (request.oracleAdmits) {
      oracleAdmitted++;
      oracleAdmittedMicros += request.costMicros();
    }
  }

  void unserved(Request request) {
    asked++;
    unserved++;
    askedMicros += request.costMicros();
    unservedMicros += request.costMicros();
  }

  void decided(Request request, boolean admits) {
    if (admits) {
      admitted++;
      admittedMicros += request.costMicros();
      return;
    }
    refused++;
    refusedMicros += request.costMicros();
    if (request.oracleAdmits) {
      falseRefusals++;
      falseRefusedMicros += request.costMicros();
    }
  }

  Counts counts() {
    return new Counts(
        asked,
        admitted,
        refused,
        unserved,
        oracleAdmitted,
        falseRefusals,
        askedMicros,
        admittedMicros,
        refusedMicros,
        unservedMicros,
        oracleAdmittedMicros,
        falseRefusedMicros);
  }
}
