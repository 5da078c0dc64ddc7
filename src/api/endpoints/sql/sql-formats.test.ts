import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseCsv } from "../../../cli/query/csv.ts";
import type { AnswerFormat } from "../../../reads/rows/answer-format.ts";
import { hashOf, hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { recordIndexOf } from "../../../schema/record-index.ts";
import type { RowOf } from "../../../schema/tables.ts";
import { createServer } from "../../http/server.ts";
import { READERS } from "../../support/answer-readers.ts";

const AT = 1_704_412_800;
const BLOCK = 1_051;
const FILES = ["ndjson", "csv", "parquet", "arrow"] as const;

/** Strings that some formats may garble, and large numbers. */
const NAMES = [
  null,
  "",
  "plain",
  "with, comma",
  'with "quotes" and \\backslash\\',
  "two\nlines\r\nand\ttab",
  "NULL",
  "\\N",
  "Ünïcödé 🚀 \u2028 漢字",
  "'single'",
];
const AMOUNTS = [0n, 1n, 2n ** 53n, 2n ** 64n, 10n ** 38n, 2n ** 256n - 1n];

const GAS_LIMITS = [21_000n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n];

const transfers = NAMES.map(
  (name, i): RowOf<"erc20"> => ({
    record_index: recordIndexOf("wide", BLOCK, i),
    transaction_hash: hexOf(i, 32),
    transaction_index: i,
    block_number: BLOCK,
    timestamp: AT,
    from_address: hexOf(i),
    to_address: hexOf(0xdead),
    token_address: hexOf(0xe),
    token_symbol: name,
    token_name: name,
    log_index: i,
    value_base: AMOUNTS[i % AMOUNTS.length] ?? 0n,
    value_token: i % 3 === 0 ? null : i / 7,
    value_usd: i === 1 ? 1e300 : i === 2 ? 5e-324 : 0.1 - i,
  }),
);

const transactions = AMOUNTS.map(
  (amount, i): RowOf<"transactions"> => ({
    timestamp: AT,
    transaction_hash: hexOf(i, 32),
    transaction_index: i,
    block_number: BLOCK,
    block_hash: hashOf(BLOCK),
    from_address: hexOf(i),
    to_address: i === 0 ? null : hexOf(1),
    contract_address: null,
    value_base: amount,
    value_eth: Number(amount) / 1e18,
    nonce: i,
    input: i === 0 ? "0x" : "0xa9059cbb0102",
    method_id: i === 0 ? null : "0xa9059cbb",
    type: 2,
    gas_limit: GAS_LIMITS[i % GAS_LIMITS.length] ?? 0n,
    gas_used: 21_000,
    gas_price: 2n ** BigInt(20 * i),
    max_fee_per_gas: i === 0 ? null : 2n ** BigInt(20 * i),
    max_priority_fee_per_gas: null,
    transaction_fee_eth: 0.001,
    transaction_fee_usd: null,
    status: i % 2,
    record_index: recordIndexOf("wide", BLOCK, i),
  }),
);

const QUERIES = [
  "SELECT * FROM eth_erc20 ORDER BY record_index",
  "SELECT * FROM eth_transactions ORDER BY record_index",
  "SELECT * FROM eth_dex_trades ORDER BY record_index DESC LIMIT 500",
  "SELECT SUM(value_base) AS total, MAX(value_base) AS most, COUNT(*) AS n, AVG(value_token) AS mean FROM eth_erc20",
  "SELECT HISTOGRAM(timestamp, INTERVAL 1 MONTH) AS month, COUNT(*) AS n, MIN(timestamp) AS first FROM eth_dex_trades GROUP BY month",
  "SELECT gas_price > 5 AS expensive, gas_price * 1000000 AS wide, gas_used - 30000 AS negative, NOW() > timestamp AS past FROM eth_transactions ORDER BY record_index",
  "SELECT SUM(value_base) AS none, MAX(timestamp) AS no_time, MAX(gas_price) AS no_price FROM eth_transactions WHERE block_number < 0",
  'SELECT COUNT(*) AS "a ""strange"", nâme", 1 AS one FROM eth_erc20',
  "SELECT nonce, nonce, nonce AS again FROM eth_transactions ORDER BY 1",
  "SHOW TABLES",
  "DESCRIBE eth_erc20",
];

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  const trades = Array.from({ length: 10_001 }, (_, i) => ({
    token: hexOf(1),
    at: AT - 100 + Math.floor(i / 200),
    price: i % 9 === 0 ? null : 1 + i / 7,
  }));
  market = await openMarket(trades);
  await market.store.commit({
    firstBlock: BLOCK,
    lastBlock: { number: BLOCK, hash: hashOf(BLOCK), timestamp: AT },
    rows: { erc20: transfers, transactions },
  });
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

async function request(body: Record<string, unknown>, headers: Record<string, string> = {}) {
  const {
    statusCode,
    headers: got,
    rawPayload,
  } = await app.inject({
    method: "POST",
    url: "/v1/sql",
    payload: body,
    headers,
  });
  return { status: statusCode, headers: got, bytes: rawPayload };
}

async function rowsIn(format: Exclude<AnswerFormat, "csv">, query: string) {
  const { status, bytes } = await request({ query, format });
  expect([status, status === 200 ? "" : bytes.toString()]).toEqual([200, ""]);
  return READERS[format](bytes);
}

/**
 * Converts all values of some columns to text. JSON has text only for integers that are too large for its
 * numbers, but a file's column has one type, so all of its values are text.
 */
const wideAsDigits = (rows: Record<string, unknown>[]) => {
  const wide = /^(gas_price|max_fee_per_gas|max_priority_fee_per_gas|wide|no_price)$/;
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        wide.test(name) && value !== null ? String(value) : value,
      ]),
    ),
  );
};

