import { type Chain, scopeOf } from "../../chains/chain.ts";
import { MAX_TIMESTAMP } from "../../engine-sql/column-types.ts";
import { integer, sql } from "../../engine-sql/sql-text.ts";
import { countedFrom } from "../../schema/scope.ts";
import type { Commit, Engine } from "../../storage/store.ts";
import { type Finding, FindingList } from "../finding.ts";
import { type BlockSpan, type Damage, type Invariant, QUERY_LIMITS } from "../invariant.ts";
import { BLOCK_INVARIANTS } from "../invariants/blocks/block-invariants.ts";
import { BLOCKWISE_TABLES, countInvariant } from "../invariants/blocks/row-counts.ts";
import { MEMORY_INVARIANT } from "../invariants/store/answers-in-memory.ts";
import { STORE_INVARIANTS, tableTotals } from "../invariants/store/store-invariants.ts";
import { type Chunk, chunksOf, exceedsLimits, halvesOf } from "./chunks.ts";
import { checkedPart, isCheckable } from "./not-checked.ts";

export interface CheckChainOptions {
  engine: Engine;
  chain: Chain;
  commit: Commit;
  /** Blocks to check; default: all. */
  spans?: readonly BlockSpan[];
  /** If false, skips the invariants that do not concern a single block. */
  wholeStore?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: CheckProgress) => void;
}

export interface CheckProgress {
  /** Number of finished queries, and of all queries. */
  done: number;
  total: number;
  /** Name of the invariant that is being checked. */
  invariant: string;
}

/** Maximum number of damaged spans that one query reports. More damage cannot be repaired block by block. */
const MAX_DAMAGE = 10_001;

/** Checks every invariant on a stored chain and returns the broken ones. Does not write. */
export async function checkChain(options: CheckChainOptions): Promise<Finding[]> {
  const { engine, chain, commit, spans = [storedBlocks(commit)], wholeStore = true } = options;
  const list = new FindingList();
  const chunks: Chunk[] = [];
  for (const span of spans) chunks.push(...(await chunksOf(engine, chain.name, span)));
  const report = progressReporter(options, chunks.length * BLOCK_INVARIANTS.length);
  for (const chunk of chunks) {
    for (const invariant of BLOCK_INVARIANTS) {
      report(invariant.name);
      const checked = checkedPart(invariant, chunk, chain);
      if (checked !== null) list.add(invariant, await findDamage(invariant, checked, options));
    }
  }
  if (wholeStore) await checkWholeStore(options, list);
  return list.findings;
}

function storedBlocks({ firstBlock, blockNumber }: Commit): BlockSpan {
  return { first: firstBlock, last: blockNumber };
}

function progressReporter({ onProgress }: CheckChainOptions, total: number): (invariant: string) => void {
  let done = 0;
  return (invariant) => onProgress?.({ done: done++, total, invariant });
}

/** Checks the invariants that do not concern a single block. */
async function checkWholeStore(options: CheckChainOptions, list: FindingList): Promise<void> {
  const { engine, chain, commit } = options;
  for (const invariant of STORE_INVARIANTS.filter((one) => isCheckable(one, chain, commit))) {
    list.add({ remedy: "store", ...invariant }, await invariant.find({ engine, chain, commit }));
  }
  for (const table of BLOCKWISE_TABLES) {
    const invariant = countInvariant(table);
    const first = countedFrom(scopeOf(chain), table);
    if (list.has(invariant.name) || first === null) continue;
    const { stated, stored } = await tableTotals(engine, { chain: chain.name, commit, table, first });
    if (stated !== stored) list.add(invariant, await findOrphans(invariant, options));
  }
  if (list.findings.length > 0) return;
  list.add({ remedy: "store", ...MEMORY_INVARIANT }, await MEMORY_INVARIANT.find({ engine, chain, commit }));
}

/** Finds extra rows whose timestamps differ from the timestamp of their block. */
async function findOrphans(invariant: Invariant, options: CheckChainOptions): Promise<Damage[]> {
  const { engine, chain, commit } = options;
  const found: Damage[] = [];
  for (const chunk of await chunksOf(engine, chain.name, storedBlocks(commit))) {
    const checked = checkedPart(invariant, { ...chunk, times: ALL_TIMES }, chain);
    if (checked !== null) found.push(...(await findDamage(invariant, checked, options)));
  }
  return found;
}

const ALL_TIMES = { earliest: 0, latest: MAX_TIMESTAMP };

/**
 * Returns the damage that an invariant's query finds in a chunk. Checks the halves of the chunk if the query
 * exceeds its memory or time limit.
 */
async function findDamage(invariant: Invariant, chunk: Chunk, options: CheckChainOptions): Promise<Damage[]> {
  const { engine, chain, commit, signal } = options;
  const limits = signal === undefined ? QUERY_LIMITS : { ...QUERY_LIMITS, signal };
  try {
    const query = invariant.query({ ...chunk, chain, commit });
    return await engine.query<Damage>(sql`SELECT * FROM (${query}) LIMIT ${integer(MAX_DAMAGE)}`, limits);
  } catch (error) {
    const halves = exceedsLimits(error) ? halvesOf(chunk) : null;
    if (halves === null) throw error;
    const [first, second] = halves;
    return [
      ...(await findDamage(invariant, first, options)),
      ...(await findDamage(invariant, second, options)),
    ];
  }
}
