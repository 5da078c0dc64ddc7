import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../../lib/support/manual-clock.ts";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { createServer } from "../../http/server.ts";
import { type ClientKey, hashOfKey } from "../../keys/client-keys.ts";
import { type KeyLimits, NO_KEY_LIMITS } from "../../keys/key-limits.ts";
import { responseOf } from "../../support/http.ts";

const PATH = "/v1/check-usage";
const LATEST = `/v1/price-api/batch-latest-token-prices?token_address=${hexOf(0xa1)}`;
const SQL = "SELECT block_number FROM eth_dex_trades";
const SECRETS = { limited: "qk_limited", other: "qk_other" };

let market: Market;
let app: FastifyInstance;
let clock: ManualClock;
const known = new Map<string, ClientKey>();

beforeAll(async () => {
  market = await openMarket([
    { token: hexOf(0xa1), at: 1_700_000_000, price: 5 },
    { token: hexOf(0xa1), at: 1_700_000_012, price: 6 },
    { token: hexOf(0xa1), at: 1_700_000_024, price: 7 },
  ]);
});
afterAll(() => market.close());

beforeEach(async () => {
  clock = new ManualClock();
  clock.stepWall(Date.parse("2026-11-27T12:00:00Z") - clock.now());
  known.clear();
  for (const [id, secret] of Object.entries(SECRETS)) {
    known.set(hashOfKey(secret), { id, scopes: ["data", "sql"], expiresAt: null, limits: NO_KEY_LIMITS });
  }
  const clientKeys = { isRequired: true, find: (hash: string) => known.get(hash) };
  app = await createServer({ ...market, clientKeys, clock, limits: { rejectionDelayMs: 0 } });
});
afterEach(() => app.close());

function limit(limits: Partial<KeyLimits>, more: Partial<ClientKey> = {}): void {
  const hash = hashOfKey(SECRETS.limited);
  const key = known.get(hash) as ClientKey;
  known.set(hash, { ...key, ...more, limits: { ...NO_KEY_LIMITS, ...limits } });
}

const send = (url: string, payload?: object, key = SECRETS.limited) =>
  responseOf(
    app.inject({
      url,
      headers: { "x-api-key": key },
      ...(payload === undefined ? { method: "GET" } : { method: "POST", payload }),
    }),
  );
const usage = async (key?: string) => (await send(PATH, undefined, key)).body;
const query = (text = SQL, more = {}, key?: string) => send("/v1/sql", { query: text, ...more }, key);

