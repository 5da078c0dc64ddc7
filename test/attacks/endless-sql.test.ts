import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { type Sql, sql } from "../../src/engine-sql/sql-text.ts";
import { hexOf, type Market, openMarket } from "../../src/reads/support/market.ts";
import { compileSql } from "../../src/sql/compile.ts";
import { engineTable } from "../../src/storage/tables/ddl.ts";

const LIMIT_MS = 1_000;
const ROWS = sql`20000`;
/**
 * Random data puts the engine's regular-expression matcher into a new state at almost every byte, which takes
 * far longer than repeated data.
 */
const RANDOM_KILOBYTE = sql`unhex(arrayStringConcat(arrayMap(i -> hex(sipHash128(number, i)), range(64))))`;

let market: Market;
/** A service that ends statements after `LIMIT_MS`, and one with the default limit. */
let limited: FastifyInstance;
let usual: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([{ token: hexOf(1), at: 1_704_412_800, price: 1 }]);
  const logs = sql`INSERT INTO eth_logs (block_number, transaction_hash, data) SELECT 1000, unhex(concat(hex(sipHash128(number)), hex(sipHash128(number, 1)))), ${RANDOM_KILOBYTE} FROM numbers(${ROWS})`;
  await market.engine.execute(logs);
  limited = await createServer({ ...market, limits: { queryTimeMs: LIMIT_MS } });
  usual = await createServer(market);
});
afterAll(async () => {
  await limited.close();
  await usual.close();
  await market.close();
});

async function answerTo(app: FastifyInstance, query: string) {
  const started = performance.now();
  const response = await app.inject({ method: "POST", url: "/v1/sql", payload: { query } });
  const body = response.json<{ error?: string }>();
  return { status: response.statusCode, error: body.error ?? "", ms: performance.now() - started };
}

const REPEATED = "REPEAT(CAST(transaction_hash AS VARCHAR),16)";
const LOGS = "SELECT COUNT(*) AS n FROM eth_logs WHERE";
const MILLIONS = `CONCAT(${Array.from({ length: 100 }, () => "REPEAT('a',1000000)").join(",")})`;
const PATTERNS = Array.from({ length: 60 }, (_, i) => `${REPEATED} RLIKE '.*[0-7].{${640 + i}}[g-w].*'`);
const CASTS = "CAST(data AS VARCHAR)";
const CHAIN = Array.from({ length: 120 }, (_, i) => `.*${((7 * i) % 16).toString(16)}`).join("");
const HASH_PATTERNS = Array.from(
  { length: 8 },
  (_, i) => `transaction_hash RLIKE '.*[0-7].{${50 + i}}[g-w].*'`,
).join(" OR ");

/** Statements that could run up to a hundred times as long as their limit. */
const ENDLESS: Record<string, string> = {
  "a count behind .* in random data": `${LOGS} data RLIKE '.*[0-7].{200}[g-w].*'`,
  "a short count behind .* in random data": `${LOGS} data RLIKE '.*[0-7].{14}[g-w].*'`,
  "a repetition of counts": `${LOGS} data RLIKE '.*0(.{230})*g'`,
  "letters that are frequent": `${LOGS} data RLIKE '.*(0|1|2|3|4|5|6|7)(0|1|2|3|4|5|6|7).{234}g.*'`,
  "a chain of letters and a gap": `${LOGS} data RLIKE '(.*[0-7].{8}g|${CHAIN}g).*'`,
  "an escaped % in LIKE": `${LOGS} REPLACE(${CASTS},'0','%') LIKE '%!%${"_".repeat(60)}g%' ESCAPE '!'`,
  "a pattern of a long constant": `SELECT '${"0123456789abcdef".repeat(12_000)}' RLIKE '.*0(.{600})*g' AS m FROM eth_logs`,
  "the longest count behind .* for hashes": `${LOGS} ${HASH_PATTERNS}`,
  "a count behind .*": `${LOGS} ${REPEATED} RLIKE '.*[0-7].{700}[g-w].*'`,
  "a count that a function gives": `${LOGS} REPEAT(CAST(transaction_hash AS VARCHAR),CAST(EXP(9) AS BIGINT)) RLIKE '.*[0-7].{700}[g-w].*'`,
  "sixty of them": `${LOGS} ${PATTERNS.join(" OR ")}`,
  "the same count as dots": `${LOGS} ${REPEATED} RLIKE '.*[0-7]${".".repeat(700)}[g-w].*'`,
  "the same count as optional parts": `${LOGS} ${REPEATED} RLIKE '.{0,400}[0-7].{400}[g-w].*'`,
  "the same as LIKE": `${LOGS} ${REPEATED} LIKE '%3${"_".repeat(700)}g%'`,
  "texts of a hundred megabytes": `SELECT LENGTH(REPLACE(${MILLIONS},'a','bb')) AS n FROM eth_logs LIMIT 1`,
  "replaced again and again": `SELECT LENGTH(REPLACE(REPLACE(REPLACE(${MILLIONS},'a','bb'),'b','cc'),'c','dd')) AS n FROM eth_logs LIMIT 1`,
  "a long search in long texts": `${LOGS} LOCATE(CONCAT(REPEAT('a',200),${CASTS}),REPEAT('a',1000000))=7`,
  "a format of 30 kilobytes": `SELECT MAX(LENGTH(DATE_FORMAT(timestamp,'${"%Y".repeat(15_000)}'))) AS n FROM eth_logs`,
  "in the groups": `SELECT MAX(${CASTS}) AS m FROM eth_logs GROUP BY transaction_hash HAVING REPEAT(MAX(${CASTS}),9) RLIKE '.*[0-7].{600}[g-w].*'`,
};

