/**
 * How long does a chart of a pool's TVL take to load? Requests its points individually, three at a time, and
 * compares this with one request to `pool-tvl-history`. Uses the index of bench/prices.ts.
 *
 *   npm run bench -- pool-history --data FOLDER [--trades 20000000] [--rounds 5]
 */
import { createServer } from "../src/api/http/server.ts";
import { ethereum } from "../src/chains/ethereum.ts";
import { sql } from "../src/engine-sql/sql-text.ts";
import type { Hex } from "../src/lib/hex.ts";
import { chainCommits } from "../src/storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../src/storage/engines/embedded-engine.ts";
import { engineTable } from "../src/storage/tables/ddl.ts";
import { benchOptions } from "./support/bench-options.ts";
import { END, generateMarket, mergeMonths } from "./support/generated-market.ts";
import { generateTransfers } from "./support/generated-transfers.ts";
import { printTable } from "./support/print-table.ts";

const DAY = 86_400;
/** Number of points that are requested individually, and number of these requests at a time. */
const [FORMER_POINTS, AT_A_TIME] = [48, 3];
const POINTS = 240;
const PERIODS = [1, 30, 390];
const BATCH = "/v1/market-api/batch-latest-pool-tvl";
const HISTORY = "/v1/market-api/pool-tvl-history";
const PRICE = "price_token_usd_robust_tick_1";

const options = benchOptions(
  { data: "quarry-bench-prices", trades: 20_000_000, rounds: 5 },
  { trades: 20_000, rounds: 1 },
);
const engine = await openEmbeddedEngine({ path: options.data });
await generateMarket(engine, options.trades, print);
await generateTransfers(engine, print);
await mergeMonths(engine);
const app = await createServer({
  engine,
  chains: [{ chain: ethereum, store: chainCommits(engine, ethereum.name) }],
});
const url = await app.listen({ host: "127.0.0.1", port: 0 });

const rows: (string | number)[][] = [];
for (const { family, pool } of await busiestPools()) {
  for (const days of PERIODS) rows.push([`${family}, ${days} days`, ...(await measure(pool, days))]);
}
printTable(["chart", "one by one (ms)", `the same ${FORMER_POINTS} at once`, `${POINTS} at once`], rows);
await app.close();
await engine.close();

/** Returns, for each family, the pool with the most trades. */
function busiestPools(): Promise<{ family: string; pool: Hex }[]> {
  return engine.query(
    sql`SELECT family, concat('0x', lower(hex(pool_address))) AS pool FROM ${engineTable("eth", "pool_metadata")} AS pools
      INNER JOIN (SELECT pool_address AS traded, count() AS trades FROM ${engineTable("eth", "dex_trades")} GROUP BY traded) AS counts
      ON pools.pool_address = counts.traded ORDER BY trades DESC LIMIT 1 BY family`,
  );
}

/**
 * Measures the pool's points requested individually, the same points in one request, and the chart's points
 * in one request. Returns medians in milliseconds.
 */
async function measure(pool: Hex, days: number): Promise<number[]> {
  const minutes = (points: number) => Math.ceil((days * DAY) / points / 60);
  const few = () => history(pool, minutes(FORMER_POINTS), FORMER_POINTS);
  const points = await few();
  const times = points.map(({ as_of_timestamp }) => as_of_timestamp);
  const check = async () => {
    const single = await oneByOne(pool, times);
    if (points.some((point, i) => point.tvl_usd !== single[i]))
      throw new RangeError(`the series of ${pool} differs from its points`);
  };
  return [await median(check), await median(few), await median(() => history(pool, minutes(POINTS), POINTS))];
}

async function oneByOne(pool: Hex, times: readonly number[]): Promise<(number | null)[]> {
  const values: (number | null)[] = [];
  const left = [...times.keys()];
  const work = async () => {
    for (let i = left.pop(); i !== undefined; i = left.pop()) {
      const body = { pool_address: [pool], price_type: PRICE, timestamp: times[i] };
      const { data } = await post<{ data: [{ tvl_usd: number | null }] }>(BATCH, body);
      values[i] = data[0].tvl_usd;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return values;
}

interface Point {
  as_of_timestamp: number;
  tvl_usd: number | null;
}

async function history(pool: Hex, minutes: number, points: number): Promise<Point[]> {
  const period = { interval: `${minutes}m`, until_timestamp: END, max_size: points };
  return (await post<{ data: Point[] }>(HISTORY, { pool_address: pool, price_type: PRICE, ...period })).data;
}

async function post<A>(path: string, body: object): Promise<A> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new RangeError(await response.text());
  return (await response.json()) as A;
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const startedMs = performance.now();
    await work();
    times.push(performance.now() - startedMs);
  }
  return Math.round(times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