describe("/v1/check-usage", () => {
  it("counts the requests of each key, and its SQL", async () => {
    for (let i = 0; i < 3; i++) expect((await send(LATEST)).status).toBe(200);
    expect((await query()).status).toBe(200);
    expect((await query("SELECT nothing")).status).toBe(400);
    await send(LATEST, undefined, SECRETS.other);
    const params = { token_address: hexOf(0xa1), until_timestamp: 1_700_003_600, interval: "1h" };
    const call = (id: number) => ({ jsonrpc: "2.0", id, method: "v1/getPriceHistoricalOHLC", params });
    expect((await send("/v1/rpc", [call(1), call(2)])).status).toBe(200);
    const own = await usage();
    expect(own).toEqual({
      ...{ key: "limited", scopes: ["data", "sql"], expires_at: null, month: "2026-11" },
      resets_at: Date.parse("2026-12-01T00:00:00Z") / 1000,
      ...{ requests: 7, requests_limit: null, requests_remaining: null, sql_queries: 2 },
      ...{ sql_seconds: expect.any(Number), is_recorded: false },
      limits: { query_seconds: 30, query_mebibytes: 2048, sql_rows: 1_000_000 },
    });
    expect((await usage(SECRETS.other)).requests).toBe(1);
    expect(await usage()).toEqual(own);
  });

  it("ends the month's requests at the quota, and itself still answers, until the next month", async () => {
    limit({ monthlyRequests: 2 });
    expect([(await send(LATEST)).status, (await query()).status]).toEqual([200, 200]);
    const refused = await send(LATEST);
    expect([refused.status, refused.headers["x-error-code"], refused.body]).toEqual([
      429,
      "quota",
      {
        error:
          "The API key has reached its limit of 2 requests for 2026-11. It may send more from 2026-12-01 00:00 UTC; " +
          "/v1/check-usage shows its usage.",
      },
    ]);
    expect(Number(refused.headers["retry-after"])).toBe(3.5 * 24 * 3600);
    expect(await usage()).toMatchObject({ requests: 2, requests_limit: 2, requests_remaining: 0 });
    expect((await send(LATEST, undefined, SECRETS.other)).status).toBe(200);
    clock.stepWall(4 * 24 * 3600 * 1000);
    expect(await usage()).toMatchObject({ month: "2026-12", requests: 0, requests_remaining: 2 });
    expect((await send(LATEST)).status).toBe(200);
  });

  it("ends a JSON-RPC batch at the quota, call by call", async () => {
    limit({ monthlyRequests: 2 });
    const params = { token_address: hexOf(0xa1), until_timestamp: 1_700_003_600, interval: "1h" };
    const call = (id: number) => ({ jsonrpc: "2.0", id, method: "v1/getPriceHistoricalOHLC", params });
    const { body } = await send("/v1/rpc", [call(1), call(2), call(3)]);
    const codes = (body as { error?: { code: number } }[]).map(({ error }) => error?.code ?? null);
    expect(codes).toEqual([null, null, 429]);
  });

  it("does not count what the rate refuses", async () => {
    limit({ rate: 0.1 });
    expect([(await send(LATEST)).status, (await send(LATEST)).status]).toEqual([200, 429]);
    await clock.advance(10_000);
    expect((await usage()).requests).toBe(1);
  });

  it.each([["data"], ["sql"], ["metrics"]] as const)("needs a key, of any scope: %s", async (scope) => {
    limit({}, { scopes: [scope] });
    expect((await usage()).scopes).toEqual([scope]);
    expect((await send(PATH, undefined, "wrong")).status).toBe(401);
  });

  it("says that an open service counts nothing", async () => {
    const open = await createServer(market);
    const answer = await responseOf(open.inject(PATH));
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: "This service needs no API keys, so it does not track key usage." },
    ]);
    await open.close();
  });
});

describe("the SQL limits of a key", () => {
  it("lower the rows of its answers, in each format, with and without LIMIT", async () => {
    limit({ sqlRows: 2 });
    for (const format of ["json", "ndjson"]) {
      const answer = await query(SQL, { format });
      expect([answer.headers["x-row-limit"], answer.headers["x-truncated"]]).toEqual(["2", "true"]);
      const above = await query(`${SQL} LIMIT 3`, { format });
      expect([above.status, above.body.error]).toEqual([
        400,
        expect.stringContaining("LIMIT 3 is above the maximum of 2 rows"),
      ]);
    }
    expect((await query(SQL, {}, SECRETS.other)).body).toHaveLength(3);
    expect((await usage()).limits.sql_rows).toBe(2);
  });

  it("do not raise the limits of the service", async () => {
    limit({ sqlRows: 10 ** 9, queryTimeMs: 10 ** 9, queryMemoryBytes: 10 ** 15 });
    expect((await usage()).limits).toEqual({
      ...{ query_seconds: 30, query_mebibytes: 2048, sql_rows: 1_000_000 },
    });
  });

  it("end a long query, with the key's own limit in the message, not another key's", async () => {
    limit({ queryTimeMs: 1 });
    const long =
      "SELECT COUNT(*) AS n FROM eth_dex_trades WHERE REPEAT(CAST(transaction_hash AS VARCHAR), 1000) RLIKE '.*x.*y'";
    const [ended, other] = await Promise.all([query(long), query(long, {}, SECRETS.other)]);
    expect([ended.status, ended.body.error]).toEqual([
      408,
      expect.stringContaining("The query took longer than 0.001 s."),
    ]);
    expect(other.status).toBe(200);
  });
});
