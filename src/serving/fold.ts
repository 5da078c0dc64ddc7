import type { Rows } from "../schema/tables.ts";
import type { Commit } from "../storage/store.ts";

/** A part of the serving state that the rows of each commit keep current. */
export interface Fold {
  /** Adds the rows of new blocks; in each table they are in chain order. */
  extend(rows: Rows, commit: Commit): void;
}
