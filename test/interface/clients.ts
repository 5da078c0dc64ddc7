import { expect } from "vitest";
import { MAIN_POOL } from "../../devnet/market/pools.ts";
import { tokenOf } from "../../devnet/market/tokens.ts";
import { METHODS } from "./json-rpc.ts";
import { lastTradeAt, strangers, tradedTokens } from "./support/expected.ts";
import { decided, FRESHNESS, rule, section } from "./support/rules.ts";
import { type Answered, asked, type Given, get, KEY, once, post, queryOf, the } from "./support/service.ts";

interface Question {
  path: string;
  params: () => Given;
  /** True if the endpoint accepts GET. JSON-RPC and SQL do not. */
  byGet: boolean;
}

const tokens = () => tradedTokens().slice(0, 3);
const wallets = () => [...new Set(the().trades.map(({ trader_address }) => trader_address))].slice(0, 3);
const timed = () => ({ until_timestamp: lastTradeAt() });

const topRecords = (table: string, groupby: string, value: () => unknown): Question => ({
  ...{ path: `/v1/topk-api/${table}`, byGet: true },
  params: () => ({ groupby, eq: [value()], size: 2 }),
});

/** A request to each endpoint, with a number, a boolean and an address if the endpoint takes them. */
const QUESTIONS: Question[] = [
  {
    ...{ path: "/v1/sql", byGet: false },
    params: () => ({
      query: `SELECT * FROM eth_dex_trades WHERE token_address = '${tokens()[0]}' ORDER BY record_index LIMIT 5`,
    }),
  },
  topRecords("transactions", "to_address", () => the().oak.token),
  topRecords("blocks", "block_number", () => the().trades[0]?.block_number),
  topRecords("logs", "address", () => the().oak.token),
  topRecords("erc20", "token_address", () => the().oak.token),
  topRecords("erc721", "from_address", () => `0x${"0".repeat(40)}`),
  topRecords("dex-trades", "token_address", () => tokens()[0]),
  topRecords("token-balances", "wallet_address", () => the().oak.pool),
  {
    ...{ path: "/v1/price/historical/ohlc", byGet: true },
    params: () => ({
      ...timed(),
      token_address: tokens()[0],
      interval: "5m",
      max_size: 7,
      fill: false,
      with_volume: true,
    }),
  },
  {
    ...{ path: "/v1/price/historical/tick", byGet: true },
    params: () => ({ ...timed(), token_address: tokens(), from_timestamp: 0, size: 4 }),
  },
  { path: "/v1/price-api/batch-all-time-ohlc", byGet: true, params: () => ({ token_address: tokens() }) },
  {
    path: "/v1/price-api/batch-latest-token-prices",
    byGet: true,
    params: () => ({ token_address: tokens() }),
  },
  {
    ...{ path: "/v1/price-api/batch-latest-price-change", byGet: true },
    params: () => ({ token_address: tokens(), timestamp: lastTradeAt(), lookback: "1h" }),
  },
  {
    ...{ path: "/v1/market-api/batch-latest-pool-tvl", byGet: true },
    params: () => ({ pool_address: [MAIN_POOL.address, the().oak.pool], timestamp: lastTradeAt() }),
  },
  {
    ...{ path: "/v1/wallet-api/batch-latest-total-performance", byGet: true },
    params: () => ({ wallet_address: wallets(), total_exclude: true }),
  },
  ...["latest-total-performance", "latest-performance-per-token"].map((name) => ({
    ...{ path: `/v1/wallet-api/${name}`, byGet: true },
    params: () => ({ wallet_address: wallets()[0], total_exclude: true, max_size_ok: false }),
  })),
  ...Object.entries(METHODS).map(([method, { params }]) => ({
    ...{ path: "/v1/rpc", byGet: false },
    params: () => ({ method, params: { ...params(), total_exclude: true, max_size: 5, fill: false } }),
  })),
];

const nameOf = ({ path, params }: Question) => (path === "/v1/rpc" ? `${path} ${params().method}` : path);

/** Responses to the unchanged requests, from the service whose engine answers every request. */
const plainAnswers = new Map(
  QUESTIONS.map((question) => {
    const { path, params } = question;
    return [question, once(() => post(path, params(), { url: the().url }))] as const;
  }),
);
const plainAnswer = (question: Question) => plainAnswers.get(question)?.() ?? expect.fail("no question");

/** Test titles. They must not depend on the market's data, because they are needed before the market runs. */
const TITLES = new Map(QUESTIONS.map((question, i) => [question, titleOf(question, i)]));