describe("the formats of POST /v1/sql", () => {
  it.each(QUERIES)("have the same rows: %s", async (query) => {
    const rows = await rowsIn("json", query);
    expect(rows.length).toBeGreaterThan(0);
    expect(await rowsIn("ndjson", query)).toEqual(rows);
    expect(await rowsIn("parquet", query)).toEqual(wideAsDigits(rows));
    expect(await rowsIn("arrow", query)).toEqual(wideAsDigits(rows));
    const [names, ...records] = parseCsv((await request({ query, format: "csv" })).bytes.toString());
    expect(names).toEqual(Object.keys(rows[0] ?? {}));
    const asText = (value: unknown) => (value === null ? null : String(value));
    expect(records.map((record) => record.map(canonical))).toEqual(
      rows.map((row) => Object.values(row).map((value) => canonical(asText(value)))),
    );
  });

  it.each(FILES)("%s has no rows for an empty result", async (format) => {
    const query = "SELECT block_number, timestamp, value_base FROM eth_erc20 WHERE block_number < 0";
    const { status, bytes, headers } = await request({ query, format });
    expect([status, headers["x-truncated"]]).toEqual([200, "false"]);
    if (format === "csv") expect(bytes.toString()).toBe('"block_number","timestamp","value_base"\n');
    else expect(await READERS[format](bytes)).toEqual([]);
  });

  it.each(["json", ...FILES] as const)("%s reports truncation, and only then", async (format) => {
    const count = async (bytes: Buffer) =>
      format === "csv" ? parseCsv(bytes.toString()).length - 1 : (await READERS[format](bytes)).length;
    const base = "SELECT record_index, token_name FROM eth_dex_trades";
    const responses = await Promise.all(
      [base, `${base} WHERE log_index > 0 OR block_number > 1000`, `${base} LIMIT 10000`].map((query) =>
        request({ query, format }),
      ),
    );
    const truncation = await Promise.all(
      responses.map(async ({ bytes, headers }) => [
        await count(bytes),
        headers["x-row-limit"],
        headers["x-truncated"],
      ]),
    );
    expect(truncation).toEqual([
      [10_000, "10000", "true"],
      [10_000, "10000", "false"],
      [10_000, "10000", "false"],
    ]);
  });

  it.each(["json", ...FILES] as const)("%s has at most max_rows, and reports more", async (format) => {
    const query = "SELECT record_index FROM eth_dex_trades ORDER BY record_index";
    const limited = async (limit: string, max_rows: number) => {
      const { bytes, headers } = await request({ query: `${query}${limit}`, format, max_rows });
      const rows =
        format === "csv" ? parseCsv(bytes.toString()).length - 1 : (await READERS[format](bytes)).length;
      return [rows, headers["x-row-limit"], headers["x-truncated"], headers["x-chain"]];
    };
    expect(await limited("", 20)).toEqual([20, "20", "true", "eth"]);
    expect(await limited(" LIMIT 5000", 20)).toEqual([20, "20", "true", "eth"]);
    expect(await limited(" LIMIT 20", 20)).toEqual([20, "20", "false", "eth"]);
    expect(await limited(" LIMIT 7", 20)).toEqual([7, "7", "false", "eth"]);
  });

  it("keep the order of the query when truncated", async () => {
    const query = "SELECT record_index FROM eth_dex_trades ORDER BY record_index DESC";
    const rows = await rowsIn("json", query);
    expect(rows).toHaveLength(10_000);
    for (const format of ["ndjson", "parquet", "arrow"] as const) {
      expect(await rowsIn(format, query)).toEqual(rows);
    }
  });

  it("have their own limits", async () => {
    const query = "SELECT record_index FROM eth_dex_trades LIMIT 1000000";
    const rejected = await request({ query });
    expect([rejected.status, rejected.bytes.toString()]).toEqual([400, expect.stringContaining("100000")]);
    expect(await rowsIn("ndjson", query)).toHaveLength(10_001);
    const beyond = await request({ query: query.replace("1000000", "1000001"), format: "csv" });
    expect([beyond.status, beyond.bytes.toString()]).toEqual([400, expect.stringContaining("1000000")]);
  });

  it("have proper types in files", async () => {
    const query = "SELECT * FROM eth_transactions";
    const { tableFromIPC } = await import("apache-arrow");
    const table = tableFromIPC((await request({ query, format: "arrow" })).bytes);
    const types = Object.fromEntries(table.schema.fields.map(({ name, type }) => [name, String(type)]));
    expect(types).toMatchObject({
      timestamp: "Timestamp<MILLISECOND, UTC>",
      block_number: "Int64",
      status: "Int64",
      value_base: "Utf8",
      gas_price: "Utf8",
      value_eth: "Float64",
      from_address: "Utf8",
    });
  });
});