/** Similar statements that people actually write. */
const USUAL: Record<string, string> = {
  "a part of calldata": `${LOGS} data RLIKE '.*a9059cbb.*'`,
  "a call with one argument": `${LOGS} data RLIKE '.*a9059cbb[0-9a-f]{64}.*'`,
  "words of an address": `${LOGS} data RLIKE '0x([0-9a-f]{64})*0{24}${"ab".repeat(20)}.*'`,
  "a call in capitals": `${LOGS} UPPER(${CASTS}) RLIKE '.*A9059CBB[0-9A-F]{64}.*'`,
  "symbols and names": `SELECT token_symbol FROM eth_token_metadata WHERE token_symbol RLIKE '[A-Z0-9.]{1,20}(-LP)?' OR token_name RLIKE '.*[a-z0-9-]{2,30}\\.(com|io|xyz).*'`,
  "words of a name": `SELECT token_symbol FROM eth_token_metadata WHERE token_name RLIKE '(\\w+ ){2,10}\\w+'`,
  "two calls": `${LOGS} data RLIKE '.*(a9059cbb|095ea7b3)0{24}[0-9a-f]{40}.*'`,
  "a selector and an empty word": `${LOGS} data RLIKE '.*[0-9a-f]{8}0{64}.*'`,
  "an address in it": `${LOGS} data RLIKE '0x(00){12}[0-9a-f]{40}.*'`,
  "bars of a chart": "SELECT log_index, REPEAT('*', COUNT(*)) AS bar FROM eth_logs GROUP BY log_index",
  "a search for a column": `${LOGS} LOCATE(LEFT(${CASTS},10),${CASTS}) > 3`,
};

describe("a statement that reads too much text", () => {
  it.each(Object.entries(ENDLESS))(
    "is refused, with its position, or ends at its limit: %s",
    async (_, query) => {
      const { status, error, ms } = await answerTo(limited, query);
      expect([400, 408], error).toContain(status);
      if (status === 400)
        expect(error).toMatch(/^line 1:\d+: .*(too much text|steps, with repetitions|is longer)/);
      // A busy machine needs a few extra seconds. Without these limits, the statement would take half a
      // minute.
      expect(ms).toBeLessThan(15_000);
      await expect.poll(() => running(), { timeout: 15_000 }).toBe(0);
    },
  );

  it.each(Object.entries(USUAL))("is not refused where people write it: %s", async (_, query) => {
    expect((await answerTo(usual, query)).error).toBe("");
  });
});

