import type { FastifyInstance, InjectOptions } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { commitTrades, hashOf, hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import type { Engine } from "../../storage/store.ts";
import { ENDPOINTS } from "../endpoints/endpoints.ts";
import { type ApiOptions, createServer } from "../http/server.ts";

const AT = 1_704_412_800;
const [TOKEN, POOL, WALLET] = [hexOf(0xa1), hexOf(0xb00), hexOf(0xabc)];
const OHLC = "/v1/price/historical/ohlc";
const LATEST = "/v1/price-api/batch-latest-token-prices";
const CHANGE = "/v1/price-api/batch-latest-price-change";
const TVL = "/v1/market-api/batch-latest-pool-tvl";
const TICKS = "/v1/price/historical/tick";
const REVALIDATED = "public, no-cache";
const KEPT = "public, max-age=86400";

/** A value for every parameter that an endpoint may require. */
const GIVEN: Record<string, string> = {
  token_address: TOKEN,
  pool_address: POOL,
  wallet_address: WALLET,
  groupby: "block_number",
  eq: "1000",
  query: TOKEN,
  // Without it, an answer is about all chains, and so has no commit.
  chain: "eth",
};

const cached = ENDPOINTS.filter(
  ({ methods, parameters, cost }) => methods.includes("GET") && parameters.chain && cost !== "nothing",
);

let market: Market;
let clock: ManualClock;
let nextBlock = 1003;
const apps: FastifyInstance[] = [];

/** Blocks 1000, 1001 and 1002, ten minutes apart; 1001 is final. */
beforeAll(async () => {
  market = await openMarket([{ token: TOKEN, at: AT, price: 1 }]);
  const trades = [1, 2].map((i) => ({ token: TOKEN, at: AT + 600 * i, price: 1 + i }));
  await commitTrades(market.store, trades, { firstBlock: 1001, finalized: 1001 });
  clock = new ManualClock((AT + 1205) * 1000);
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});
afterAll(() => market.close());

async function serve(options: Partial<ApiOptions> = {}): Promise<FastifyInstance> {
  const app = await createServer({ engine: market.engine, chains: market.chains, clock, ...options });
  apps.push(app);
  return app;
}

interface Asked {
  status: number;
  etag: string;
  headers: Record<string, unknown>;
  body: string;
}

async function ask(app: FastifyInstance, url: string, more: InjectOptions = {}): Promise<Asked> {
  const { statusCode: status, headers, body } = await app.inject({ url, ...more });
  return { status, etag: String(headers.etag), headers, body };
}

const urlOf = (path: string, query: object) => `${path}?${new URLSearchParams({ ...query })}`;

function exampleOf({ path, parameters }: (typeof ENDPOINTS)[number]): string {
  const names = Object.keys(parameters).filter((name) => name in GIVEN);
  return urlOf(path, Object.fromEntries(names.map((name) => [name, GIVEN[name]])));
}

/** Wraps the market's engine so that it counts queries. */
function countingEngine(): Engine & { queries(): number } {
  let queries = 0;
  const { engine } = market;
  return {
    query: (...given) => {
      queries++;
      return engine.query(...given);
    },
    stream: (...given) => {
      queries++;
      return engine.stream(...given);
    },
    execute: (...given) => engine.execute(...given),
    insert: (...given) => engine.insert(...given),
    close: () => Promise.resolve(),
    queries: () => queries,
  };
}

async function newBlock(finalized: number | null = null): Promise<void> {
  const at = AT + 1200 + nextBlock - 1002;
  await commitTrades(market.store, [{ token: TOKEN, at, price: 9 }], { firstBlock: nextBlock++, finalized });
}

describe("an answer as of a commit", () => {
  it("has an ETag; a request with it gets 304 without a query, from every endpoint", async () => {
    const engine = countingEngine();
    const app = await serve({ engine });
    expect(cached.length).toBe(19);
    for (const url of cached.map(exampleOf)) {
      const first = await ask(app, url);
      expect([url, first.status, first.headers["cache-control"]]).toEqual([url, 200, REVALIDATED]);
      const before = engine.queries();
      const again = await ask(app, url, { headers: { "if-none-match": first.etag } });
      expect([url, again.status, again.body, engine.queries() - before]).toEqual([url, 304, "", 0]);
      for (const name of ["etag", "cache-control", "vary", "x-commit", "x-indexed-block-hash"])
        expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
      expect(again.headers["content-length"]).toBeUndefined();
    }
  });

  it("has another ETag after each commit and after a rollback, and never an earlier one", async () => {
    const app = await serve();
    const url = urlOf(LATEST, { token_address: TOKEN });
    const etags = [(await ask(app, url)).etag];
    await newBlock();
    etags.push((await ask(app, url)).etag);
    await market.store.rollback({ number: 1002, hash: hashOf(1002), timestamp: AT + 1200 });
    nextBlock = 1003;
    const rolledBack = await ask(app, url, { headers: { "if-none-match": etags.join() } });
    expect([rolledBack.status, JSON.parse(rolledBack.body)[0].price_usd]).toEqual([200, 3]);
    expect(new Set([...etags, rolledBack.etag]).size).toBe(3);
  });

  it("has the ETag of its own commit when the chain advances while it is read", async () => {
    const url = urlOf(LATEST, { token_address: TOKEN });
    const { engine } = market;
    let advanced = false;
    const query: Engine["query"] = async (...given) => {
      if (!advanced) {
        advanced = true;
        await newBlock();
      }
      return engine.query(...given);
    };
    const older = await ask(await serve({ engine: { ...countingEngine(), query } }), url);
    const newer = await ask(await serve(), url, { headers: { "if-none-match": older.etag } });
    expect([Number(newer.headers["x-commit"]) - Number(older.headers["x-commit"]), newer.status]).toEqual([
      1, 200,
    ]);
    expect(newer.etag).not.toBe(older.etag);
  });

  it("has the same ETag for HEAD, which also gets 304", async () => {
    const app = await serve();
    const url = urlOf(OHLC, { token_address: TOKEN });
    const whole = await ask(app, url);
    const head = await ask(app, url, { method: "HEAD" });
    expect([head.status, head.etag, head.body]).toEqual([200, whole.etag, ""]);
    expect(head.headers["content-length"]).toBe(String(whole.body.length));
    const again = await ask(app, url, { method: "HEAD", headers: { "if-none-match": whole.etag } });
    expect([again.status, again.headers["content-length"]]).toEqual([304, undefined]);
  });

  it("depends on the service's version and the chain's own facts", async () => {
    const url = urlOf(LATEST, { token_address: TOKEN });
    const [chain] = market.chains.map((one) => ({ ...one, chain: { ...one.chain, stableCoins: [TOKEN] } }));
    const apps = [
      await serve(),
      await serve({ version: "2" }),
      await serve({ chains: chain ? [chain] : [] }),
    ];
    const etags = await Promise.all(apps.map(async (app) => (await ask(app, url)).etag));
    expect(new Set(etags).size).toBe(3);
  });
});

describe("If-None-Match", () => {
  it("is a list, compared weakly; * matches every answer, but no error", async () => {
    const app = await serve();
    const url = urlOf(TICKS, { token_address: TOKEN, from_timestamp: 0 });
    const { etag } = await ask(app, url);
    const status = async (given: string, to = url) =>
      (await ask(app, to, { headers: { "if-none-match": given } })).status;
    for (const given of [etag, etag.slice(2), `"a", ${etag}`, `W/"a",${etag.slice(2)} , "b"`, "*", " * "])
      expect([given, await status(given)]).toEqual([given, 304]);
    for (const given of ['"a"', etag.slice(3, -1), etag.toUpperCase(), `"*"`, ""])
      expect([given, await status(given)]).toEqual([given, 200]);
    expect(await status("*", `${url}&size=0`)).toBe(400);
    expect(await status("*", "/v1/status")).toBe(200);
  });

  it("is ignored by POST", async () => {
    const app = await serve();
    const { etag } = await ask(app, urlOf(LATEST, { token_address: TOKEN }));
    const post = { method: "POST", payload: { token_address: TOKEN }, headers: { "if-none-match": etag } };
    const { status, headers } = await ask(app, LATEST, post as InjectOptions);
    expect([status, headers.etag, headers["cache-control"]]).toEqual([200, undefined, "no-store"]);
  });
});

describe("equal questions", () => {
  const etagsOf = async (path: string, ...queries: string[]) => {
    const app = await serve();
    const answers = await Promise.all(queries.map((query) => ask(app, `${path}?${query}`)));
    expect(answers.map(({ status }) => status)).toEqual(queries.map(() => 200));
    return new Set(answers.map(({ etag }) => etag)).size;
  };
  const token = `token_address=${TOKEN}`;

  it.each([
    [
      "case, order and defaults",
      LATEST,
      [
        token,
        token.toUpperCase().replace("TOKEN_ADDRESS", "token_address"),
        `chain=ETH&${token}`,
        `${token}&price_type=price_token_usd_robust_tick_1&unknown=1`,
      ],
    ],
    [
      "any time in the newest candle",
      OHLC,
      [`${token}&interval=1h`, `${token}&interval=60m&until_timestamp=${AT + 1260}`],
    ],
    [
      "any time after the newest block",
      TVL,
      [`pool_address=${POOL}`, `pool_address=${POOL}&timestamp=${AT + 9999}`],
    ],
    [
      "the ticks up to the newest block",
      TICKS,
      [`${token}&from_timestamp=1`, `${token}&from_timestamp=1&until_timestamp=${AT + 8000}`],
    ],
  ])("have one ETag: %s", async (_, path, queries) => {
    expect(await etagsOf(path, ...queries)).toBe(1);
  });

  it.each([
    ["other tokens", LATEST, [token, `token_address=${POOL}`, `${token},${POOL}`]],
    [
      "another candle, or more of them",
      OHLC,
      [token, `${token}&until_timestamp=${AT - 86_400}`, `${token}&max_size=2`, `${token}&fill=false`],
    ],
    ["a past time", TVL, [`pool_address=${POOL}`, `pool_address=${POOL}&timestamp=${AT + 600}`]],
    ["another period", CHANGE, [token, `${token}&timestamp=${AT + 1204}`, `${token}&lookback=1h`]],
    ["another start", TICKS, [token, `${token}&from_timestamp=1`, `${token}&until_timestamp=${AT + 600}`]],
  ])("do not include %s", async (_, path, queries) => {
    expect(await etagsOf(path, ...queries)).toBe(queries.length);
  });

  it("change with the time exactly when their answers do", async () => {
    const at = new ManualClock((AT + 1259) * 1000);
    const app = await serve({ clock: at });
    const urls = [
      urlOf(OHLC, { token_address: TOKEN, interval: "1m" }),
      urlOf(CHANGE, { token_address: TOKEN }),
    ];
    const askAll = () => Promise.all(urls.map((url) => ask(app, url)));
    const rounds = [await askAll()];
    for (const ms of [500, 500]) {
      await at.advance(ms);
      rounds.push(await askAll());
    }
    for (const i of urls.keys()) {
      const answers = rounds.map((round) => round[i]);
      const same = answers.slice(1).map((one, n) => one?.etag === answers[n]?.etag);
      expect(same).toEqual([true, false]);
      expect(same).toEqual(answers.slice(1).map((one, n) => one?.body === answers[n]?.body));
    }
  });
});

describe("Cache-Control", () => {
  it("lets caches keep answers that depend only on final blocks, and nothing newer", async () => {
    const app = await serve();
    const control = async (path: string, query: object) =>
      (await ask(app, urlOf(path, { token_address: TOKEN, ...query }))).headers["cache-control"];
    // The final block, 1001, is at AT + 600.
    expect(await control(OHLC, { interval: "5m", until_timestamp: AT + 299 })).toBe(KEPT);
    expect(await control(OHLC, { interval: "5m", until_timestamp: AT + 599 })).toBe(KEPT);
    expect(await control(OHLC, { interval: "5m", until_timestamp: AT + 600 })).toBe(REVALIDATED);
    expect(await control(OHLC, { interval: "1d", until_timestamp: AT })).toBe(REVALIDATED);
    expect(await control(CHANGE, { timestamp: AT + 599 })).toBe(KEPT);
    expect(await control(CHANGE, { timestamp: AT + 600 })).toBe(REVALIDATED);
    expect(await control(CHANGE, {})).toBe(REVALIDATED);
    expect(await control(TICKS, { until_timestamp: AT + 1 })).toBe(REVALIDATED);
    await newBlock(1002);
    expect(await control(CHANGE, { timestamp: AT + 600 })).toBe(KEPT);
  });

  it("keeps answers from shared caches when keys are required, and errors from all caches", async () => {
    const app = await serve({ apiKeys: ["k"] });
    const url = urlOf(LATEST, { token_address: TOKEN });
    const { headers, etag } = await ask(app, url, { headers: { "x-api-key": "k" } });
    expect(headers).toMatchObject({
      "cache-control": "private, no-cache",
      vary: "Accept-Encoding, Authorization, X-API-Key",
    });
    const without = await ask(app, url, { headers: { "if-none-match": etag } });
    expect([without.status, without.headers["cache-control"]]).toEqual([401, "no-store"]);
  });

  it.each(["/v1/status", "/health", "/metrics", "/v1/sql", "/v1/nothing", `${LATEST}?token_address=1`])(
    "of %s is no-store, without an ETag",
    async (url) => {
      const { headers } = await ask(await serve(), url);
      expect([headers["cache-control"], headers.etag]).toEqual(["no-store", undefined]);
    },
  );
});
