import { describe, expect, it } from "vitest";
import { identifier } from "../engine-sql/sql-text.ts";
import { compileSql, type SqlContext } from "./compile.ts";
import { SqlError } from "./syntax/sql-error.ts";

const context: SqlContext = {
  chains: ["eth", "base", "my_chain"],
  now: 1_710_072_000.7,
  engineTable: (chain, table) => identifier(`${chain}_${table}`),
  listedTokens: () => [],
};

function errorOf(text: string, limits: SqlContext["limits"] = {}): string {
  try {
    return `compiled to ${compileSql(text, { ...context, limits })
      .print(106)
      .slice(0, 200)}`;
  } catch (error) {
    if (error instanceof SqlError) return error.message;
    throw error;
  }
}

const ADDRESS = "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D";
const EXAMPLES = [
  "SELECT * FROM eth_logs WHERE address = '%A' AND timestamp >= 1700000000 ORDER BY timestamp DESC LIMIT 10",
  "SELECT COUNT(*) AS count FROM eth_transactions WHERE to_address = '%A' AND timestamp BETWEEN 1 AND 2",
  "SELECT COUNT(*) AS count, HISTOGRAM(timestamp, INTERVAL 1 MONTH) AS month FROM eth_erc721 WHERE timestamp >= NOW() - INTERVAL '6' MONTH GROUP BY month ORDER BY month ASC",
  "SELECT token_address, SUM(amount_usd) / COUNT(*) \"the mean\" FROM eth_dex_trades WHERE side IN ('buy', 'it''s') OR NOT (price_token_usd_tick_1 IS NULL) GROUP BY 1 HAVING SUM(amount_usd) > 1e3 ORDER BY 2 DESC NULLS FIRST",
  "SELECT DISTINCT pool_address AS `p`, protocol -- all\n FROM eth_pool_metadata WHERE protocol LIKE 'uni!_%' ESCAPE '!' /* x */ AND block_number_created <> -5;",
  "SELECT MIN(value_base), SUM(value_base) FROM eth_transactions t WHERE t.gas_used * 2 + 1 >= 5.5 % 3 AND value_base % 7 = 1 AND \"@timestamp\" < '2024-01-31T12:00:00.5+01:00'",
  "DESCRIBE eth_blocks",
  "SHOW TABLES",
].map((query) => query.replace("%A", ADDRESS));

