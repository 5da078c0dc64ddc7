import { type Chain, scopeOf } from "../../chains/chain.ts";
import type { Commit } from "../../storage/store.ts";
import { type BlockSpan, checkedFrom, type Invariant } from "../invariant.ts";
import { BLOCK_INVARIANTS } from "../invariants/blocks/block-invariants.ts";
import { STORE_INVARIANTS, type StoreInvariant } from "../invariants/store/store-invariants.ts";
import type { Chunk } from "./chunks.ts";

/**
 * Returns the part of a chunk of blocks for which all rows that an invariant needs are stored; null if there
 * is none.
 */
export function checkedPart({ needs = {} }: Invariant, chunk: Chunk, chain: Chain): Chunk | null {
  const from = checkedFrom(needs, chain);
  if (from === null || from > chunk.last) return null;
  return { ...chunk, first: Math.max(chunk.first, from) };
}

/** Returns whether an invariant of the whole store can be checked. */
export function isCheckable(
  { needs = {}, needsWholeChain }: StoreInvariant,
  chain: Chain,
  commit: Commit,
): boolean {
  const from = checkedFrom(needs, chain);
  return from !== null && (needsWholeChain !== true || from <= commit.firstBlock);
}

/** An invariant that was not checked, or not for all blocks, because its rows are not stored. */
export interface NotChecked {
  invariant: string;
  reason: string;
}

/** Lists the invariants that `checkChain` skips for some of these blocks. */
export function notCheckedIn(chain: Chain, commit: Commit, { first, last }: BlockSpan): NotChecked[] {
  const { keep } = scopeOf(chain);
  const left = [...BLOCK_INVARIANTS, ...STORE_INVARIANTS];
  return left.flatMap(({ name: invariant, needs = {}, ...rest }) => {
    const from = checkedFrom(needs, chain);
    const tables = [...(needs.complete ?? []), ...(needs.counted ?? [])].join(" and ");
    if (from === null)
      return [{ invariant, reason: `it needs all rows of ${tables}; --keep ${keep} omits some` }];
    if (from <= Math.max(first, commit.firstBlock)) return [];
    const isWhole = "needsWholeChain" in rest && rest.needsWholeChain === true;
    const where = isWhole || from > last ? "" : `in blocks before ${from}: `;
    return [
      { invariant, reason: `${where}it needs all rows of ${tables}; those before block ${from} were pruned` },
    ];
  });
}
