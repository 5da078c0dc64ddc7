import { BaseError } from "../../../lib/error.ts";
import { checkFollowing, type Followed } from "../../../reads/served/check-following.ts";
import { type Damage, QUERY_LIMITS, type StoredChain } from "../../invariant.ts";
import type { StoreInvariant } from "./store-invariants.ts";

/** Damaged rows also break this invariant, so it is meaningful only for a store without other findings. */
export const MEMORY_INVARIANT: StoreInvariant = {
  name: "answers from memory",
  doc: "the data that a service holds in memory after following the newest commits agrees with the store (a sample is checked)",
  impact:
    "services may give wrong answers to small requests. --repair rebuilds the price summary; if the finding remains, serve with --serving-memory 0 and report it",
  find: wrongMemory,
};

/**
 * Finds differences between the store and the memory of a service that follows it: one for each part of the
 * memory.
 */
async function wrongMemory({ engine, chain, commit }: StoredChain): Promise<Damage[]> {
  const span = { first: commit.firstBlock, last: commit.blockNumber };
  try {
    const followed = await checkFollowing({ engine }, chain, QUERY_LIMITS);
    return followed === null ? [] : differences(followed).map((difference) => ({ ...span, ...difference }));
  } catch (error) {
    if (!isContradiction(error)) throw error;
    return [{ ...span, rows: 1, example: "rows that contradict each other cannot be read into memory" }];
  }
}

function differences({ start, mismatches }: Followed): Pick<Damage, "rows" | "example">[] {
  const parts = [...new Set(mismatches.map(({ part }) => part))];
  return parts.map((part) => {
    const keys = mismatches.filter((mismatch) => mismatch.part === part).map(({ key }) => key);
    const name = part.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const example = `${name}: the data in memory for ${keys[0]}, followed from block ${start.blockNumber}, differs from the store`;
    return { rows: keys.length, example };
  });
}

/**
 * Returns true for the error of a reorg during a read. No other process writes, so the error means that
 * stored rows contradict each other.
 */
function isContradiction(error: unknown): boolean {
  return error instanceof BaseError && error.code === "not-ready";
}