describe("compileSql", () => {
  it("reads other tables only for queries that name a verdict", () => {
    const tablesOf = (query: string) =>
      [
        ...new Set(
          compileSql(query, context)
            .print(106)
            .match(/eth_\w+/g),
        ),
      ].sort();
    for (const clause of ["SELECT *", "SELECT token_symbol AS spam_reasons"]) {
      expect(tablesOf(`${clause} FROM eth_token_metadata`)).toEqual(["eth_token_metadata"]);
    }
    const all = ["eth_blocks", "eth_dex_trades", "eth_erc20", "eth_token_metadata"];
    for (const rest of [
      "WHERE spam_reasons IS NULL",
      "GROUP BY spam_reasons",
      "HAVING MAX(spam_reasons) IS NULL",
    ]) {
      expect(tablesOf(`SELECT COUNT(*) FROM eth_token_metadata ${rest}`)).toEqual(all);
    }
    expect(tablesOf("SELECT decimals FROM eth_token_metadata ORDER BY LENGTH(spam_reasons)")).toEqual(all);
  });

  it.each([
    ["DATE_FORMAT", "format", "%Y"],
    ["DATETIME_FORMAT", "pattern", "yyyy "],
  ])("refuses a long format of %s, and counts the text that others become", (name, what, sign) => {
    const formatted = (signs: number) => `${name}(timestamp, '${sign.repeat(signs)}')`;
    const long = errorOf(`SELECT ${formatted(30_000)} AS f FROM eth_blocks`);
    expect(long).toMatch(new RegExp(`: ${name}: the ${what} is longer than 1000 characters$`));
    const pattern = "'.*[0-7].{700}[g-w].*'";
    expect(errorOf(`SELECT ${formatted(1)} RLIKE ${pattern} AS f FROM eth_blocks`)).toMatch(/^compiled/);
    expect(errorOf(`SELECT ${formatted(150)} RLIKE ${pattern} AS f FROM eth_blocks`)).toMatch(
      /too much text/,
    );
  });

  it("distinguishes expressions even if a format looks like the inside of one", () => {
    const format = (pattern: string) => `DATE_FORMAT(timestamp, '${pattern}')`;
    const two = `CONCAT(${format("a")}, ${format("b")}, miner)`;
    const one = `CONCAT(${format("a(timestamp),format-b")}, miner)`;
    expect(errorOf(`SELECT ${two} AS x, ${two} AS x FROM eth_blocks`)).toMatch(/^compiled/);
    const error = errorOf(`SELECT ${two} AS x, ${one} AS x FROM eth_blocks`);
    expect(error).toMatch(/two columns of the answer are named "x"/);
  });

  it("accepts names that differ only in case for the same value, or in the text of a value", () => {
    for (const items of ["side AS x, side AS X", "token_symbol = 'a', token_symbol = 'A'"])
      expect(errorOf(`SELECT ${items} FROM eth_dex_trades ORDER BY 1`)).toMatch(/^compiled/);
  });

  it.each([
    ["spam_reasons", "trader_address", 6],
    ["spam_reasons", "token_address", 6],
    ["wash_reason", "trader_address", 3],
    ["wash_reason", "pool_address", 1],
    ["spam_reasons, wash_reason", "trader_address", 9],
  ])(
    "judges for %s only the rows that a condition on %s selects: it has %i copies",
    (verdicts, column, copies) => {
      const copiesOf = (mark: string, ...conditions: string[]) => {
        const query = `SELECT ${verdicts} FROM eth_dex_trades WHERE ${conditions.join(" AND ")}`;
        return compileSql(query, context).print(106).split(mark).length - 2;
      };
      const list = (items: number) => `${column} IN ('${Array(items).fill(ADDRESS).join("','")}')`;
      expect(copiesOf("IN (unhex", list(700))).toBe(copies);
      // A large condition is not copied, and does not prevent copies of a small one.
      expect(copiesOf("IN (unhex", list(2_500), `${column} = '${ADDRESS}'`)).toBe(0);
      expect(copiesOf("= unhex", list(2_500), `${column} = '${ADDRESS}'`)).toBe(copies);
      // A condition that takes long to plan, or to compute before the first row, is not copied either.
      const deep = `${"ROUND(".repeat(50)}amount_usd${")".repeat(50)} > 3`;
      expect([copiesOf("> 3", deep, list(2)), copiesOf("IN (unhex", deep, list(2))]).toEqual([0, copies]);
      const slow = `'xyz' = ${"REPLACE(".repeat(5)}REPEAT('ab', 500000)${", 'ba', 'ab')".repeat(5)}`;
      expect([copiesOf("'xyz'", slow, list(2)), copiesOf("IN (unhex", slow, list(2))]).toEqual([0, copies]);
    },
  );

  it("reads the tables of a chain whose name has an underscore", () => {
    const { chain, table, print } = compileSql("SELECT * FROM My_Chain_Dex_Trades", context);
    expect([chain, table]).toEqual(["my_chain", "dex_trades"]);
    expect(print(null)).toContain("FROM `my_chain_dex_trades` AS `_q` WHERE false LIMIT");
  });

  it.each([
    ["timestamp, '2024-03-01' AS now", "", false],
    ["NOW() AS n", "", true],
    ["size", "WHERE timestamp > TODAY() - INTERVAL 1 DAY", true],
    ["COUNT(*) AS n", "HAVING MAX(timestamp) < CURRENT_TIMESTAMP", true],
    ["COUNT(*) AS n", "GROUP BY DATE_DIFF('day', timestamp, CURRENT_DATE)", true],
    ["size", "ORDER BY timestamp < NOW()", true],
  ])("reports whether rows depend on the time: SELECT %s … %s", (columns, clauses, usesNow) => {
    const text = `SELECT ${columns} FROM eth_blocks ${clauses}`;
    expect(compileSql(text, context).usesNow).toBe(usesNow);
  });

  it("bounds every query by the newest block, outside the client's condition", () => {
    const { print } = compileSql("SELECT size FROM eth_blocks WHERE size = 1 OR size = 2", context);
    expect(print(106)).toContain(
      "WHERE (`_q`.`block_number` <= 106) AND ((`_q`.`size` = 1) OR (`_q`.`size` = 2)) LIMIT",
    );
  });

  it("reads one row more than our default limit, but exactly the client's LIMIT", () => {
    const ours = compileSql("SELECT * FROM eth_logs", context);
    expect([ours.rowLimit, ours.mostRows]).toEqual([10_000, 10_001]);
    expect(ours.print(106)).toContain("LIMIT 10001 OFFSET 0");
    const theirs = compileSql("SELECT * FROM eth_logs LIMIT 100000 OFFSET 7", context);
    expect([theirs.rowLimit, theirs.mostRows]).toEqual([100_000, 100_000]);
    expect(theirs.print(106)).toContain("LIMIT 100000 OFFSET 7");
  });

  it("knows that aggregates without groups give one row", () => {
    const mostRows = (rest: string) => compileSql(`SELECT ${rest}`, context).mostRows;
    expect(mostRows("COUNT(*) FROM eth_logs")).toBe(1);
    expect(mostRows("COUNT(*) * 2 AS n FROM eth_logs HAVING n > 1 LIMIT 0")).toBe(0);
    expect(mostRows("COUNT(*) FROM eth_logs GROUP BY log_index LIMIT 7")).toBe(7);
    expect(mostRows("log_index FROM eth_logs GROUP BY log_index")).toBe(10_001);
  });

  it("bounds the size of an answer, unless a value may have any length", () => {
    const size = (rest: string) => compileSql(`SELECT ${rest}`, context).mostBytes;
    expect(size("COUNT(*) AS n FROM eth_logs")).toBe(206);
    expect(size("address FROM eth_logs LIMIT 10")).toBe(10 * (42 + 42));
    expect(size("* FROM eth_dex_trades LIMIT 1")).toBeLessThan(25_000);
    expect(size("data FROM eth_logs LIMIT 0")).toBe(0);
    for (const rest of [
      "data FROM eth_logs LIMIT 1",
      "* FROM eth_transactions LIMIT 1",
      "CONCAT(side, side) FROM eth_dex_trades LIMIT 1",
      "MAX(input) FROM eth_transactions",
      "token_name FROM eth_token_metadata LIMIT 1",
      "timestamp::VARCHAR FROM eth_logs LIMIT 1",
    ]) {
      expect(size(rest), rest).toBe(Number.POSITIVE_INFINITY);
    }
    expect(size(`log_index AS "${"n".repeat(1e4)}" FROM eth_logs LIMIT 10`)).toBeGreaterThan(6e5);
  });

  it("uses short names of its own, whatever names the client uses", () => {
    const named = (names: string[]) =>
      compileSql(`SELECT ${names.map((name) => `size AS "${name}"`).join(", ")}, * FROM eth_blocks`, context);
    expect(named([`_q${"_".repeat(60_000)}`]).print(106).length).toBeLessThan(60_000 + 5_000);
    const numbered = Array.from({ length: 50 }, (_, i) => (i === 0 ? "_q" : `_q${i}_`));
    const sql = named(numbered).print(106);
    expect(sql).toContain("FROM `eth_blocks` AS `_q50_` WHERE (`_q50_`.`block_number` <= 106)");
  });

  it("returns the columns and their kinds", () => {
    const query = "SELECT timestamp, address a, log_index, COUNT(*) FROM eth_logs GROUP BY 1, 2, 3";
    expect(compileSql(query, context).columns).toEqual([
      { name: "timestamp", kind: "time" },
      { name: "a", kind: "bytes" },
      { name: "log_index", kind: "integer" },
      { name: "COUNT(*)", kind: "integer" },
    ]);
  });

  it("prints an address as the bytes of the sort key", () => {
    const { print } = compileSql(`SELECT * FROM eth_logs WHERE address = '${ADDRESS}'`, context);
    expect(print(106)).toContain(`(\`_q\`.\`address\` = unhex('${ADDRESS.slice(2).toLowerCase()}'))`);
  });
});