function titleOf(question: Question, i: number): string {
  const method = Object.keys(METHODS)[i - (QUESTIONS.length - Object.keys(METHODS).length)];
  return question.path === "/v1/rpc" ? `${question.path} ${method}` : question.path;
}

/** Replaces each primitive part of a value with the result of `write`. */
function rewritten(value: unknown, write: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, write));
  if (typeof value !== "object" || value === null) return write(value);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, rewritten(part, write)]));
}

const upper = (part: unknown) =>
  typeof part === "string"
    ? part.replace(/0x[0-9a-f]{40}/g, (hex) => `0x${hex.slice(2).toUpperCase()}`)
    : part;
const spelled = (part: unknown) => (part === true ? "True" : part === false ? "False" : part);
const asText = (part: unknown) => (typeof part === "number" ? String(part) : part);
const joined = (given: Given) =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? value.join() : value]),
  );
const twice = (given: Given) =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? [...value, value[0]] : value]),
  );

const UNKNOWN = { skip_null: true, exclude_unrealized: "True", fields: "all", page: 2 };
const inParams = (given: Given, more: Given) =>
  "params" in given ? { ...given, params: { ...(given.params as Given), ...more } } : { ...given, ...more };

/** Variations that must work for every request. */
const HABITS: Record<string, (given: Given) => Given> = {
  "addresses in mixed case": (given) => rewritten(given, upper) as Given,
  "booleans as True and False": (given) => rewritten(given, spelled) as Given,
  "numbers as strings": (given) => rewritten(given, asText) as Given,
  "lists as comma-separated text": joined,
  "an address twice": twice,
  "unknown parameters (skip_null)": (given) => inParams({ ...given, ...UNKNOWN }, UNKNOWN),
  "a key that is not required": (given) => inParams({ ...given, key: "any" }, { key: "any" }),
};

/**
 * Returns the status and body of a response for a comparison. The body is in lower case, because the keys of
 * top records are the values exactly as given.
 */
const comparable = ({ status, body }: Answered) => [status, JSON.parse(JSON.stringify(body).toLowerCase())];

section("Requests as public clients send them", import.meta.url, () => {
  for (const question of QUESTIONS) {
    const { path, params, byGet } = question;
    for (const [habit, change] of Object.entries(HABITS)) {
      decided(`${TITLES.get(question)}: ${habit}`, async () => {
        const plain = await plainAnswer(question);
        expect([plain.status, nameOf(question)]).toEqual([200, TITLES.get(question)]);
        expect(comparable(await post(path, change(params())))).toEqual(comparable(plain));
        if (byGet) expect(comparable(await get(path, change(params())))).toEqual(comparable(plain));
      });
    }
    decided(`${TITLES.get(question)}: a Bearer header, an X-API-Key, a key in the URL`, async () => {
      const plain = await plainAnswer(question);
      for (const headers of [{ authorization: "Bearer x" }, { "x-api-key": "x" }, {}]) {
        expect(comparable(await post(path, params(), { headers, search: "?key=x" }))).toEqual(
          comparable(plain),
        );
        if (byGet) expect(comparable(await get(path, params(), { headers }))).toEqual(comparable(plain));
      }
    });
  }
});

section("Authentication", import.meta.url, () => {
  decided("Without configured keys the service is open and ignores them", async () => {
    const { path, params } = QUESTIONS.at(7) ?? expect.fail("no question");
    expect((await get(path, { ...params(), key: "wrong" })).status).toBe(200);
  });
  for (const question of QUESTIONS) {
    const { path, params, byGet } = question;
    decided(
      `${TITLES.get(question)}: the key as key (query or body), Authorization: Bearer, X-API-Key; 401 without`,
      async () => {
        const url = the().closedUrl;
        const plain = comparable(await plainAnswer(question));
        for (const headers of [{ authorization: `Bearer ${KEY}` }, { "x-api-key": KEY }]) {
          expect(comparable(await post(path, params(), { url, headers }))).toEqual(plain);
        }
        expect(comparable(await post(path, { ...params(), key: KEY }, { url }))).toEqual(plain);
        expect(comparable(await post(path, params(), { url, search: `?key=${KEY}` }))).toEqual(plain);
        if (byGet) expect(comparable(await get(path, { ...params(), key: KEY }, { url }))).toEqual(plain);
        for (const more of [{}, { key: "wrong" }])
          expect((await post(path, { ...params(), ...more }, { url })).status).toBe(401);
      },
    );
  }
});