describe("rows that the engine computes at once", () => {
  beforeAll(async () => {
    // Makes all parts wide. By default, the engine stores all columns of parts below 10 MB in one file, and
    // reads at least a whole granule.
    await market.engine.execute(
      sql`CREATE TABLE large_part (n UInt64, data String) ENGINE = MergeTree ORDER BY n SETTINGS index_granularity = 1024, min_bytes_for_wide_part = 0`,
    );
    await market.engine.execute(sql`INSERT INTO large_part SELECT number, hex(number) FROM numbers(${ROWS})`);
  });

  it.each([
    ["no condition", sql``],
    ["PREWHERE", sql`PREWHERE data LIKE '%1%2%'`],
    ["a condition", sql`WHERE data LIKE '%1%2%'`],
    ["sorted rows", sql`ORDER BY data LIMIT 5000`],
  ])("are at most as many as the statement allows: %s", async (_, where) => {
    const statement = sql`SELECT max(block_rows) AS most FROM (SELECT blockSize() AS block_rows, data FROM large_part ${where})`;
    for (let run = 0; run < 2; run++) {
      expect(await market.engine.query(statement, { blockRows: 10 })).toEqual([{ most: 10 }]);
    }
  });

  it("are about as many in groups, even in very many", async () => {
    for (const groups of [sql`data`, sql`n * 20 + arrayJoin(range(20))`]) {
      const statement = sql`SELECT max(block_rows) AS most FROM (SELECT blockSize() AS block_rows, max(n) FROM large_part GROUP BY ${groups})`;
      expect(await market.engine.query(statement, { blockRows: 10 })).toEqual([{ most: 11 }]);
    }
  });

  it("are at most as many after a join", async () => {
    const statement = sql`SELECT max(block_rows) AS most FROM (SELECT blockSize() AS block_rows, data
      FROM large_part LEFT JOIN (SELECT n, 1 AS found FROM large_part WHERE n % 7 = 0) AS other USING (n))`;
    expect(await market.engine.query(statement, { blockRows: 10 })).toEqual([{ most: 10 }]);
  });

  it("do not keep a cheap condition from saving the reading of other columns", async () => {
    const cheap = sql`EXPLAIN actions = 1 SELECT transaction_hash FROM eth_logs WHERE block_number = 7 AND hex(data) LIKE '%a%b%'`;
    const plan = await market.engine.query<{ explain: string }>(cheap, { blockRows: 10 });
    expect(plan.map(({ explain }) => explain).join("\n")).toContain("Prewhere");
  });
});

async function running(): Promise<number> {
  const [row] = await market.engine.query<{ n: number }>(
    sql`SELECT count() AS n FROM system.processes WHERE query LIKE '%eth_logs%' AND query NOT LIKE '%processes%'`,
  );
  return row?.n ?? 0;
}

describe("the engine's plan of a deep condition", () => {
  const nested = (levels: number, inner: string): string =>
    levels === 0 ? inner : `ROUND(${nested(levels - 1, inner)}, 3)`;
  const deep = nested(50, "amount_usd");

  it("takes no longer than that of a column", async () => {
    const ofColumn = await planMs(`SELECT MAX(${deep}) AS m FROM eth_dex_trades`);
    const ofCondition = await planMs(`SELECT COUNT(*) AS n FROM eth_dex_trades WHERE ${deep} IS NULL`);
    // If the engine looked for the columns of its indexes in the condition, planning would take twelve times
    // as long.
    expect(ofCondition).toBeLessThan(6 * ofColumn);
  });

  it("still uses the indexes for the other conditions", async () => {
    const query = `SELECT COUNT(*) AS n FROM eth_dex_trades WHERE ${deep} > 0 AND token_address = '${hexOf(1)}'`;
    const plan = await market.engine.query<{ explain: string }>(sql`EXPLAIN indexes = 1 ${compiled(query)}`);
    const lines = plan.map(({ explain }) => explain.trim());
    expect(lines).toContain("token_address");
  });

  it.each([
    [`${deep} > 0`, 1],
    [`${deep} IS NULL`, 0],
    [`NOT (${deep} > 0)`, 0],
    [`NULLIF(${deep}, 100) > 0`, 0],
    [`NULLIF(${deep}, 100) > 0 OR side = 'buy'`, 1],
  ])("does not change its rows (%#)", async (condition, n) => {
    const query = `SELECT COUNT(*) AS n FROM eth_dex_trades WHERE ${condition}`;
    expect(await market.engine.query(compiled(query))).toEqual([{ n }]);
  });
});

describe("a wide statement that is repeated", () => {
  const list = (count: number, of: (i: number) => string) => Array.from({ length: count }, (_, i) => of(i));

  it.each([
    ["values to compare", `MAX(GREATEST(${list(300, (i) => `log_index + ${i}`)})) AS m FROM eth_dex_trades`],
    [
      "sums",
      `log_index, ${list(100, (i) => `SUM(amount_usd + ${i}) AS s${i}`)} FROM eth_dex_trades GROUP BY 1`,
    ],
  ])("is not compiled to machine code, which takes seconds: %s", async (_, rest) => {
    const times: number[] = [];
    for (let i = 0; i < 6; i++)
      times.push(await cpuMs(() => market.engine.query(compiled(`SELECT ${rest}`))));
    // If the statement were compiled to machine code, the fourth run would take 6 to 30 times as long.
    expect(Math.max(...times.slice(1))).toBeLessThan(3 * Math.min(...times) + 200);
  });
});

/** Plans a query three times, and returns the minimum CPU time in ms. */
async function planMs(query: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    times.push(await cpuMs(() => market.engine.query(sql`EXPLAIN ${compiled(query)}`)));
  }
  return Math.min(...times);
}

async function cpuMs(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function compiled(query: string): Sql {
  const context = { chains: ["eth"], now: 1_704_412_800, engineTable, listedTokens: () => [] };
  return compileSql(query, context).print(1_000);
}
