import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileSql } from "../../src/sql/compile.ts";
import { SqlError } from "../../src/sql/syntax/sql-error.ts";
import { HostileTexts } from "./support/hostile-sql.ts";
import { foreignParts } from "./support/printed-sql.ts";
import { type FixtureEngine, fixtureContext, fixtureSql, openFixture } from "./support/query-engine.ts";
import { readQuerySpecs } from "./support/query-specs.ts";

/** Number of texts. The long run in docs/testing.md has 1,000,000. */
const TEXTS = Number(process.env.QUARRY_SQL_TEXTS ?? 10_000);
const SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);
/** Number of compiled texts that run on the engine. */
const RUNS = Math.max(400, TEXTS / 100);
/** Maximum time to compile one text, in ms. Even on a busy machine, compiling takes far less. */
const SLOWEST_MS = 2_000;

const QUERIES = readQuerySpecs(join(import.meta.dirname, "queries")).flatMap(({ specs }) =>
  specs.map(({ query }) => query),
);

let engine: FixtureEngine;

beforeAll(async () => {
  engine = await openFixture();
});

afterAll(async () => {
  await engine.close();
});

/** Returns the printed SQL, or null if the text is refused with a proper error. */
function compileSafely(text: string): string | null {
  const start = performance.now();
  try {
    const sql = fixtureSql(text);
    expect(foreignParts(sql), text).toEqual([]);
    return sql;
  } catch (error) {
    if (!(error instanceof SqlError))
      throw new Error(`this text fails: ${JSON.stringify(text)}`, { cause: error });
    expect(error.message, text).toMatch(/^line \d+:\d+: ./);
    expect(error.message.length, text).toBeLessThan(1_000);
    return null;
  } finally {
    expect(performance.now() - start, text).toBeLessThan(SLOWEST_MS);
  }
}

