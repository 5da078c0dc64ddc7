import { topRecords } from "./calls/top-records.ts";
import type { AsOf } from "./connection/as-of.ts";
import type { Connection } from "./connection/connection.ts";
import { QuarryError } from "./connection/quarry-error.ts";
import type { CallOptions } from "./connection/request.ts";

interface CanonicalBlocksOptions extends CallOptions {
  chain: string | undefined;
  blocks: readonly AsOf[];
}

/**
 * Returns the given blocks that are still on the chain. A block's hash determines all blocks below it.
 * Therefore blocks that are canonical at the same time belong to one history, whatever happened in between.
 *
 * Reads the blocks without SQL, because the caller's key may have only the scope `data`.
 */
export async function canonicalBlocks(
  connection: Connection,
  { chain, blocks, ...options }: CanonicalBlocksOptions,
): Promise<AsOf[]> {
  const eq = [...new Set(blocks.map(({ block }) => block))];
  const body = { groupby: "block_number", eq, ...(chain === undefined ? {} : { chain }) } as const;
  const { groups } = await topRecords(connection, { table: "blocks", body, ...options });
  return blocks.filter(({ block, hash }) => groups[block]?.[0]?.block_hash === hash);
}

/**
 * Returns the error for data that a reorg may have changed while it was read.
 *
 * @param what completes "The chain was reorganized while"
 */
export function chainChanged(what: string): QuarryError {
  return new QuarryError("chain-changed", `The chain was reorganized while ${what}: start again.`);
}
