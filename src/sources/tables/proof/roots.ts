import type { Hex } from "../../../lib/hex.ts";
import { orderedRoot } from "../../verify/ordered-root.ts";

/** Computes the roots of a block. */
export interface Roots {
  of(receipts: readonly Uint8Array[], transactions: readonly Uint8Array[]): Promise<BlockRoots>;
  close(): Promise<void>;
}

export interface BlockRoots {
  receipts: Hex;
  transactions: Hex;
}

export function rootsHere(): Roots {
  return {
    of: async (receipts, transactions) => ({
      receipts: orderedRoot(receipts),
      transactions: orderedRoot(transactions),
    }),
    close: async () => {},
  };
}
