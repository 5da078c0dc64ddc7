import { integer, sql } from "../../engine-sql/sql-text.ts";
import { type BlockProofs, MAX_PROOF_RANGES, type ProofRange } from "../../serving/counts/block-proofs.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Reads the proofs of blocks: the newest ranges of blocks with the same proof and origin, lowest blocks
 * first.
 */
export async function readBlockProofs({ commit, query, table }: Snapshot): Promise<BlockProofs> {
  const blocks = sql`SELECT block_number, proof, origin,
      lagInFrame(concat(proof, ' ', origin)) OVER (ORDER BY block_number ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
        AS before
    FROM ${table("blocks")} WHERE block_number <= ${integer(commit.blockNumber)}`;
  const starts = await query<
    Omit<ProofRange, "lastBlock">
  >(sql`SELECT block_number AS firstBlock, proof, origin
    FROM (${blocks}) WHERE before != concat(proof, ' ', origin)
    ORDER BY block_number DESC LIMIT ${integer(MAX_PROOF_RANGES)}`);
  return starts.toReversed().map((start, i, ordered) => ({
    ...start,
    lastBlock: (ordered[i + 1]?.firstBlock ?? commit.blockNumber + 1) - 1,
  }));
}
