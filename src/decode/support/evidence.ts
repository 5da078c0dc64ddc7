import type { Evidence } from "../families/swap-family.ts";

/** Evidence for events whose logs are sufficient. */
export const NO_EVIDENCE: Evidence = { transaction: {} as Evidence["transaction"], transfers: [] };
