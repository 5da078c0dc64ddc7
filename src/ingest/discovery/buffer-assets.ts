import type { Chain } from "../../chains/chain.ts";
import type { ScannedBlock } from "../../decode/blocks/scan-block.ts";
import { BUFFER_FAMILIES, bufferCalls, readBufferAssets } from "../../decode/discovery/buffer-assets.ts";
import type { BufferAssets } from "../../decode/families/buffers.ts";
import { hexText, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Source } from "../../sources/source.ts";
import type { Engine } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";

/**
 * Returns the underlying token of each buffer that these blocks use and that is not known yet. Returns none
 * if no endpoint can make calls.
 */
export async function discoverBufferAssets(
  scanned: readonly ScannedBlock[],
  known: BufferAssets,
  chain: Chain,
  call: Source["call"],
): Promise<Map<Hex, Hex | null>> {
  const calls = bufferCalls(scanned, known, chain);
  const results = calls.size === 0 ? null : await call([...calls.values()]);
  return results === null ? new Map() : readBufferAssets(calls, results);
}

/**
 * Returns whether a stored chain has trades in underlying tokens of buffers, which cannot be derived again
 * without an endpoint.
 */
export async function hasBufferTrades(engine: Pick<Engine, "query">, chain: string): Promise<boolean> {
  const families = sql`family IN (${join(BUFFER_FAMILIES.map(text))})`;
  const pools = sql`SELECT pool_address, token_addresses FROM ${engineTable(chain, "pool_metadata")} WHERE ${families}`;
  const isOther = (token: Sql) => sql`position(pools.token_addresses, ${hexText(token)}) = 0`;
  const found = await engine.query(sql`SELECT 1 AS found FROM ${engineTable(chain, "dex_trades")} AS trades
    INNER JOIN (${pools}) AS pools ON pools.pool_address = trades.pool_address
    WHERE ${isOther(sql`trades.token_address`)} OR ${isOther(sql`trades.quote_address`)} LIMIT 1`);
  return found.length > 0;
}
