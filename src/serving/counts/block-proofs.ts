import type { BlockOrigin, BlockProof } from "../../schema/block.ts";
import type { Rows } from "../../schema/tables.ts";
import type { Commit } from "../../storage/store.ts";
import { KeyedCache } from "../cache/keyed-cache.ts";
import type { Fold } from "../fold.ts";

/** Consecutive blocks with the same proof and origin. */
export interface ProofRange {
  firstBlock: number;
  lastBlock: number;
  proof: BlockProof;
  origin: BlockOrigin;
}

/** The newest ranges, lowest blocks first. */
export type BlockProofs = readonly ProofRange[];

/** Maximum number of ranges kept and shown. There are only a few unless sources alternate. */
export const MAX_PROOF_RANGES = 200;

/** The only key of the cache. */
export const ALL_BLOCKS = "all";

const RANGE_BYTES = 100;

/** Keeps the ranges of block proofs up to date. */
export class ProofRanges implements Fold {
  readonly cache: KeyedCache<BlockProofs>;

  constructor(maxBytes: number) {
    this.cache = new KeyedCache(maxBytes, (value) => RANGE_BYTES * (1 + (value?.length ?? 0)));
  }

  extend({ blocks = [] }: Rows, { blockNumber }: Commit): void {
    this.cache.update(ALL_BLOCKS, blockNumber, (known) => {
      const ranges = [...(known ?? [])];
      for (const { block_number: number, proof, origin } of blocks) {
        const last = ranges.at(-1);
        const range = { firstBlock: number, lastBlock: number, proof, origin } as ProofRange;
        if (last?.proof !== proof || last.origin !== origin) ranges.push(range);
        else ranges[ranges.length - 1] = { ...last, lastBlock: number };
      }
      return ranges.slice(-MAX_PROOF_RANGES);
    });
  }
}
