import { hexBytes, integer, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { TradePrice } from "../../schema/trade-price.ts";
import { outdated, type Snapshot } from "../snapshot/snapshot.ts";
import { readNewestTraded } from "./prices-in-force.ts";

export interface BlockPricesQuery {
  block: number;
  hash: Hex;
  tokens: readonly Hex[];
  priceType: TradePrice;
}

/**
 * Reads the price of each token's last priced trade up to a block, USD per token; tokens without a price are
 * left out. Does not use the price summary, which may extend beyond the block.
 *
 * @throws ReorganizedDuringRead if the block is not on the chain as of the snapshot
 */
export async function readPricesAtBlock(
  snapshot: Snapshot,
  { block, hash, tokens, priceType }: BlockPricesQuery,
): Promise<Map<Hex, number>> {
  const { commit, table, query } = snapshot;
  const [found] = await query<{ timestamp: number }>(
    sql`SELECT toUnixTimestamp(timestamp) AS timestamp FROM ${table("blocks")} WHERE block_number = ${integer(block)}
      AND block_number <= ${integer(commit.blockNumber)} AND block_hash = ${hexBytes(hash)} LIMIT 1`,
  );
  if (found === undefined) throw outdated(snapshot);
  const upToBlock = { ...snapshot, commit: { ...commit, blockNumber: block } };
  return readNewestTraded(upToBlock, tokens, priceType, found.timestamp);
}
