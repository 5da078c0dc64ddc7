import type { Chain } from "../../chains/chain.ts";
import { grouped } from "../../lib/collections/grouped.ts";
import { sumTransfers } from "../../storage/openings/transfer-sums.ts";
import type { Engine } from "../../storage/store.ts";
import { storedBlock } from "../reorg/stored-block.ts";
import { judgeReading } from "./judge-reading.ts";
import { knownOpenings, storeOpenings } from "./opening-rows.ts";
import type { PendingReading } from "./read-balances.ts";

interface JudgeContext {
  chain: Chain;
  engine: Engine;
  firstBlock: number;
  /** Unix seconds. */
  now: number;
}

/** Judges readings of final blocks, and stores the results. Drops readings of blocks that are not indexed. */
export async function storeJudgements(
  readings: readonly PendingReading[],
  context: JudgeContext,
): Promise<void> {
  for (const [block, group] of grouped(readings, ({ block }) => block)) {
    const stored = await storedBlock(context.engine, context.chain.name, block);
    const matching = group.filter(({ hash }) => hash === stored?.hash);
    await judgeBlock(block, matching, context);
  }
}

async function judgeBlock(
  block: number,
  readings: readonly PendingReading[],
  { chain, engine, firstBlock, now }: JudgeContext,
): Promise<void> {
  const from = { chain: chain.name, firstBlock };
  const holdings = readings.map(({ holding }) => holding);
  const known = await knownOpenings(engine, from, holdings);
  const requests = holdings.flatMap((holding) => {
    const base = known.get(holding)?.observed_block ?? null;
    return base === null ? [] : [{ holding, base }];
  });
  const sums = await sumTransfers(engine, chain, requests, block);
  const rows = readings
    .filter(({ holding }) => known.get(holding)?.status !== "rejected")
    .map((reading) => {
      const { holding } = reading;
      const row = known.get(holding) ?? null;
      return judgeReading(row, { reading, sums: sums.get(holding), firstBlock, now });
    });
  await storeOpenings(engine, chain.name, rows);
}
