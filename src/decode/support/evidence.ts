import type { Evidence } from "../families/swap-family.ts";

/** For events that are read from their logs alone. */
export const NO_EVIDENCE: Evidence = { transaction: {} as Evidence["transaction"], transfers: [] };