/** Converts numbers to one form, because a number can be written in several valid ways. */
function canonical(field: string | null): string | null {
  return field !== null && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(field) && /[.e]/.test(field)
    ? String(Number(field))
    : field;
}

describe("the choice of a format", () => {
  const query = "SELECT COUNT(*) AS n FROM eth_erc20";

  it.each([
    [{}, {}, "application/json; charset=utf-8"],
    [{}, { accept: "text/csv" }, "text/csv; charset=utf-8; header=present"],
    [{ format: "ndjson" }, { accept: "text/csv" }, "application/x-ndjson; charset=utf-8"],
    [{ format: "parquet" }, {}, "application/vnd.apache.parquet"],
    [{}, { accept: "application/vnd.apache.arrow.stream" }, "application/vnd.apache.arrow.stream"],
  ])("%o %o: %s", async (body, headers, type) => {
    const answer = await request({ query, ...body }, headers as Record<string, string>);
    expect([answer.status, answer.headers["content-type"], answer.headers.vary]).toEqual([
      200,
      type,
      "Accept",
    ]);
    expect(answer.headers).toMatchObject({
      "x-indexed-block": String(BLOCK),
      "x-commit": "2",
      "x-row-limit": "10000",
      "x-truncated": "false",
    });
  });

  it("may be in the URL", async () => {
    const { payload } = await app.inject({ method: "POST", url: "/v1/sql?format=csv", payload: { query } });
    expect(payload).toBe(`"n"\n${NAMES.length}\n`);
  });

  it("as CSV may be made safe for spreadsheets, and is unchanged otherwise", async () => {
    const formula = "SELECT '=1+1' AS formula, -1 AS n FROM eth_blocks LIMIT 1";
    const csvWith = async (body: object) =>
      (await request({ query: formula, format: "csv", ...body })).bytes.toString();
    expect(await csvWith({ csv_safe: true })).toBe('"formula","n"\n"\'=1+1",-1\n');
    expect(await csvWith({})).toBe('"formula","n"\n"=1+1",-1\n');
    const json = await request({ query: formula, format: "json", csv_safe: true });
    expect(JSON.parse(json.bytes.toString())).toEqual([{ formula: "=1+1", n: -1 }]);
  });

  it("has digits without quotes in CSV, however wide the integer, so no sign looks like a formula", async () => {
    const wide =
      "SELECT SUM(-gas_limit) AS n, MAX(gas_limit) AS m, MAX(gas_price) AS p, SUM(-5 - nonce) AS s FROM eth_transactions";
    const expected = [
      -GAS_LIMITS.reduce((sum, limit) => sum + limit, 0n),
      ...[2n ** 64n - 1n, 2n ** 100n, -45n],
    ];
    for (const csv_safe of [true, false]) {
      const { bytes } = await request({ query: wide, format: "csv", csv_safe });
      expect(bytes.toString()).toBe(`"n","m","p","s"\n${expected.join()}\n`);
    }
  });

  it.each([
    [{ format: "xml" }, {}, 400, "expected json, ndjson, csv, parquet or arrow."],
    [
      {},
      { accept: "text/html" },
      406,
      "Set Accept to one of application/json, application/x-ndjson, text/csv",
    ],
  ])("rejects %o %o", async (body, headers, status, message) => {
    const answer = await request({ query, ...body }, headers as Record<string, string>);
    expect([answer.status, answer.headers["content-type"]]).toEqual([
      status,
      "application/json; charset=utf-8",
    ]);
    expect(JSON.parse(answer.bytes.toString())).toEqual({ error: expect.stringContaining(message) });
  });
});
