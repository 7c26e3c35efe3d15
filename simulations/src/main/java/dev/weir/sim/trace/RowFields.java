package dev.weir.sim.trace;

import org.jspecify.annotations.Nullable;

/** What a row says about itself, for finding out its region. */
interface RowFields {
  /** Who asks: a name or an address. */
  String client();

  /** The text of a column or field, or null where the row has none of this name. */
  @Nullable String field(String name);
}
