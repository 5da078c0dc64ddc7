import { hexText, integer, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Source } from "../../sources/source.ts";
import type { Commit, Engine } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { OtherChainBelow } from "./extended-source.ts";

/**
 * Before earlier blocks are indexed, checks that the parent of the first stored block is on the source's
 * chain. Skips the check if the first stored block is not final, because that block may still be replaced.
 *
 * @throws OtherChainBelow
 */
export async function requireLinked(
  engine: Engine,
  chain: string,
  { firstBlock: number, finalized }: Commit,
  source: Pick<Source, "blockRef" | "hasBlock">,
): Promise<void> {
  if (finalized === null || finalized < number) return;
  const parent = await source.blockRef(number - 1);
  const [stored] = await engine.query<{
    parentHash: Hex;
  }>(sql`SELECT ${hexText(sql`parent_hash`)} AS parentHash
    FROM ${engineTable(chain, "blocks")} WHERE block_number = ${integer(number)} LIMIT 1`);
  if (parent === null || stored === undefined || parent.hash === stored.parentHash) return;
  if (await source.hasBlock({ number: number - 1, hash: stored.parentHash })) return;
  throw new OtherChainBelow(parent, { number, ...stored });
}
