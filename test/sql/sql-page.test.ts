import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CAST_TARGETS } from "../../src/sql/bind/casts.ts";
import { FUNCTION_FAMILIES, FUNCTION_NAMES, FUNCTIONS } from "../../src/sql/functions/functions.ts";
import type { SqlFunction } from "../../src/sql/functions/sql-function.ts";
import { type FixtureEngine, fixtureSql, openFixture } from "./support/query-engine.ts";
import { readQuerySpecs } from "./support/query-specs.ts";

const PAGE = join(import.meta.dirname, "../../docs/sql.md");
const QUERIES = readQuerySpecs(join(import.meta.dirname, "queries")).find(({ file }) => file === "docs.spec");

let engine: FixtureEngine;

beforeAll(async () => {
  engine = await openFixture();
});

afterAll(async () => {
  await engine.close();
});

describe("the functions of the dialect", () => {
  it.each(FUNCTIONS)(
    "$name returns the value of its example",
    async ({ example: [expression, value], aggregate }) => {
      const rows = aggregate ? "" : " WHERE log_index = 13";
      const query = `SELECT ${expression} AS x FROM eth_dex_trades${rows}`;
      const [answer = "{}"] = await engine.lines(fixtureSql(query));
      expect(JSON.parse(answer).x).toEqual(value);
    },
  );

  it("have unique names", () => {
    const named = FUNCTIONS.flatMap(({ name, synonyms = [] }) => [name, ...synonyms]);
    expect(FUNCTION_NAMES).toEqual(named);
  });
});

it("docs/sql.md has every function and type, and every query of docs.spec with its answer", async () => {
  const page = readFileSync(PAGE, "utf8");
  const named = (mark: string) =>
    [...page.matchAll(new RegExp(`<!-- ${mark}: (.+) -->`, "g"))].map(([, name]) => name);
  expect(named("functions")).toEqual(Object.keys(FUNCTION_FAMILIES));
  expect(named("query").toSorted()).toEqual(QUERIES?.specs.map(({ name }) => name).toSorted());
  // After a change of a function or a query, run `npx vitest run test/sql/sql-page.test.ts -u` to write the
  // page.
  await expect(withQueries(withTables(page))).toMatchFileSnapshot(PAGE);
});

it("README.md has the number of functions in docs/sql.md", () => {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const [, count] = /\bRLIKE and (\d+)\s+functions\b/.exec(readme) ?? [];
  expect(Number(count)).toBe(FUNCTIONS.length);
});

const TABLE = /\n(?:\n\|(?:[^\n]*\n\|)*[^\n]*\n)?/.source;

/** Returns the page with the generated tables after their marks. */
function withTables(page: string): string {
  return page
    .replaceAll(
      new RegExp(`(<!-- functions: (\\S+) -->)${TABLE}`, "g"),
      (_, mark: string, family: string) => {
        const functions = Object.entries(FUNCTION_FAMILIES).find(([name]) => name === family)?.[1] ?? [];
        const head = ["| function | returns | example | |", "| --- | --- | --- | --- |"];
        return `${mark}\n\n${[...head, ...functions.map(functionRow)].join("\n")}\n`;
      },
    )
    .replace(new RegExp(`(<!-- types -->)${TABLE}`), (_, mark: string) => {
      const rows = CAST_TARGETS.map(({ names, doc }) => `| ${names.map(code).join(" ")} | ${doc} |`);
      return `${mark}\n\n${["| type | result |", "| --- | --- |", ...rows].join("\n")}\n`;
    });
}

const code = (text: string) => `\`${text}\``;

function functionRow({ signature, synonyms = [], doc, example: [expression, value] }: SqlFunction): string {
  const also = synonyms.length === 0 ? "" : `; also ${synonyms.map(code).join(" ")}`;
  const cells = [code(signature), `${doc}${also}`, code(expression), code(JSON.stringify(value))];
  return `| ${cells.join(" | ")} |`;
}

/** Returns the page with each query and its rows after its mark. */
function withQueries(page: string): string {
  const block = "\\n(?:\\n```sql\\n[^`]*```\\n\\n```json\\n[^`]*```\\n)?";
  return page.replaceAll(
    new RegExp(`(<!-- query: (.+) -->)${block}`, "g"),
    (_, mark: string, name: string) => {
      const { query = "", rows = [] } = QUERIES?.specs.find((spec) => spec.name === name) ?? {};
      const array = `[\n${rows?.map((row) => `  ${row}`).join(",\n")}\n]`;
      return `${mark}\n\n\`\`\`sql\n${query}\n\`\`\`\n\n\`\`\`json\n${array}\n\`\`\`\n`;
    },
  );
}
