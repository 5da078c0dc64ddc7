import { type Chain, singletonsOf } from "../../chains/chain.ts";
import { MAX_TIMESTAMP } from "../../engine-sql/column-types.ts";
import { integer, sql } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import type { Commit, Engine } from "../../storage/store.ts";
import { type Finding, FindingList } from "../finding.ts";
import { type BlockSpan, type Damage, type Law, QUESTION_LIMITS } from "../invariant.ts";
import { BLOCKWISE_TABLES, countLaw } from "../invariants/blocks/row-counts.ts";
import { LAWS } from "../invariants/invariants.ts";
import { STORE_LAWS, tableTotals } from "../invariants/store/store-invariants.ts";
import { type Chunk, chunksOf, halvesOf } from "./chunks.ts";

export interface Examination {
  engine: Engine;
  chain: Chain;
  commit: Commit;
  /** Blocks to look at; absent: all. */
  spans?: readonly BlockSpan[];
  /** False leaves out what lies in no single block. */
  wholeStore?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: ExaminationProgress) => void;
}

export interface ExaminationProgress {
  /** Questions answered and to be asked. */
  done: number;
  total: number;
  /** What is looked at. */
  law: string;
}

/** Damage that one question tells: more is beyond mending block by block. */
const MAX_DAMAGE = 10_001;

/** Checks every law on a stored chain, and says what it breaks. Reads only. */
export async function examine(examination: Examination): Promise<Finding[]> {
  const { engine, chain, commit, spans = [heldBlocks(commit)], wholeStore = true } = examination;
  const list = new FindingList();
  const chunks: Chunk[] = [];
  for (const span of spans) chunks.push(...(await chunksOf(engine, chain.name, span)));
  const progress = progressOf(examination, chunks.length * LAWS.length);
  for (const chunk of chunks) {
    for (const law of LAWS) {
      progress(law.name);
      list.add(law, await broken(law, chunk, examination));
    }
  }
  if (wholeStore) await examineWhole(examination, list);
  return list.findings;
}

function heldBlocks({ firstBlock, blockNumber }: Commit): BlockSpan {
  return { first: firstBlock, last: blockNumber };
}

function progressOf({ onProgress }: Examination, total: number): (law: string) => void {
  let done = 0;
  return (law) => onProgress?.({ done: done++, total, law });
}

/** What no single block tells. */
async function examineWhole(examination: Examination, list: FindingList): Promise<void> {
  const { engine, chain, commit } = examination;
  const { name, wrappedNative } = chain;
  const store = { engine, chain: name, wrappedNative, singletons: singletonsOf(chain), commit };
  for (const law of STORE_LAWS) {
    list.add({ cure: "store", ...law }, await law.find(store));
  }
  for (const table of BLOCKWISE_TABLES) {
    const law = countLaw(table);
    if (list.has(law.name)) continue;
    const { stated, stored } = await tableTotals(engine, { chain: chain.name, commit, table });
    if (stated !== stored) list.add(law, await strays(law, examination));
  }
}

/** Every block has its rows at its own time, and there are more of them: at another. */
async function strays(law: Law, examination: Examination): Promise<Damage[]> {
  const { engine, chain, commit } = examination;
  const found: Damage[] = [];
  for (const chunk of await chunksOf(engine, chain.name, heldBlocks(commit))) {
    found.push(...(await broken(law, { ...chunk, times: ALL_TIMES }, examination)));
  }
  return found;
}

const ALL_TIMES = { earliest: 0, latest: MAX_TIMESTAMP };

/** Asks about a chunk; what takes too much memory or time is asked about its halves. */
async function broken(law: Law, chunk: Chunk, examination: Examination): Promise<Damage[]> {
  const { engine, chain, commit, signal } = examination;
  const limits = signal === undefined ? QUESTION_LIMITS : { ...QUESTION_LIMITS, signal };
  try {
    const query = law.query({ ...chunk, chain, commit });
    return await engine.query<Damage>(sql`SELECT * FROM (${query}) LIMIT ${integer(MAX_DAMAGE)}`, limits);
  } catch (error) {
    const halves = isTooMuch(error) ? halvesOf(chunk) : null;
    if (halves === null) throw error;
    return [...(await broken(law, halves[0], examination)), ...(await broken(law, halves[1], examination))];
  }
}

function isTooMuch(error: unknown): boolean {
  return error instanceof BaseError && (error.code === "memory" || error.code === "timeout");
}
