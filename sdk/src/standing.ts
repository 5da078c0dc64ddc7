import { sql } from "./calls/sql.ts";
import type { AsOf } from "./connection/as-of.ts";
import type { Connection } from "./connection/connection.ts";
import { QuarryError } from "./connection/quarry-error.ts";
import type { CallOptions } from "./connection/request.ts";

/** The chain that questions are about unless they say otherwise. */
const DEFAULT_CHAIN = "eth";

interface Question extends CallOptions {
  chain: string | undefined;
  blocks: readonly AsOf[];
}

/**
 * Which of the blocks are on the chain still. A block's hash names all blocks below it: two that stand at one time are of one
 * history, whatever the chain was between.
 */
export async function standing(
  connection: Connection,
  { chain = DEFAULT_CHAIN, blocks, ...options }: Question,
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
