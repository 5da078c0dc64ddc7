/**
 * What does it cost to find and store balances from before the first block, while a large index follows its
 * chain? Times the query that looks for holdings to read, the sums of their transfers, and a change of stored
 * balances: its preparation, during which blocks are committed; the addition of ten blocks that were
 * committed meanwhile; and the step for which readers wait.
 *
 *   npm run bench -- openings [--data FOLDER] [--trades 2000000] [--rounds 3]
 */
import { ethereum } from "../../src/chains/ethereum.ts";
import { hexText, integer, sql } from "../../src/engine-sql/sql-text.ts";
import type { OpeningMode } from "../../src/schema/tables/opening-balances.ts";
import { newestCommit } from "../../src/storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import { completeOpenings, draftOpenings } from "../../src/storage/openings/apply-openings.ts";
import { findCandidates } from "../../src/storage/openings/opening-candidates.ts";
import { writeOpenings } from "../../src/storage/openings/stored-openings.ts";
import { sumTransfers } from "../../src/storage/openings/transfer-sums.ts";
import { endAmendment } from "../../src/storage/rows/amendment.ts";
import { type Holding, tokenOf, walletOf } from "../../src/storage/stored-balances.ts";
import { engineTable } from "../../src/storage/tables/ddl.ts";
import { defineTables } from "../../src/storage/tables/table-definitions.ts";
import { benchOptions } from "../support/bench-options.ts";
import { generateMarket, LAST_BLOCK, mergeMonths } from "../support/generated-market.ts";
import { generateTransfers } from "../support/generated-transfers.ts";
import { printTable } from "../support/print-table.ts";

/** Number of holdings that one round of the search reads, and number of balances that one change stores. */
const [ROUND_SIZE, CHANGE_SIZE] = [500, 2_000];
const FIRST_BLOCK = 1;
const chain = { name: ethereum.name, wrappedNative: ethereum.wrappedNative };

const options = benchOptions(
  { data: "quarry-bench-openings", trades: 2_000_000, rounds: 3 },
  { trades: 20_000, rounds: 1 },
);
const engine = await openEmbeddedEngine({ path: options.data });
await defineTables(engine, chain.name);
await generateMarket(engine, options.trades, print);
await generateTransfers(engine, print);
await mergeMonths(engine);
await makeUnknown();

const rows: (string | number)[][] = [];
for (const mode of ["pools", "all"] as const) {
  rows.push([`look for ${ROUND_SIZE} holdings, ${mode}`, ...(await timed(() => candidates(mode)))]);
}
const found = await holdings(CHANGE_SIZE);
const requests = found.slice(0, ROUND_SIZE).map((holding) => ({ holding, base: LAST_BLOCK - 100 }));
rows.push([
  `sum the transfers of ${ROUND_SIZE}`,
  ...(await timed(() => sumTransfers(engine, chain, requests, LAST_BLOCK))),
]);
await writeOpenings(engine, chain.name, found.map(confirmed));
const change = { chain, firstBlock: FIRST_BLOCK, holdings: found };
rows.push([
  `prepare a change of ${CHANGE_SIZE}`,
  ...(await timed(() => draftOpenings(engine, change, { upTo: LAST_BLOCK - 10 }))),
]);
let exchange: (() => Promise<void>) | null = null;
rows.push(["add the blocks since", ...(await timed(complete, 1))]);
rows.push(["step for which readers wait", ...(await timed(replace, 1))]);
printTable([`${await countBalances()} balances`, "ms", "processor ms"], rows);
await engine.close();

/**
 * Makes half of the balances unknown, and all pools old, as if the index began in the middle of the chain.
 */
async function makeUnknown(): Promise<void> {
  await engine.execute(
    sql`ALTER TABLE ${engineTable(chain.name, "token_balances")} UPDATE balance_base = NULL, balance_token = NULL
      WHERE cityHash64(wallet_address) % 2 = 0 SETTINGS mutations_sync = 1`,
  );
  await engine.execute(
    sql`ALTER TABLE ${engineTable(chain.name, "pool_metadata")} UPDATE block_number_created = NULL
      WHERE 1 SETTINGS mutations_sync = 1`,
  );
}

function candidates(mode: Exclude<OpeningMode, "none">): Promise<Holding[]> {
  return findCandidates(engine, {
    ...{ chain: chain.name, firstBlock: FIRST_BLOCK, mode, upTo: LAST_BLOCK, after: null, limit: ROUND_SIZE },
  });
}

/** Returns holdings that are spread over the whole table. */
async function holdings(count: number): Promise<Holding[]> {
  const rows = await engine.query<{ holding: Holding }>(
    sql`SELECT DISTINCT ${hexText(sql`wallet_address`, sql`token_address`)} AS holding
      FROM ${engineTable(chain.name, "token_balances")} WHERE balance_base IS NULL
      ORDER BY cityHash64(holding) LIMIT ${integer(count)}`,
  );
  return rows.map(({ holding }) => holding);
}

function confirmed(holding: Holding) {
  return {
    ...{ wallet_address: walletOf(holding), token_address: tokenOf(holding), first_block: FIRST_BLOCK },
    ...{ status: "confirmed", reason: null, balance_base: 10n ** 30n, observed_block: LAST_BLOCK },
    ...{ observed_base: 10n ** 30n, checked_at: 0, is_rechecked: 0, is_applied: 0, version: 1 },
  } as const;
}

async function complete(): Promise<void> {
  const newest = await newestCommit(engine, chain.name);
  if (newest === null) throw new Error("nothing is committed");
  const drafted = { sequence: newest.sequence, blockNumber: LAST_BLOCK - 10 };
  exchange = await completeOpenings(engine, change, { drafted, upTo: LAST_BLOCK });
}

async function replace(): Promise<void> {
  await exchange?.();
  await endAmendment(engine, chain.name);
}

/** Returns medians of the elapsed time and the processor time, in milliseconds. */
async function timed(run: () => Promise<unknown>, rounds = options.rounds): Promise<number[]> {
  const times: { ms: number; cpu: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const [startMs, start] = [performance.now(), process.cpuUsage()];
    await run();
    const { user, system } = process.cpuUsage(start);
    times.push({ ms: performance.now() - startMs, cpu: (user + system) / 1_000 });
  }
  const median = (of: "ms" | "cpu") =>
    Math.round(times.map((time) => time[of]).sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0);
  return [median("ms"), median("cpu")];
}

async function countBalances(): Promise<number> {
  const counted = sql`SELECT toUInt32(count()) AS balances FROM ${engineTable(chain.name, "token_balances")}`;
  return (await engine.query<{ balances: number }>(counted))[0]?.balances ?? 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
