import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ethereum } from "../../../src/chains/ethereum.ts";
import { openStore } from "../../../src/cli/open-store.ts";
import { identifier, join as joinSql, type Sql, sql } from "../../../src/engine-sql/sql-text.ts";
import { tableOf } from "../../../src/schema/tables.ts";
import { registerForm } from "../../../src/storage/commits/chain-registry.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { checksums } from "../../support/engine/table-checksums.ts";
import { EXCERPT } from "../../support/nodes/bundles.ts";

/**
 * Data directory of the last version of Quarry with this format. It has blocks 17686110 to 17686112 of the
 * excerpt.
 */
const EARLIER = join(EXCERPT, "format-7/data.tar.gz");

/** The blocks of the earlier data, and the next one. */
export const BLOCKS = ["--from", "17686110", "--to", "17686113"] as const;

/** Unpacks the data directory of the earlier version into a new folder. */
export function unpackEarlierData(path: string): string {
  mkdirSync(path);
  execFileSync("tar", ["xzf", EARLIER, "-C", path]);
  return path;
}

/** Makes a new index number its rows as indexes of earlier versions, which keep their numbering, do. */
export async function beginNarrow(data: string): Promise<void> {
  const { openChain, engine, close } = await openStore({ data });
  await openChain(ethereum);
  await registerForm(engine, ethereum.name, { numbering: "narrow" });
  await close();
}

export const formatOf = (data: string) => readFileSync(join(data, "quarry-format.json"), "utf8");

/**
 * Selects the tokens that are transferred or traded. The earlier version also recorded a pool's tokens that
 * are neither.
 */
const MOVED = sql`SELECT token_address FROM eth_erc20 UNION DISTINCT SELECT token_address FROM eth_erc721
  UNION DISTINCT SELECT arrayJoin([token_address, quote_address]) FROM eth_dex_trades`;

const LEFT_OUT = ["origin", "proof", "token_count"];

/**
 * Returns the row count and hash of every table. For blocks, returns a hash of each row without its proof,
 * origin and token count. For token metadata, returns the rows of tokens that are transferred or traded.
 */
export async function rowsOf(engine: Engine): Promise<Record<string, unknown>> {
  const { blocks, token_metadata, ...others } = await checksums(engine, "eth", false);
  const names = Object.keys(tableOf("blocks").columns).filter((name) => !LEFT_OUT.includes(name));
  const hashes = await engine.query(sql`SELECT block_number,
    hex(sipHash64(formatRow('RowBinary', ${joinSql(names.map(identifier))}))) AS hash
    FROM eth_blocks ORDER BY block_number`);
  const tokens =
    await engine.query(sql`SELECT hex(token_address) AS token, token_symbol, token_name, decimals,
    first_seen_block_number FROM eth_token_metadata WHERE token_address IN (${MOVED}) ORDER BY token`);
  return { ...others, hashes, tokens };
}

/** Returns everything that defines the tables, apart from the order in which settings were set. */
export async function definitionsOf(engine: Engine): Promise<Record<string, unknown[]>> {
  const queries: Record<string, Sql> = {
    columns: sql`SELECT table, name, position, type, default_expression, compression_codec FROM system.columns`,
    indexes: sql`SELECT table, name, type_full, expr, granularity FROM system.data_skipping_indices`,
    projections: sql`SELECT table, name, sorting_key FROM system.projections`,
    settings: sql`SELECT name AS table, splitByString(' SETTINGS ', engine_full)[1] AS engine,
      arraySort(splitByString(', ', splitByString(' SETTINGS ', engine_full)[2])) AS settings FROM system.tables`,
  };
  const found: Record<string, unknown[]> = {};
  for (const [name, query] of Object.entries(queries)) {
    found[name] = await engine.query(
      sql`SELECT * FROM (${query} WHERE database = currentDatabase()) ORDER BY ALL`,
    );
  }
  return found;
}

export const proofsOf = (engine: Engine) =>
  engine.query(sql`SELECT toUInt32(block_number) AS number, proof, origin FROM eth_blocks ORDER BY number`);

export const UNRECORDED = { proof: "unrecorded", origin: "unrecorded" };

/** The proofs of all blocks of `BLOCKS` after this version has continued to index the earlier data. */
export const PROOFS_INDEXED_ON = [
  { number: 17686110, ...UNRECORDED },
  { number: 17686111, ...UNRECORDED },
  { number: 17686112, ...UNRECORDED },
  { number: 17686113, proof: "block", origin: "rpc" },
];
