import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { createServer } from "../../http/server.ts";
import { get, post } from "../../support/http.ts";
import { bufferFiles, canListOpenFiles } from "../../support/open-files.ts";

const AT = 1_704_412_800;
const TRADES = 12_000;

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  const trades = Array.from({ length: TRADES }, (_, i) => ({
    token: hexOf(1 + (i % 3)),
    at: AT + Math.floor(i / 100),
    price: 1 + i / 7,
  }));
  market = await openMarket(trades);
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

const run = (query: unknown, key = "query") => post(app, "/v1/sql", { [key]: query });

describe("POST /v1/sql", () => {
  it("returns rows as a JSON array, with the commit they are as of", async () => {
    const { status, body, headers } = await run(
      "SELECT token_address, COUNT(*) AS trades FROM eth_dex_trades GROUP BY token_address ORDER BY token_address",
    );
    expect([status, body]).toEqual([
      200,
      [1, 2, 3].map((n) => ({ token_address: hexOf(n), trades: TRADES / 3 })),
    ]);
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-first-block": "1000",
      "x-indexed-block": "1119",
      "x-indexed-timestamp": String(AT + 119),
      "x-chain": "eth",
      "x-row-limit": "10000",
      "x-truncated": "false",
      "x-elapsed-ms": expect.stringMatching(/^\d+$/),
    });
  });

  it("reports truncation, and only then", async () => {
    const cut = await run("SELECT record_index FROM eth_dex_trades ORDER BY record_index");
    expect([cut.body.length, cut.headers["x-row-limit"], cut.headers["x-truncated"]]).toEqual([
      10_000,
      "10000",
      "true",
    ]);
    const whole = await run("SELECT record_index FROM eth_dex_trades ORDER BY record_index LIMIT 12000");
    expect([whole.body.length, whole.headers["x-row-limit"], whole.headers["x-truncated"]]).toEqual([
      12_000,
      "12000",
      "false",
    ]);
    expect(whole.body.slice(0, 10_000)).toEqual(cut.body);
    const few = await run("SELECT record_index FROM eth_dex_trades ORDER BY record_index DESC LIMIT 3");
    expect([few.body, few.headers["x-truncated"]]).toEqual([whole.body.slice(-3).reverse(), "false"]);
  });

  it("accepts queries of 256 KiB: lists of thousands of hashes, and text that JSON escapes", async () => {
    const hashes = Array.from({ length: 3_600 }, (_, i) => `'${hexOf(i, 32)}'`);
    const listed = `SELECT COUNT(*) AS n FROM eth_dex_trades WHERE transaction_hash IN (${hashes.join()})`;
    expect(await run(listed)).toMatchObject({ status: 200, body: [{ n: 0 }] });
    const start = "SELECT COUNT(*) AS n FROM eth_dex_trades --";
    const escaped = (text: string) => JSON.stringify({ query: text }).replaceAll("é", "\\u00e9");
    for (const [spare, status] of [
      [0, 200],
      [2, 400],
    ] as const) {
      const length = (256 * 1024 + spare - start.length - (start.length % 2)) / 2;
      const payload = escaped(start + "é".repeat(Math.floor(length)));
      const headers = { "content-type": "application/json" };
      const answer = await app.inject({ method: "POST", url: "/v1/sql", payload, headers });
      const body = status === 200 ? `{"n":${TRADES}}` : "longer than 262144 bytes";
      expect([answer.statusCode, answer.body]).toEqual([status, expect.stringContaining(body)]);
    }
  });

  it("buffers large answers in files, unchanged", async () => {
    const small = await createServer({ ...market, limits: { answerMemoryBytes: 1000 } });
    const query = "SELECT * FROM eth_dex_trades ORDER BY record_index LIMIT 2000";
    const buffered = await post(small, "/v1/sql", { query });
    expect(buffered.body).toEqual((await run(query)).body);
    expect(buffered.body).toHaveLength(2000);
    await small.close();
  });

  it.each([2 ** 20, 1000])(
    "reports the length of an answer, of which %i bytes are in memory",
    async (answerMemoryBytes) => {
      const held = await createServer({ ...market, limits: { answerMemoryBytes } });
      const query = "SELECT * FROM eth_dex_trades ORDER BY record_index LIMIT 2000";
      const response = await held.inject({ method: "POST", url: "/v1/sql?format=csv", body: { query } });
      expect(Number(response.headers["content-length"])).toBe(response.rawPayload.length);
      expect(response.headers["transfer-encoding"]).toBeUndefined();
      await held.close();
    },
  );

  it("rejects answers beyond its limit instead of cutting them", async () => {
    const small = await createServer({ ...market, limits: { answerMemoryBytes: 100, answerBytes: 10_000 } });
    const { status, body } = await post(small, "/v1/sql", { query: "SELECT * FROM eth_dex_trades" });
    expect([status, body.error]).toEqual([400, expect.stringContaining("lower LIMIT")]);
    await small.close();
  });

  it.skipIf(!canListOpenFiles)("leaves no file when the client disconnects during an answer", async () => {
    const small = await createServer({ ...market, limits: { answerMemoryBytes: 1000 } });
    await small.listen({ port: 0, host: "127.0.0.1" });
    const client = new AbortController();
    const response = await fetch(`${small.listeningOrigin}/v1/sql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "SELECT * FROM eth_dex_trades LIMIT 12000" }),
      signal: client.signal,
    });
    expect(bufferFiles()).toBe(1);
    await response.body?.getReader().read();
    client.abort();
    await expect.poll(bufferFiles).toBe(0);
    await small.close();
  });

  it.each([
    [408, "took longer than 0.001 s", { queryTimeMs: 1 }],
    [400, "needs more than 1 MiB of memory", { queryMemoryBytes: 2 ** 20 }],
  ])("responds with %i when a query exceeds a limit: %s", async (expected, message, limits) => {
    const small = await createServer({ ...market, limits });
    const query = "SELECT * FROM eth_dex_trades ORDER BY transaction_hash LIMIT 12000";
    const { status, body } = await post(small, "/v1/sql", { query });
    expect([status, body.error]).toEqual([expected, expect.stringContaining(message)]);
    await small.close();
  });

  it("has no rows for SHOW TABLES while no chain is indexed, in every format", async () => {
    const empty = await createServer({ engine: market.engine, chains: [] });
    for (const [format, body] of [
      ["json", "[\n\n]\n"],
      ["csv", '"table","description"\n'],
      ["ndjson", ""],
    ]) {
      const answer = await empty.inject({
        ...{ method: "POST", url: "/v1/sql", payload: { query: "SHOW TABLES", format } },
      });
      expect([answer.statusCode, answer.body]).toEqual([200, body]);
    }
    await empty.close();
  });

  it("shows tables without reading a chain", async () => {
    const { status, body, headers } = await run("SHOW TABLES");
    expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining("eth_dex_trades")]);
    expect(headers["x-indexed-block"]).toBeUndefined();
  });

  it.each([
    [undefined, "Missing required parameter: query"],
    ["", "Missing required parameter: query"],
    ["  ", "Invalid parameter query"],
    [["SELECT 1"], "Invalid parameter query"],
    ["SELECT nothing FROM eth_blocks", "line 1:8: "],
    ["SELECT 1 FROM system.tables", "line 1:"],
    ["SELECT * FROM eth_logs; DROP TABLE eth_logs", "line 1:"],
  ])("rejects %o", async (query, message) => {
    const { status, body } = await run(query);
    expect([status, Object.keys(body)]).toEqual([400, ["error"]]);
    expect(body.error).toContain(message);
  });

  it("allows only POST", async () => {
    expect((await get(app, "/v1/sql", { query: "SELECT 1" })).status).toBe(405);
  });
});