describe("hostile texts", () => {
  it("are refused with a position, or become SQL of known words that the engine runs", async () => {
    const texts = new HostileTexts(SEED, QUERIES);
    let compiled = 0;
    let ran = 0;
    for (let i = 0; i < TEXTS; i++) {
      const text = texts.next();
      const sql = compileSafely(text);
      if (sql === null) continue;
      compiled += 1;
      if (ran * TEXTS > i * RUNS) continue;
      ran += 1;
      await engine.lines(sql).catch((error: unknown) => {
        throw new Error(`the engine refuses: ${text}\n${sql}`, { cause: error });
      });
    }
    console.info(`${TEXTS} texts: ${compiled} compiled, ${ran} of them ran on the engine`);
    // Ensures that enough texts pass the compiler's checks.
    expect(compiled).toBeGreaterThan(TEXTS / 20);
  }, 7_200_000);

  it("of any characters are refused with a position", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => void compileSafely(text)),
      {
        numRuns: 2_000,
      },
    );
  });

  it("can become only names and values", () => {
    const anyText = fc.string({ unit: "binary", minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(anyText, anyText, (name, value) => {
        const query = `SELECT side AS "${name.replaceAll('"', '""')}" FROM eth_dex_trades WHERE side = '${value.replaceAll("'", "''")}'`;
        const compiled = compileSql(query, fixtureContext);
        expect(compiled.columns[0]?.name).toBe(name);
        expect(foreignParts(compiled.print(1))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("attacks that succeeded elsewhere", () => {
  const from = (source: string) => `SELECT * FROM ${source}`;
  const select = (value: string) => `SELECT ${value} FROM eth_blocks`;
  it.each(
    [
      from("file('/etc/passwd')"),
      from("url('http://169.254.169.254/')"),
      from("s3('https://bucket/key')"),
      from("remote('host', system.one)"),
      from("executable('id', TSV, 'x String')"),
      from("numbers(10)"),
      from("system.tables"),
      from('"system".."users"'),
      from("`system.users`"),
      from("eth_blocks INTO OUTFILE 'x.csv'"),
      from("eth_blocks SETTINGS max_memory_usage = 0"),
      from("eth_blocks FORMAT Null"),
      from("eth_blocks; KILL QUERY WHERE 1"),
      from("eth_blocks; SYSTEM SHUTDOWN"),
      from("eth_blocks UNION ALL SELECT * FROM system.users"),
      from("eth_blocks, system.users"),
      from("eth_blocks ARRAY JOIN [1]"),
      from("(SELECT 1)"),
      from("eth_blocks FINAL"),
      from("ｅth_blocks"),
      "KILL QUERY WHERE 1",
      "SYSTEM SHUTDOWN",
      "INSERT INTO eth_blocks VALUES (1)",
      "EXPLAIN SELECT 1 FROM eth_blocks",
      "ＳＥＬＥＣＴ 1 FROM eth_blocks",
      select("file('/etc/passwd')"),
      select("dictGet('d', 'a', 1)"),
      select("sleep(3)"),
      select("getSetting('x')"),
      select("(SELECT 1)"),
      select("1 /* a */ */"),
      select("'a\\' FROM system.users --"),
      select("size＇"),
      select("{x:String}"),
      select("size[1]"),
      select("x -> 1"),
      select("toString(size)"),
      select("\0"),
      select(`${"(".repeat(10_000)}1${")".repeat(10_000)}`),
      select(`${"CASE WHEN ".repeat(10_000)}1`),
      select(`1${"::BIGINT".repeat(5_000)}`),
      select(`${"NULLIF(".repeat(60)}size${", 1)".repeat(60)}`),
      select(`${"(".repeat(25)}size${" BETWEEN 1 AND 2)::INT".repeat(25)}`),
      select(
        `${"CASE ".repeat(12)}size${" WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 3 THEN 3 WHEN 4 THEN 4 END".repeat(12)}`,
      ),
      select(`${"COALESCE(".repeat(20)}SUM(value_base)${", 0)".repeat(20)}`).replace("blocks", "erc20"),
      select(`${"ROUND(".repeat(20)}value_base${", -1)".repeat(20)}`).replace("blocks", "erc20"),
      `${from("eth_dex_trades WHERE side RLIKE ")}'(a{1000}){1000}'`,
      `${from("eth_dex_trades WHERE side RLIKE ")}'((((a{10}){10}){10}){10}){10}'`,
      `${from("eth_dex_trades WHERE side RLIKE ")}'a{1001}'`,
      `${from("eth_dex_trades WHERE side RLIKE ")}'(?=a)'`,
      `${from("eth_dex_trades WHERE side RLIKE ")}'a)|(?:b'`,
      `${from("eth_blocks WHERE size IN (")}${"1,".repeat(33_000)}1)`,
    ].map((text) => [JSON.stringify(text.slice(0, 70)), text] as const),
  )("%s is refused", (_, text) => {
    expect(compileSafely(text)).toBe(null);
  });

  it.each(
    [
      select("size -- ; DROP TABLE eth_blocks"),
      select("'; DROP TABLE eth_blocks; --' AS x"),
      select("'\\' AS x"),
      select("'\0' AS x"),
      select("size AS `'; DROP TABLE eth_blocks`"),
      select('size AS "\\` FROM system.users -- "'),
      `SELECT side FROM eth_dex_trades WHERE side RLIKE '(a+)+(b|bb)*(.*)*x' OR side RLIKE '(.*.*.*.*.*.*.*)*y'`,
      `SELECT side FROM eth_dex_trades WHERE side RLIKE '[\\x00-é]'`,
      `SELECT log_index FROM eth_dex_trades WHERE log_index IN (${"1,".repeat(7_000)}1)`,
    ].map((text) => [JSON.stringify(text.slice(0, 70)), text] as const),
  )("%s is harmless", async (_, text) => {
    const sql = compileSafely(text);
    if (sql !== null) await engine.lines(sql);
    expect(await engine.lines("SELECT count() AS n FROM eth_blocks")).toEqual(['{"n":8}']);
  });
});
