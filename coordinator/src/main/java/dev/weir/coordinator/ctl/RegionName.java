package dev.weir.coordinator.ctl;

import dev.weir.core.quota.Names;

/** Regions as they are typed. */
final class RegionName {
  private RegionName() {}

  /** Returns the path of a region. */
  static String path(String region) throws CtlException {
    if (!Names.isName(region)) {
      throw CtlException.wrongUsage(
          "no region can have this name, weir ctl regions lists them: \"" + region + "\"");
    }
    return "/v1/regions/" + region;
  }
}
