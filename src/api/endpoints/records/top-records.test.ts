import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchOf, rowOf } from "../../../../test/support/engine/random-rows.ts";
import { identifier, sql } from "../../../engine-sql/sql-text.ts";
import { queryableColumns } from "../../../reads/records/queryable-columns.ts";
import { ETH, hashOf } from "../../../reads/support/market.ts";
import type { Column } from "../../../schema/column.ts";
import { publicColumns } from "../../../schema/table.ts";
import { type Rows, type TableName, tableOf } from "../../../schema/tables.ts";
import { openChainStore } from "../../../storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../../storage/engines/embedded-engine.ts";
import type { Engine } from "../../../storage/store.ts";
import { engineTable } from "../../../storage/tables/ddl.ts";
import { createServer } from "../../http/server.ts";
import { get, post, type TestResponse } from "../../support/http.ts";

type AnyRow = Record<string, unknown>;

const TABLES = {
  transactions: "transactions",
  blocks: "blocks",
  logs: "logs",
  erc20: "erc20",
  erc721: "erc721",
  "dex-trades": "dex_trades",
  "token-balances": "token_balances",
} as const;
const PATHS = Object.keys(TABLES) as (keyof typeof TABLES)[];
const at = (path: string) => `/v1/topk-api/${path}`;

const LAST_BLOCK = 30;
/**
 * Returns the time of a block. The last blocks are within a day, the earlier ones within a month, and the
 * first ones are spread over years.
 */
const timeOf = (block: number) =>
  1_700_000_000 - (block > 20 ? 600 : block > 10 ? 86_400 : 10_000_000) * (LAST_BLOCK - block);

let engine: Engine;
let app: FastifyInstance;
let folder: string;
const stored = new Map<TableName, AnyRow[]>();

/**
 * Returns rows with few distinct values in most columns, so that groups have many records with many ties.
 */