describe("bounds", () => {
  it.each([
    ["parentheses", `SELECT ${"(".repeat(10_000)}1${")".repeat(10_000)} FROM eth_logs`],
    ["minus signs", `SELECT ${"- ".repeat(10_000)}1 FROM eth_logs`],
    ["NOT", `SELECT size FROM eth_logs WHERE ${"NOT ".repeat(10_000)} size = 1`],
    ["calls", `SELECT ${"MAX(".repeat(10_000)}1 FROM eth_logs`],
    ["a long chain", `SELECT 1${" + log_index".repeat(100)} FROM eth_logs`],
  ])("limits the depth of %s", (_, query) => {
    expect(errorOf(query)).toMatch(/^line 1:\d+: expressions are nested more than 64 levels deep$/);
  });

  it("accepts 60 levels and long lists", () => {
    const deep = `SELECT ${"(".repeat(60)}1${")".repeat(60)} AS x FROM eth_logs`;
    expect(errorOf(deep)).toMatch(/^compiled/);
    const hashes = Array.from({ length: 3_700 }, (_, i) => `'0x${i.toString(16).padStart(64, "0")}'`);
    const query = `SELECT * FROM eth_logs WHERE transaction_hash IN (${hashes.join(",")})`;
    expect(query.length).toBeGreaterThan(245 * 1024);
    expect(errorOf(query)).toMatch(/^compiled/);
  });

  it("has limits for text, nodes, columns and OFFSET", () => {
    expect(errorOf(`SELECT * FROM eth_logs --${" ".repeat(262_144)}`)).toBe(
      "line 1:1: the query is longer than 262144 bytes",
    );
    expect(errorOf("SELECT 1+2+3 FROM eth_logs", { nodes: 4 })).toBe(
      "line 1:11: the query has more than 4 names, values and operations",
    );
    const repeated = `SELECT 1${" + log_index".repeat(60)} AS a FROM eth_logs ORDER BY ${"a + 1,".repeat(200)} a`;
    const large =
      "line 1:946: the query has more than 8000 names, values and operations, with its aliases written out";
    expect(errorOf(repeated)).toBe(large);
    const sums = `SELECT COUNT(*) FROM eth_erc20 HAVING ${"SUM(value_base) > 1 OR ".repeat(1_900)} TRUE`;
    expect(errorOf(sums)).toBe(large.replace("1:946: the query", "1:59: this expression"));
    const long = `SELECT NOT (1${" + price_token_usd_robust_total_24h".repeat(60)}) FROM eth_dex_trades`;
    expect(errorOf(long).length).toBeLessThan(900);
    expect(errorOf("SELECT 1, 2, 3 FROM eth_logs", { columns: 2 })).toBe(
      "line 1:1: the answer has more than 2 columns",
    );
    expect(errorOf("SELECT 1 FROM eth_logs OFFSET 10000001")).toBe(
      "line 1:31: OFFSET 10000001 is above 10000000: narrow the query with WHERE",
    );
  });
});

