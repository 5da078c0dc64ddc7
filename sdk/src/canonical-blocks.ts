import { sql } from "./calls/sql.ts";
import type { AsOf } from "./connection/as-of.ts";
import type { Connection } from "./connection/connection.ts";
import { QuarryError } from "./connection/quarry-error.ts";
import type { CallOptions } from "./connection/request.ts";

/** Default chain of all requests. */
const DEFAULT_CHAIN = "eth";

interface CanonicalBlocksOptions extends CallOptions {
  chain: string | undefined;
  blocks: readonly AsOf[];
}

/**
 * Returns the blocks that are still on the chain. A block's hash determines all blocks below it. Therefore
 * blocks that are canonical at the same time belong to one history, whatever happened in between.
 */
export async function canonicalBlocks(
  connection: Connection,
  { chain = DEFAULT_CHAIN, blocks, ...options }: CanonicalBlocksOptions,
): Promise<AsOf[]> {
  const table = `"${chain.trim().replaceAll('"', '""')}_blocks"`;
  const numbers = [...new Set(blocks.map(({ block }) => block))].join(", ");
  const { rows } = await sql<{ block_number: number; block_hash: string }>(
    connection,
    `SELECT block_number, block_hash FROM ${table} WHERE block_number IN (${numbers})`,
    options,
  );
  const hashes = new Map(rows.map((row) => [row.block_number, row.block_hash]));
  return blocks.filter(({ block, hash }) => hashes.get(block) === hash);
}

export function chainChanged(what: string): QuarryError {
  return new QuarryError("chain-changed", `The chain was reorganized while ${what}: start again.`);
}
