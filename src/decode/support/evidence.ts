import type { SwapEvidence } from "../families/swap-family.ts";

/** Evidence for events that are decoded from their logs alone. */
export const NO_EVIDENCE: SwapEvidence = {
  transaction: {} as SwapEvidence["transaction"],
  transfers: [],
  buffers: new Map(),
};