section("As of", import.meta.url, () => {
  for (const question of QUESTIONS) {
    const { path, params } = question;
    decided(`${TITLES.get(question)}: X-Indexed-Block and X-Indexed-Timestamp`, async () => {
      const { number } = await the().node.head();
      const { headers } = await post(path, params());
      const block = await the().node.rpc<{ timestamp: string }>(
        "eth_getBlockByNumber",
        `0x${number.toString(16)}`,
        false,
      );
      expect([headers.get("x-indexed-block"), headers.get("x-indexed-timestamp")]).toEqual([
        String(number),
        String(Number(block.timestamp)),
      ]);
    });
  }
});

section(FRESHNESS, import.meta.url, () => {
  for (const question of QUESTIONS) {
    const { path, params, byGet } = question;
    decided(
      `${TITLES.get(question)}: max_lag, in seconds: 503 while the newest block is older than that`,
      async () => {
        const fresh = (seconds: number) => inParams(params(), { max_lag: seconds });
        const { headers, body } = await post(path, fresh(315_360_000));
        expect(comparable(await plainAnswer(question))).toEqual(comparable({ status: 200, headers, body }));
        const stale = await post(path, fresh(1));
        expect([stale.status, stale.headers.get("retry-after")]).toEqual([503, "1"]);
        const { error } = stale.body;
        expect(error.message ?? error).toContain(
          `The newest indexed block is ${headers.get("x-indexed-block")}`,
        );
        if (byGet) expect((await get(path, fresh(1))).status).toBe(503);
      },
    );
  }
  decided(
    "/v1/status: block_age of each stage of a block at the head; null if the process has seen none",
    async () => {
      const { body } = await get("/v1/status");
      expect(body.chains[0].block_age).toEqual({ seen: null, committed: null, sent: null });
    },
  );
});

section("General rules", import.meta.url, () => {
  const path = "/v1/price-api/batch-latest-token-prices";
  decided("Header for POST bodies: Content-Type: application/json, with or without a charset", async () => {
    const body = JSON.stringify({ token_address: tokens() });
    for (const type of ["application/json", "application/json; charset=utf-8"]) {
      expect((await asked("POST", path, { body, headers: { "content-type": type } })).status).toBe(200);
    }
    expect((await asked("POST", path, { body, headers: { "content-type": "text/plain" } })).status).toBe(415);
  });
  decided("Response bodies are JSON, numbers in shortest form, never NaN or Infinity", async () => {
    for (const question of QUESTIONS) {
      const { headers, body } = await plainAnswer(question);
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(JSON.stringify(body)).not.toMatch(/NaN|Infinity/);
    }
    const raw = await (await fetch(`${the().url}${path}?${queryOf({ token_address: tokens() })}`)).text();
    expect(raw).toBe(JSON.stringify(JSON.parse(raw)));
  });
  rule("Prices and amounts are doubles; very small values may be in exponent notation", async () => {
    const given = queryOf({ token_address: tokenOf("GEODE").address });
    const raw = await (await fetch(`${the().url}${path}?${given}`)).text();
    expect(raw).toMatch(/"price_eth":\d(\.\d+)?e-\d+,/);
  });
  rule("On the batch endpoints GET accepts at most 25 addresses; larger lists require POST", async () => {
    const beyond = await get(path, { token_address: strangers(26) });
    expect([beyond.status, beyond.body.error]).toEqual([400, expect.stringContaining("POST a JSON body")]);
    expect((await post(path, { token_address: strangers(26) })).body).toHaveLength(26);
  });
  rule("Address lists: on GET a comma-separated string; on POST a JSON list in the body", async () => {
    const byGet = await asked("GET", path, { search: `?token_address=${tokens().join(",")}` });
    const byPost = await asked("POST", path, { body: JSON.stringify({ token_address: tokens() }) });
    expect([byGet.status, byGet.body]).toEqual([byPost.status, byPost.body]);
    expect(byGet.body).toHaveLength(3);
  });
  for (const own of ["/v1/status", "/health", "/ready", "/openapi.json"]) {
    decided(`Also: GET ${own}`, async () => {
      const { status, body } = await get(own);
      expect([own, status, typeof body]).toEqual([own, 200, "object"]);
    });
  }
  decided("Also: GET /metrics, for Prometheus", async () => {
    const response = await fetch(`${the().url}/metrics`);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("# TYPE ")]);
  });
});
