import { identifier, sql } from "../../engine-sql/sql-text.ts";
import { removeBlocks } from "../../storage/rows/row-removal.ts";
import type { Commit } from "../../storage/store.ts";
import { invalidateSummary } from "../../storage/summaries/price-summary.ts";
import { type CheckProgress, checkChain } from "../check/check-chain.ts";
import { rederive } from "../check/deep-check.ts";
import { blocksIn, type Finding, mergeSpans } from "../finding.ts";
import type { BlockSpan } from "../invariant.ts";
import { workTables } from "../invariants/store/store-invariants.ts";
import { type RepairBlocksOptions, repairBlocks } from "./repair-blocks.ts";
import { planRepair, type RepairPlan } from "./repair-plan.ts";
import { type RollbackCopyOptions, rollbackCopy } from "./rollback-chain.ts";

export interface RepairChainOptions extends RepairBlocksOptions, RollbackCopyOptions {
  /** Whether repaired blocks are also fetched and derived once more, as the check that found them did. */
  deep?: boolean;
  onCheckProgress?: (progress: CheckProgress) => void;
}

export interface RepairResult {
  /** Number of blocks that were fetched again and replaced. */
  replaced: number;
  /** Blocks that were rolled back, for the indexer to fetch again; null if there are none. */
  rolledBack: BlockSpan | null;
  /** Findings that remain. */
  findings: Finding[];
}

/**
 * Maximum number of rounds. The first round repairs direct damage, and the second repairs the rest. The third
 * is a reserve.
 */
const MAX_ROUNDS = 3;

/** Repairs what can be repaired, and checks the same blocks again. */
export async function repairChain(
  found: readonly Finding[],
  options: RepairChainOptions,
): Promise<RepairResult> {
  const result: RepairResult = { replaced: 0, rolledBack: null, findings: [...found] };
  await removeLeftovers(options);
  const current = { ...options };
  for (let round = 0; round < MAX_ROUNDS && result.findings.length > 0; round++) {
    const commit = await current.store.committed();
    if (commit === null) break;
    const plan = planRepair(result.findings, commit);
    const from = firstChanged(plan);
    // The copy's blocks were made from the stored rows, so they may have the same damage.
    if (from !== null) await rollbackCopy(from, options);
    current.store = await repairBlocks(plan, current);
    result.replaced += blocksIn(plan.spans);
    // A later round rolls back blocks below those of an earlier one.
    const last = result.rolledBack?.last ?? commit.blockNumber;
    if (plan.rollbackFrom !== null) result.rolledBack = { first: plan.rollbackFrom, last };
    result.findings = await checkAgain(result.findings, current);
    if (plan.spans.length === 0 && plan.rollbackFrom === null) break;
  }
  return result;
}

/** Returns the first block that a repair changes; null if it changes none. */
function firstChanged({ spans, rollbackFrom }: RepairPlan): number | null {
  const firsts = [...spans.map(({ first }) => first), ...(rollbackFrom === null ? [] : [rollbackFrom])];
  return firsts.length === 0 ? null : Math.min(...firsts);
}

/**
 * Removes rows below the committed blocks (the store removes those above), tables of interrupted writes, and
 * the price summary, which is rebuilt from the trades.
 */
function removeLeftovers({ chain, store }: RepairChainOptions): Promise<void> {
  return store.maintain(async (engine, commit) => {
    await invalidateSummary(engine, chain.name);
    if (commit !== null && commit.firstBlock > 0) {
      await removeBlocks(engine, chain.name, { first: 0, last: commit.firstBlock - 1 });
    }
    for (const table of workTables(chain.name)) {
      await engine.execute(sql`DROP TABLE IF EXISTS ${identifier(table)} SYNC`);
    }
  });
}

async function checkAgain(found: readonly Finding[], options: RepairChainOptions): Promise<Finding[]> {
  const { onProgress: _, onCheckProgress, deep, ...context } = options;
  const commit = await context.store.committed();
  if (commit === null) return [];
  const spans = spansOf(found, commit);
  const progress = onCheckProgress === undefined ? {} : { onProgress: onCheckProgress };
  const remaining = await checkChain({ ...context, ...progress, commit, spans });
  if (deep !== true) return remaining;
  for (const span of spans) remaining.push(...(await rederive({ ...context, commit, span })));
  return remaining;
}

/** Returns the blocks of findings and their neighbours, limited to blocks that are still stored. */
function spansOf(found: readonly Finding[], { firstBlock, blockNumber }: Commit): BlockSpan[] {
  const spans = found
    .filter(({ remedy }) => remedy !== "store")
    .flatMap((finding) => finding.spans)
    .map(({ first, last }) => ({
      first: Math.max(first - 1, firstBlock),
      last: Math.min(last + 1, blockNumber),
    }));
  return mergeSpans(spans.filter(({ first, last }) => first <= last));
}