const TWELVE_PATTERNS = Array.from({ length: 12 }, (_, i) => `CAST(data AS VARCHAR) LIKE '%a${i}%'`).join(
  " OR ",
);

describe("a statement that stops late", () => {
  it.each([
    ["SELECT SUM(LENGTH(UPPER(REPEAT(transaction_hash, 9000)))) AS n FROM eth_erc20", true],
    ["SELECT COUNT(*) AS n FROM eth_erc20 ORDER BY MAX(REVERSE(REPEAT(transaction_hash, 1000)))", true],
    ["SELECT UPPER(input) AS input FROM eth_transactions", false],
    [`SELECT data FROM eth_logs WHERE ${TWELVE_PATTERNS}`, false],
    ["SELECT REPLACE(LOWER(data), '0x', '') AS data FROM eth_logs WHERE data LIKE '%ab%'", false],
    ["SELECT CONCAT(REPEAT('*', 5), token_symbol) AS stars FROM eth_dex_trades", false],
  ])("has long computed strings: %s", (text, stopsLate) => {
    expect(compileSql(text, context).stopsLate).toBe(stopsLate);
  });
});

describe("speed", () => {
  it("compiles each example in well under a millisecond", () => {
    for (let i = 0; i < 500; i++) for (const example of EXAMPLES) compileSql(example, context).print(106);
    const times = EXAMPLES.flatMap((example) =>
      Array.from({ length: 101 }, () => {
        const start = performance.now();
        compileSql(example, context).print(106);
        return performance.now() - start;
      }),
    ).sort((a, b) => a - b);
    // The goal is a median of 0.2 ms; the bound leaves room for a busy machine.
    expect(times[Math.floor(times.length / 2)]).toBeLessThan(1);
  });
});
