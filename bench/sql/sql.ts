/**
 * How long does it take to compile a client's SQL to the engine's? Compiles every query of docs/sql.md.
 *
 *     npm run bench -- sql [--rounds 400]
 */
import { join } from "node:path";
import { identifier } from "../../src/engine-sql/sql-text.ts";
import { compileSql, type SqlContext } from "../../src/sql/compile.ts";
import { readQuerySpecs } from "../../test/sql/support/query-specs.ts";
import { benchOptions } from "../support/bench-options.ts";
import { printTable } from "../support/print-table.ts";

const { rounds } = benchOptions({ rounds: 400 }, { rounds: 3 });

const context: SqlContext = {
  chains: ["eth", "base", "matic"],
  now: 1_710_072_000,
  engineTable: (chain, table) => identifier(`${chain}_${table}`),
  listedTokens: () => [],
};

const queries = readQuerySpecs(join(import.meta.dirname, "../../test/sql/queries"))
  .filter(({ file }) => file === "docs.spec")
  .flatMap(({ specs }) => specs);

const times = new Map<string, number[]>(queries.map(({ name }) => [name, []]));
for (let round = 0; round < 2 * rounds; round++) {
  for (const { name, query } of queries) {
    const start = performance.now();
    compileSql(query, context).print(20_000_000);
    if (round >= rounds) times.get(name)?.push(performance.now() - start);
  }
}

const rank = (values: number[], share: number) =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN).toFixed(3);

printTable(
  ["query", "ms, median"],
  [...times].map(([name, values]) => [name, rank(values, 0.5)]),
);
const all = [...times.values()].flat();
console.log(`${queries.length} queries: p50 ${rank(all, 0.5)} ms, p99 ${rank(all, 0.99)} ms`);
