import type { SwapEvidence } from "../families/swap-family.ts";

/** Evidence for events whose logs are sufficient. */
export const NO_EVIDENCE: SwapEvidence = {
  transaction: {} as SwapEvidence["transaction"],
  transfers: [],
  buffers: new Map(),
};
