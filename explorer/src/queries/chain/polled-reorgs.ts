import type { ChainStatus } from "@quarry/sdk";
import { quarry } from "../service/client.ts";
import { sqlText, table } from "../service/sql.ts";
import { REORGS } from "./reorgs.ts";
import { STREAMED_CHAINS } from "./status.ts";

/** The newest block of a chain. */
interface Tip {
  block: number;
  hash: string;
}

type HashAt = (block: number) => Promise<string | null>;

/**
 * Detects reorgs of a chain that neither reports rollbacks nor streams its blocks, by polling its newest
 * block. A reorg between two polls goes unnoticed if it replaces only blocks that no poll reported, but no
 * page has shown such blocks.
 */
export class PolledReorgs {
  #seen: Tip | null = null;

  /**
   * Returns whether the newest block of the previous poll was removed or replaced.
   *
   * @param hashAt reads the hash of an indexed block; null if there is none
   */
  async isReorg(newest: Tip, hashAt: HashAt): Promise<boolean> {
    const seen = this.#seen;
    if (seen === null || newest.block < seen.block) {
      this.#seen = newest;
      return seen !== null;
    }
    const hash = newest.block === seen.block ? newest.hash : await hashAt(seen.block);
    this.#seen = newest;
    return hash !== seen.hash;
  }
}

const CHAINS = new Map<string, PolledReorgs>();

/**
 * Counts the reorgs that the polled status of chains shows, except for chains whose rollbacks or streams
 * report them.
 */
export async function notePolledReorgs(chains: readonly ChainStatus[]): Promise<void> {
  await Promise.all(chains.filter(isSilent).map(noteTip));
}

function isSilent({ chain, rollbacks }: ChainStatus): boolean {
  return rollbacks === null && !STREAMED_CHAINS.has(chain);
}

async function noteTip({ chain, indexed_block: block, indexed_block_hash: hash }: ChainStatus) {
  if (block === null || hash === null) return;
  const known = CHAINS.get(chain) ?? new PolledReorgs();
  CHAINS.set(chain, known);
  // After a failed request, the next poll compares again.
  const isReorg = await known
    .isReorg({ block, hash }, (number) => readHash(chain, number))
    .catch(() => false);
  if (isReorg) REORGS.add(chain);
}

async function readHash(chain: string, block: number): Promise<string | null> {
  const { sql } =
    sqlText`SELECT block_hash FROM ${table(chain, "blocks")} WHERE block_number = ${block} LIMIT 1`;
  const { rows } = await quarry.sql<{ block_hash: string }>(sql);
  return rows[0]?.block_hash ?? null;
}
