import { setTimeout as sleep } from "node:timers/promises";
import { identifier, integer, join, type Sql, sql, text } from "../../../src/engine-sql/sql-text.ts";
import { BaseError } from "../../../src/lib/error.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { readLatestPrices } from "../../../src/reads/prices/latest-prices.ts";
import { readOhlc } from "../../../src/reads/prices/ohlc.ts";
import {
  type Commit,
  type Reader,
  readSnapshot,
  type Snapshot,
} from "../../../src/reads/snapshot/snapshot.ts";
import { COUNTED_TABLES, type CountedTable, ROW_COUNTS, tableOf } from "../../../src/schema/tables.ts";
import { TRADED_TOKEN } from "./fake-chain.ts";

type Counts = Record<CountedTable, number>;

interface BlockSeen extends Counts {
  number: number;
  hash: Hex;
  parent: Hex;
}

interface Trades {
  count: number;
  volumeUsd: number;
}

/** The chain in one response, read by several statements from the snapshot of one commit. */
export interface ChainSeen {
  blocks: BlockSeen[];
  rows: { name: CountedTable; block: number; rows: number }[];
  candles: Trades;
  trades: Trades;
  latestBlock: number | null;
}

/** Returns what the source's block with this hash contains. */
export type KnownBlock = (hash: Hex) => { transactions: number; logs: number } | undefined;

interface LoopOptions {
  reader: Reader;
  chain: string;
  pauseMs: number;
  known?: KnownBlock;
  onViolation?: (violation: string) => void;
}

/** Keeps sending requests, like a client, and checks that every response matches a commit. */
export class ReaderLoop {
  readonly violations: string[] = [];
  answers = 0;
  readonly #options: LoopOptions;
  readonly #running: Promise<void>;
  #isStopped = false;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  #report(violations: string[]): void {
    this.violations.push(...violations);
    for (const violation of violations) this.#options.onViolation?.(violation);
  }

  async #run(): Promise<void> {
    const { reader, chain, pauseMs, known } = this.#options;
    while (!this.#isStopped) {
      try {
        const { answer, asOf } = await readSnapshot(reader, chain, {}, readChain);
        this.answers++;
        if (asOf !== null) this.#report(violationsIn(answer, asOf, known));
      } catch (error) {
        if (!isPassing(error)) this.#report([`a read failed: ${error}`]);
      }
      await sleep(pauseMs);
    }
  }
}

/**
 * Returns whether an error is temporary: nothing is indexed yet, or reorgs interrupted the request more often
 * than it is retried.
 */
function isPassing(error: unknown): boolean {
  return error instanceof BaseError && error.code === "not-ready";
}

async function readChain(snapshot: Snapshot): Promise<ChainSeen> {
  const bound = integer(Math.max(0, snapshot.commit.blockNumber));
  const blocks = await snapshot.query<BlockSeen>(blocksQuery(snapshot, bound));
  const candles = await readCandles(snapshot);
  const rows = await snapshot.query<ChainSeen["rows"][number]>(rowsQuery(snapshot, bound));
  const [trades] = await snapshot.query<Trades>(
    sql`SELECT count() AS count, ifNull(sumKahan(amount_usd), 0) AS volumeUsd FROM ${snapshot.table("dex_trades")}
      WHERE block_number <= ${bound} AND token_address = unhex(${text(TRADED_TOKEN.slice(2))})`,
  );
  const latest = await readLatestPrices(snapshot, [TRADED_TOKEN], "price_token_usd_tick_1");
  return {
    blocks,
    rows,
    candles,
    trades: trades ?? { count: 0, volumeUsd: 0 },
    latestBlock: latest.get(TRADED_TOKEN)?.blockNumber ?? null,
  };
}

function blocksQuery(snapshot: Snapshot, bound: Sql): Sql {
  const counts = COUNTED_TABLES.map((name) => sql`${identifier(ROW_COUNTS[name])} AS ${identifier(name)}`);
  return sql`SELECT block_number AS number, concat('0x', lower(hex(block_hash))) AS hash,
    concat('0x', lower(hex(parent_hash))) AS parent, ${join(counts)}
    FROM ${snapshot.table("blocks")} WHERE block_number <= ${bound} ORDER BY block_number`;
}