function rowsOf(table: TableName): AnyRow[] {
  const { partitionBy } = tableOf(table);
  const { rows } = batchOf({ first: 1, last: LAST_BLOCK, rowsPerTable: 4 });
  const sample = fc.sample(rowOf(table), { numRuns: 3, seed: 11 }) as AnyRow[];
  const own = new Set(["record_index", "block_number", "timestamp", "log_index", "transaction_index"]);
  return ((rows as Record<string, AnyRow[]>)[table] ?? []).map((row, i) => {
    const few = Object.keys(row).map((name, column) => {
      const value = own.has(name) ? row[name] : sample[(i * 7 + column * (i % 5)) % 3]?.[name];
      return [name, Object.is(value, -0) ? 0 : value];
    });
    const time = partitionBy === undefined ? {} : { [partitionBy]: timeOf(Number(row.block_number)) };
    return { ...Object.fromEntries(few), ...time };
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quarry-top-"));
  engine = await openEmbeddedEngine({ path: folder });
  const store = await openChainStore(engine, ETH.name);
  for (const table of Object.values(TABLES)) stored.set(table, rowsOf(table));
  const trades = stored.get("dex_trades") ?? [];
  const copied = Object.keys(tableOf("wallet_trades").columns);
  stored.set(
    "wallet_trades",
    trades.map((row) => Object.fromEntries(copied.map((name) => [name, row[name]]))),
  );
  const lastBlock = { number: LAST_BLOCK, hash: hashOf(LAST_BLOCK), timestamp: timeOf(LAST_BLOCK) };
  await store.commit({ firstBlock: 1, lastBlock, rows: Object.fromEntries(stored) as Rows });
  for (const table of stored.keys()) {
    const name = engineTable(ETH.name, table);
    await engine.execute(
      sql`INSERT INTO ${name} SELECT * REPLACE (${identifier("block_number")} + 1000 AS block_number) FROM ${name}`,
    );
  }
  app = await createServer({ engine, chains: [{ chain: ETH, store }] });
});
afterAll(async () => {
  await app.close();
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

interface Query {
  groupby: string;
  eq: (string | number)[];
  sortby: string;
  order: "asc" | "desc";
  size: number;
}

const columnOf = (table: TableName, name: string): Column => tableOf(table).columns[name] as Column;

/** Returns a stored value in the form that it has in an answer. */
function preview({ kind }: Column, value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  return (kind === "wei" || kind === "uint64") && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : String(value);
}

function compared({ kind }: Column, a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "bigint" && typeof b === "bigint") return a < b ? -1 : a > b ? 1 : 0;
  const encoding = kind === "text" || kind === "label" ? "utf8" : "latin1";
  return Buffer.compare(Buffer.from(String(a), encoding), Buffer.from(String(b), encoding));
}

/** Returns the rows of a table; for a table with history, only the newest row of each key. */
function shownRows(table: TableName): AnyRow[] {
  const rows = stored.get(table) ?? [];
  const { newestOf } = tableOf(table);
  if (newestOf === undefined) return rows;
  const newest = new Map<string, AnyRow>();
  for (const row of rows) {
    const key = newestOf.map((name) => row[name]).join();
    if (Number(newest.get(key)?.record_index ?? -1) < Number(row.record_index)) newest.set(key, row);
  }
  return [...newest.values()];
}

/** Computes the answer from all rows, as the endpoint defines it. */
function expected(table: TableName, { groupby, eq, sortby, order, size }: Query): unknown {
  const sign = order === "asc" ? 1 : -1;
  const sorted = shownRows(table).toSorted((one, other) => {
    const [a, b] = [one[sortby], other[sortby]];
    const rank =
      a === null || b === null
        ? Number(a === null) - Number(b === null)
        : sign * compared(columnOf(table, sortby), a, b);
    return rank || sign * (Number(one.record_index) - Number(other.record_index));
  });
  const groups = eq.map((key) => {
    const wanted = columnOf(table, groupby).kind === "label" ? String(key) : String(key).toLowerCase();
    const records = sorted.filter((row) => row[groupby] !== null && String(row[groupby]) === wanted);
    return [String(key), records.slice(0, size).map((row) => recordOf(table, row))];
  });
  return Object.fromEntries(groups);
}

function recordOf(table: TableName, row: AnyRow): AnyRow {
  const fields = publicColumns(tableOf(table)).map(([name, column]) => [name, preview(column, row[name])]);
  return Object.fromEntries(fields);
}

const mixedCase = (value: string) => fc.mixedCase(fc.constant(value.slice(2))).map((digits) => `0x${digits}`);

/** Generates existing and missing values of a column, in all forms that clients use. */
function valuesOf(table: TableName, groupby: string): fc.Arbitrary<(string | number)[]> {
  const { kind } = columnOf(table, groupby);
  const there = [...new Set((stored.get(table) ?? []).map((row) => row[groupby]))];
  const elsewhere = fc.sample(rowOf(table), { numRuns: 3, seed: 5 }).map((row) => row[groupby]);
  const known = [...there, ...elsewhere].filter((value) => value !== null && !Object.is(value, -0));
  const isHex = ["address", "pool_id", "hash", "bytes"].includes(kind);
  const value = fc.constantFrom(...known).chain((one): fc.Arbitrary<string | number> => {
    if (isHex) return mixedCase(String(one));
    return typeof one === "number" ? fc.constantFrom(one, String(one)) : fc.constant(String(one));
  });
  return fc.uniqueArray(value, { minLength: 1, maxLength: 5, selector: String });
}

/**
 * Returns all queryable columns except `method_id`: it has four bytes, but the random rows have any number.
 */
const queryable = (table: TableName) =>
  queryableColumns(tableOf(table)).filter((name) => name !== "method_id");

function anyQuery(table: TableName): fc.Arbitrary<Query> {
  const column = fc.constantFrom(...queryable(table));
  return column.chain((groupby) =>
    fc.record({
      groupby: fc.constant(groupby),
      eq: valuesOf(table, groupby),
      sortby: fc.oneof(column, fc.constantFrom("timestamp", "block_number", "record_index")),
      order: fc.constantFrom("asc", "desc"),
      size: fc.integer({ min: 1, max: 9 }),
    }),
  );
}

async function requestBy(form: string, path: string, query: Query): Promise<TestResponse> {
  const list = query.eq.join();
  const splits = query.eq.some((value) => /,/.test(String(value)) || value === "");
  if (form === "list" || splits) return post(app, at(path), query);
  if (form === "text" || list.length > 300) return post(app, at(path), { ...query, eq: list });
  return get(app, at(path), { ...query, eq: list });
}

describe.each(PATHS)("first records of groups of %s", (path) => {
  const table = TABLES[path];

  it("equal those of a sort over all rows", async () => {
    const form = fc.constantFrom("list", "text", "get");
    const query = fc.constant(0).chain(() => anyQuery(table));
    await fc.assert(
      fc.asyncProperty(query, form, async (one, how) => {
        const { status, body } = await requestBy(how, path, one);
        expect([status, body]).toEqual([200, expected(table, one)]);
      }),
      { numRuns: 40 },
    );
  });
});
