import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../../src/reads/support/market.ts";
import { all } from "../../support/all.ts";
import { type Listening, serve, serveAnswers } from "../../support/service.ts";
import { type Client, createClient } from "../index.ts";

const AT = 1_704_412_800;
const TRADES = 10_500;
const LIMITS = { "x-truncated": "false", "x-row-limit": "10" };

let market: Market;
let service: Listening;
let quarry: Client;
const open: Listening[] = [];

beforeAll(async () => {
  const trades = Array.from({ length: TRADES }, (_, i) => ({
    token: hexOf(1),
    at: AT + Math.floor(i / 500),
    price: i + 1,
  }));
  market = await openMarket(trades);
  service = await serve(market);
  quarry = createClient({ url: service.url });
});
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
afterAll(async () => {
  await service.close();
  await market.close();
});

describe("sqlStream", () => {
  const query =
    "SELECT record_index, price_token_usd_tick_1 AS price FROM eth_dex_trades ORDER BY record_index";

  it("yields the rows of sql one by one, with their metadata", async () => {
    const { rows, ...known } = await quarry.sqlStream(query);
    const { rows: held, ...same } = await quarry.sql(query);
    expect(await all(rows)).toEqual(held);
    expect({ ...known, elapsedMs: 0 }).toEqual({ ...same, elapsedMs: 0 });
    expect([known.elapsedMs, same.elapsedMs].every((elapsed) => Number.isInteger(elapsed))).toBe(true);
    expect(known).toMatchObject({ truncated: true, rowLimit: 10_000, asOf: { block: 1020 } });
  });

  it("yields more rows than fit into one JSON response", async () => {
    const { rows, truncated } = await quarry.sqlStream<{ price: number }>(`${query} LIMIT 1000000`);
    const prices = (await all(rows)).map(({ price }) => price);
    expect([prices.length, prices.at(-1), truncated]).toEqual([TRADES, TRADES, false]);
  });

  it("can be left at any row", async () => {
    const { rows } = await quarry.sqlStream<{ price: number }>(`${query} LIMIT 10500`);
    for await (const { price } of rows) if (price === 5) break;
    expect((await quarry.sql("SHOW TABLES")).rows.length).toBeGreaterThan(0);
  });

  it("throws the service's error", async () => {
    await expect(quarry.sqlStream("SELECT x FROM eth_blocks")).rejects.toMatchObject({
      name: "QuarryError",
      status: 400,
      message: expect.stringContaining("line 1:8"),
    });
  });

  it.each([
    ["is cut off", "No complete response"],
    ["ends within a row", "was cut off in the middle of a row"],
    ["stalls", "no data for 300 ms"],
  ])("throws when the response %s", async (how, message) => {
    const server = await serveAnswers((_request, response) => {
      response.writeHead(200, LIMITS).write('{"n":1}\n{"n":');
      if (how === "is cut off") setTimeout(() => response.destroy(), 50);
      if (how === "ends within a row") response.end();
    });
    open.push(server);
    const { rows } = await createClient({ url: server.url, timeoutMs: 300 }).sqlStream(query);
    expect(await rows.next()).toEqual({ done: false, value: { n: 1 } });
    await expect(rows.next()).rejects.toMatchObject({
      name: "QuarryError",
      message: expect.stringContaining(message),
    });
  });

  it("stops at the caller's signal, even in the middle", async () => {
    const server = await serveAnswers((_request, response) => {
      response.writeHead(200, LIMITS).write('{"n":1}\n');
    });
    open.push(server);
    const caller = new AbortController();
    const { rows } = await createClient({ url: server.url }).sqlStream(query, { signal: caller.signal });
    await rows.next();
    const next = rows.next();
    caller.abort(new RangeError("enough"));
    await expect(next).rejects.toThrow("enough");
  });
});

describe("sqlBytes", () => {
  it("yields the file", async () => {
    const { bytes, rowLimit } = await quarry.sqlBytes("SELECT COUNT(*) AS n FROM eth_dex_trades", "csv");
    expect(Buffer.concat(await all(bytes)).toString()).toBe(`"n"\n${TRADES}\n`);
    expect(rowLimit).toBe(10_000);
    const formula = "SELECT '=1+1' AS formula FROM eth_dex_trades LIMIT 1";
    const safe = await quarry.sqlBytes(formula, "csv", { csvSafe: true });
    expect(Buffer.concat(await all(safe.bytes)).toString()).toBe(`"formula"\n"'=1+1"\n`);
    const parquet = await quarry.sqlBytes("SELECT * FROM eth_dex_trades LIMIT 5", "parquet");
    const file = Buffer.concat(await all(parquet.bytes)).toString("latin1");
    expect([file.slice(0, 4), file.slice(-4)]).toEqual(["PAR1", "PAR1"]);
  });

  it("rejects a response that does not say whether it is complete", async () => {
    const server = await serveAnswers((_request, response) => void response.end("x"));
    open.push(server);
    await expect(createClient({ url: server.url }).sqlBytes("SELECT 1", "csv")).rejects.toThrow(
      "X-Truncated",
    );
  });
});

describe("sqlSchema", () => {
  it("lists tables and functions", async () => {
    const { tables, functions } = await quarry.sqlSchema();
    expect(tables.find(({ name }) => name === "eth_dex_trades")?.columns[0]?.name).toBe("timestamp");
    expect(functions.map(({ name }) => name)).toContain("HISTOGRAM");
  });
});
