import { identifier, sql } from "../../engine-sql/sql-text.ts";
import { removeBlocks } from "../../storage/rows/row-removal.ts";
import type { Commit } from "../../storage/store.ts";
import { invalidateSummary } from "../../storage/summaries/price-summary.ts";
import { type CheckProgress, checkChain } from "../check/check-chain.ts";
import { blocksIn, type Finding, mergeSpans } from "../finding.ts";
import type { BlockSpan } from "../invariant.ts";
import { workTables } from "../invariants/store/store-invariants.ts";
import { planRepair, type RepairOptions, repair } from "./repair-blocks.ts";

export interface RepairChainOptions extends RepairOptions {
  onCheckProgress?: (progress: CheckProgress) => void;
}

/** What was done about findings, and what is left of them. */
export interface RepairResult {
  /** Blocks that were fetched anew and replaced. */
  replaced: number;
  /** Blocks that were taken back, for the indexer to fetch again; null: none. */
  rolledBack: BlockSpan | null;
  findings: Finding[];
}

/** The first round mends what is damaged, the second what was not a consequence of that; the third is for both. */
const MAX_ROUNDS = 3;

/** Mends what can be mended, and looks at the same blocks again. */
export async function repairChain(
  found: readonly Finding[],
  options: RepairChainOptions,
): Promise<RepairResult> {
  const treatment: RepairResult = { replaced: 0, rolledBack: null, findings: [...found] };
  await clearStore(options);
  const current = { ...options };
  for (let round = 0; round < MAX_ROUNDS && treatment.findings.length > 0; round++) {
    const commit = await current.store.committed();
    if (commit === null) break;
    const plan = planRepair(treatment.findings, commit);
    current.store = await repair(plan, current);
    treatment.replaced += blocksIn(plan.spans);
    if (plan.rollbackFrom !== null)
      treatment.rolledBack = { first: plan.rollbackFrom, last: commit.blockNumber };
    treatment.findings = await checkAgain(treatment.findings, current);
    if (plan.spans.length === 0 && plan.rollbackFrom === null) break;
  }
  return treatment;
}

/**
 * Removes what lies in no committed block, which opening the store has done for what lies above them, and the
 * summary of prices, which is made anew from the trades.
 */
async function clearStore({ engine, chain, store }: RepairChainOptions): Promise<void> {
  await invalidateSummary(engine, chain.name);
  const commit = await store.committed();
  if (commit !== null && commit.firstBlock > 0) {
    await removeBlocks(engine, chain.name, { first: 0, last: commit.firstBlock - 1 });
  }
  for (const table of workTables(chain.name)) {
    await engine.execute(sql`DROP TABLE IF EXISTS ${identifier(table)} SYNC`);
  }
}

async function checkAgain(found: readonly Finding[], options: RepairChainOptions): Promise<Finding[]> {
  const { engine, chain, store, signal, onCheckProgress } = options;
  const commit = await store.committed();
  if (commit === null) return [];
  return checkChain({
    engine,
    chain,
    commit,
    spans: spansOf(found, commit),
    signal,
    ...(onCheckProgress === undefined ? {} : { onProgress: onCheckProgress }),
  });
}

/** The blocks of findings and their neighbours, as far as they are still stored. */
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
