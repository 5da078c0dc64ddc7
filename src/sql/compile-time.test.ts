import { describe, expect, it } from "vitest";
import { identifier } from "../engine-sql/sql-text.ts";
import { compileSql, type SqlContext } from "./compile.ts";
import { SqlError } from "./syntax/sql-error.ts";

const context: SqlContext = {
  chains: ["eth"],
  now: 1_710_072_000,
  engineTable: (chain, table) => identifier(`${chain}_${table}`),
  listedTokens: () => [],
};

/** Maximum length of a query's text, in bytes. */
const BYTES = 256 * 1024;

/** Joins as many pieces as fit into the text, but at most `most`, to stay below other limits. */
function many(piece: string, separator: string, { bytes = BYTES - 1_000, most = 1e6 } = {}): string {
  const count = Math.min(most, Math.floor(bytes / (piece.length + separator.length)));
  return Array.from({ length: count }, () => piece).join(separator);
}

const list = (piece: string, most?: number) => many(piece, ",", most === undefined ? {} : { most });
const select = (rest: string) => `SELECT ${rest} FROM eth_dex_trades`;
const nested = (levels: number, inner: string, wrap: (inner: string) => string): string =>
  levels === 0 ? inner : nested(levels - 1, wrap(inner), wrap);

const HALF = { bytes: BYTES / 2 - 1_000 };
const BIG = `1${"0".repeat(76)}`;
const HASH = `'0x${"0".repeat(64)}'`;

/**
 * Wide and deep statements. The compiler takes time in proportion to the length of each, or rejects it early.
 */
const WIDE: Record<string, string> = {
  "GREATEST of many": select(`GREATEST(${list("log_index", 3_900)})`),
  "LEAST of many numbers": select(`LEAST(${list("1", 7_900)}) AS least`),
  "COALESCE of wide numbers": select(`COALESCE(${list(BIG)}) AS first`),
  "CASE with many branches": select(`CASE ${many("WHEN TRUE THEN 1", " ", { most: 2_600 })} END AS value`),
  "CASE of a value": select(`CASE log_index ${many("WHEN 1 THEN 2", " ", { most: 3_900 })} END AS value`),
  "nested COALESCE": select(nested(60, list("log_index", 7_800), (inner) => `COALESCE(${inner},1)`)),
  "nested IIF": select(
    nested(55, `COALESCE(${list("side", 4_000)})`, (inner) => `IIF(side='a',${inner},side)`),
  ),
  "many stars": select(list("*")),
  "many columns of one name": select(list("log_index+1 a")),
  "an IN list of hashes": `${select("side")} WHERE transaction_hash IN (${list(HASH)})`,
  "an IN list of numbers": `${select("side")} WHERE log_index IN (${list("7", 7_900)})`,
  "AND of many": `${select("side")} WHERE ${many("side='a'", " AND ")}`,
  "OR of many": `${select("side")} WHERE ${many("log_index=1", " OR ")}`,
  "deep parentheses": `${select("side")} WHERE ${many(`${"(".repeat(58)}TRUE${")".repeat(58)}`, " OR ")}`,
  parentheses: select("(".repeat(BYTES - 100)),
  "an alias that is ordered by often": `${select(`CONCAT(${many("side", ",", HALF)}) AS a`)} ORDER BY ${many("a", ",", HALF)}`,
  "a long text that is ordered by often": `${select(`'${"x".repeat(HALF.bytes)}' AS a`)} ORDER BY CONCAT(${many("a", ",", { most: 7_000 })})`,
  "a position that is grouped by often": `${select(`CONCAT(${many("side", ",", HALF)}) AS a`)} GROUP BY ${many("1", ",", HALF)}`,
  "a long text in copies": select(
    nested(7, `CONCAT(side,'${"x".repeat(HALF.bytes)}')`, (inner) => `REPLACE('a',${inner},'b')`),
  ),
  "a long LIKE": `${select("side")} WHERE side LIKE '${"!%".repeat(HALF.bytes)}' ESCAPE '!'`,
  "a text of quotes": `${select("side")} WHERE side = '${"''a".repeat(HALF.bytes / 2)}'`,
  "many patterns": `${select("side")} WHERE ${many(`side RLIKE '${"[a-z]{3}".repeat(100)}'`, " OR ")}`,
  "long names": `${select(Array.from({ length: 390 }, (_, i) => `1 AS "${i}${"x".repeat(600)}"`).join(","))} ORDER BY "${"x".repeat(600)}"`,
};

/** Compiles a statement. Returns the length of the engine's SQL, or the error. */
function outcomeOf(query: string): string {
  try {
    return `${compileSql(query, context).print(106).length} characters`;
  } catch (error) {
    if (error instanceof SqlError) return error.message;
    throw error;
  }
}

describe("the time of compiling", () => {
  it("is short for wide and deep statements of the greatest length", () => {
    const before = process.cpuUsage();
    const outcomes = Object.entries(WIDE).map(([name, query]) => {
      expect(query.length, name).toBeLessThanOrEqual(BYTES);
      return [name, outcomeOf(query)] as const;
    });
    const { user, system } = process.cpuUsage(before);
    // All statements together take 0.4 s, and would take 20 s if some of them took quadratic time.
    expect((user + system) / 1e6).toBeLessThan(4);
    expect(Object.fromEntries(outcomes)).toMatchObject({
      "GREATEST of many": expect.stringMatching(/characters$/),
      "CASE with many branches": expect.stringMatching(/characters$/),
      "an IN list of hashes": expect.stringMatching(/characters$/),
      parentheses: "line 1:40007: the query has more than 40000 words, values and symbols",
    });
  });

  it("bounds the statement for the engine, however often an alias or a function repeats a long text", () => {
    for (const [name, query] of Object.entries(WIDE)) {
      const outcome = outcomeOf(query);
      expect(Number(/^(\d+) characters$/.exec(outcome)?.[1] ?? 0), name).toBeLessThan(4 * 2 ** 20);
    }
    expect(outcomeOf(WIDE["a long text in copies"] ?? "")).toContain("has more than 8000 names, values");
    expect(outcomeOf(WIDE["a long text that is ordered by often"] ?? "")).toContain("has more than 8000");
  });

  it("reports where the query becomes too large", () => {
    const repeated = `${select(`log_index${"+1".repeat(50)} AS a`)}\nORDER BY ${many("a", ", ", { most: 100 })}`;
    expect(outcomeOf(repeated)).toBe(
      "line 2:124: the query has more than 8000 names, values and operations, with its aliases written out",
    );
  });
});