function rowsQuery(snapshot: Snapshot, bound: Sql): Sql {
  const selects = COUNTED_TABLES.map((name) => {
    const block = identifier(tableOf(name).blockColumn);
    return sql`SELECT ${text(name)} AS name, ${block} AS block, count() AS rows
      FROM ${snapshot.table(name)} WHERE ${block} <= ${bound} GROUP BY ${block}`;
  });
  return join(selects, " UNION ALL ");
}

const HOUR_SECONDS = 3600;

async function readCandles(snapshot: Snapshot): Promise<Trades> {
  const candles = await readOhlc(snapshot, {
    token: TRADED_TOKEN,
    pool: "all",
    priceType: "price_token_usd_tick_1",
    intervalSeconds: HOUR_SECONDS,
    from: 0,
    until: snapshot.commit.timestamp,
    maxSize: 5_000,
    order: "desc",
    fill: false,
    openMethod: "prev_close",
  });
  return {
    count: candles.reduce((sum, { numTrades }) => sum + numTrades, 0),
    volumeUsd: candles.reduce((sum, { volumeUsd }) => sum + volumeUsd, 0),
  };
}

/** Relative tolerance for sums of the same numbers in a different order. */
const VOLUME_TOLERANCE = 1e-9;

/**
 * Returns the violations in a response. Blocks must be linked and complete, from the first block to the
 * commit's block, and candles must agree with the trades.
 */
export function violationsIn(seen: ChainSeen, commit: Commit, known: KnownBlock = () => undefined): string[] {
  const { blocks, candles, trades, latestBlock } = seen;
  const wrong = [...chainViolations(blocks, commit), ...rowViolations(seen)];
  for (const block of blocks) {
    const expected = known(block.hash);
    if (expected === undefined) continue;
    if (block.transactions !== expected.transactions || block.logs !== expected.logs) {
      wrong.push(`block ${block.number} is not what the source has under ${block.hash}`);
    }
  }
  const difference = Math.abs(candles.volumeUsd - trades.volumeUsd);
  if (candles.count !== trades.count || difference > VOLUME_TOLERANCE * Math.max(1, trades.volumeUsd)) {
    wrong.push(`candles hold ${JSON.stringify(candles)}, trades ${JSON.stringify(trades)}`);
  }
  if (latestBlock !== null && latestBlock > commit.blockNumber) {
    wrong.push(`the latest price is of block ${latestBlock}`);
  }
  return wrong.map((what) => `as of commit ${commit.sequence} (block ${commit.blockNumber}): ${what}`);
}

function chainViolations(blocks: readonly BlockSeen[], commit: Commit): string[] {
  const { firstBlock, blockNumber, blockHash } = commit;
  const expected = Math.max(0, blockNumber - firstBlock + 1);
  const wrong: string[] = [];
  if (blocks.length !== expected) wrong.push(`${blocks.length} blocks instead of ${expected}`);
  for (const [i, block] of blocks.entries()) {
    const parent = blocks[i - 1];
    if (block.number !== firstBlock + i) wrong.push(`block ${block.number} where ${firstBlock + i} belongs`);
    if (parent !== undefined && block.parent !== parent.hash) {
      wrong.push(`block ${block.number} is not the child of the one before`);
    }
  }
  const tip = blocks.at(-1);
  if (tip !== undefined && tip.hash !== blockHash) wrong.push(`the newest block is ${tip.hash}`);
  return wrong;
}

function rowViolations({ blocks, rows }: ChainSeen): string[] {
  const found = new Map(rows.map(({ name, block, rows: count }) => [`${name} ${block}`, count]));
  const wrong: string[] = [];
  for (const block of blocks) {
    for (const name of COUNTED_TABLES) {
      const key = `${name} ${block.number}`;
      const held = found.get(key) ?? 0;
      found.delete(key);
      if (held !== block[name]) {
        wrong.push(`block ${block.number} has ${held} rows in ${name}, not ${block[name]}`);
      }
    }
  }
  for (const key of found.keys()) wrong.push(`rows of a block that is not there: ${key}`);
  return wrong;
}
