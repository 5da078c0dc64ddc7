import { expect } from "vitest";
import { NOBODY, strangers, tradedTokens } from "./support/expected.ts";
import { provenBy, rule, section } from "./support/rules.ts";
import { type Answered, type Given, get, post, the } from "./support/service.ts";

const PRICE_API = "/v1/price-api";
const BATCHES: Record<string, string> = {
  [`${PRICE_API}/batch-all-time-ohlc`]: "token_address",
  [`${PRICE_API}/batch-latest-token-prices`]: "token_address",
  [`${PRICE_API}/batch-latest-price-change`]: "token_address",
  "/v1/market-api/batch-latest-pool-tvl": "pool_address",
  "/v1/wallet-api/batch-latest-total-performance": "wallet_address",
};

/** Adds a rule about a limit. Its test sends a request at the limit, and one just beyond it. */
function edge(
  text: string,
  ask: (size: number) => Promise<Answered>,
  [limit, status]: [limit: number, status: number],
): void {
  rule(text, async () => {
    const within = await ask(limit);
    expect([within.status, within.body.error]).toEqual([200, undefined]);
    const beyond = await ask(limit + 1);
    expect([beyond.status, Object.keys(beyond.body)]).toEqual([status, ["error"]]);
  });
}

const either = (method: string) =>
  (method === "GET" ? get : post) as (path: string, given: Given) => Promise<Answered>;

section("Limits", import.meta.url, () => {
  edge(
    "GET on topk-api: URL at most 2048 characters; use POST beyond that",
    (length) => {
      const path = "/v1/topk-api/blocks";
      const start = "groupby=miner&eq=0x0000000000000000000000000000000000000000&pad=";
      return get(
        path,
        Object.fromEntries(new URLSearchParams(start + "x".repeat(length - path.length - 1 - start.length))),
      );
    },
    [2048, 414],
  );
  for (const [path, name] of Object.entries(BATCHES)) {
    edge(
      `GET on all batch endpoints: at most 25 addresses: \`${path}\``,
      (count) => get(path, { [name]: strangers(count) }),
      [25, 400],
    );
    if (name !== "token_address") continue;
    edge(
      `POST: up to 10,000 tokens: \`${path}\``,
      (count) => post(path, { [name]: strangers(count) }),
      [10_000, 400],
    );
  }
  edge(
    "batch-latest-pool-tvl (POST): up to 1,000 pools",
    (count) => post("/v1/market-api/batch-latest-pool-tvl", { pool_address: strangers(count) }),
    [1_000, 400],
  );
  rule("batch-latest-total-performance (POST): up to 1,000 wallets; excess goes to remainder", async () => {
    const path = "/v1/wallet-api/batch-latest-total-performance";
    for (const [count, excess] of [
      [1_000, 0],
      [1_001, 1],
      [2_500, 1_500],
    ] as const) {
      const { status, body } = await post(path, { wallet_address: strangers(count) });
      expect([status, body.remainder]).toEqual([200, strangers(count).slice(count - excess)]);
    }
  });
  provenBy(
    "src/api/endpoints/wallets/wallet-performance.test.ts",
    "are in remainder, in the requested order, from the first that does not fit",
    "batch-latest-total-performance (POST): total trades of the listed wallets at most 100,000",
  );
  for (const method of ["GET", "POST"]) {
    const ask = either(method);
    edge(
      `OHLC endpoint: max_size to 2500, by ${method}`,
      (max_size) =>
        ask("/v1/price/historical/ohlc", { token_address: tradedTokens()[0], max_size, interval: "1m" }),
      [2500, 400],
    );
    rule(`OHLC endpoint: max_size from 1, default 100, by ${method}`, async () => {
      const of = (given: Given) =>
        ask("/v1/price/historical/ohlc", { token_address: tradedTokens()[0], interval: "1m", ...given });
      expect((await of({})).body.data).toHaveLength(100);
      expect((await of({ max_size: 1 })).body.data).toHaveLength(1);
      expect((await of({ max_size: 0 })).status).toBe(400);
    });
    edge(
      `tick endpoint: size default 100, maximum 100,000, by ${method}`,
      (size) =>
        ask("/v1/price/historical/tick", { token_address: tradedTokens()[0], size, from_timestamp: 0 }),
      [100_000, 400],
    );
    edge(
      `price change: lookback maximum 30 days, by ${method}`,
      (seconds) =>
        ask(`${PRICE_API}/batch-latest-price-change`, { token_address: NOBODY, lookback: `${seconds}s` }),
      [30 * 86_400, 400],
    );
    rule(`topk-api: size default 1, by ${method}`, async () => {
      const { body } = await ask("/v1/topk-api/dex-trades", { groupby: "side", eq: ["buy", "sell"] });
      expect(Object.values<unknown[]>(body).map((records) => records.length)).toEqual([1, 1]);
    });
  }
  rule("SQL endpoint: no joins, no sub-queries", async () => {
    for (const query of ["SELECT * FROM eth_logs JOIN eth_blocks ON 1 = 1", "SELECT * FROM (SELECT 1)"]) {
      expect((await post("/v1/sql", { query })).status).toBe(400);
    }
  });
});

section("Versioning", import.meta.url, () => {
  rule("All paths carry the prefix /v1", async () => {
    const data = Object.keys(the().document.paths).filter(
      (path) => !["/health", "/ready", "/metrics", "/openapi.json"].includes(path),
    );
    // TradingView's charts request the paths under /udf/.
    expect(data.filter((path) => !path.startsWith("/v1/") && !path.startsWith("/udf/"))).toEqual([]);
    for (const path of Object.keys(BATCHES)) {
      expect((await fetch(`${the().url}${path.replace("/v1", "")}`)).status).toBe(404);
    }
  });
  rule("JSON-RPC method names carry the prefix v1/", async () => {
    const params = { token_address: NOBODY };
    expect((await post("/v1/rpc", { method: "v1/getPriceHistoricalOHLC", params })).status).toBe(200);
    expect((await post("/v1/rpc", { method: "getPriceHistoricalOHLC", params })).status).toBe(404);
  });
  rule("The JSON-RPC protocol version is 2.0 and is returned in every RPC response", async () => {
    for (const body of [
      {},
      [],
      [{}],
      { method: "v1/none" },
      { method: "v1/getPriceHistoricalOHLC", params: { token_address: NOBODY } },
    ]) {
      const answered = (await post("/v1/rpc", body)).body;
      for (const one of Array.isArray(answered) ? answered : [answered]) expect(one.jsonrpc).toBe("2.0");
    }
  });
});
