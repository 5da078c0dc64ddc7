import { expect } from "vitest";
import {
  lastTradeAt,
  NOBODY,
  type Priced,
  priceAt,
  pricedOf,
  ROBUST,
  strangers,
  TICK,
  tradedTokens,
  tradesOf,
} from "./support/expected.ts";
import { decided, rule, section } from "./support/rules.ts";
import { answer, get, once, post, readTrades, refused, type TradeRow, the } from "./support/service.ts";

const ALL_TIME = "/v1/price-api/batch-all-time-ohlc";
const LATEST = "/v1/price-api/batch-latest-token-prices";
const CHANGE = "/v1/price-api/batch-latest-price-change";
type Found = Record<string, unknown>;

/** 23 traded tokens, one address that is not a token, and OAK. */
const asked = () => [...tradedTokens().slice(0, 23), NOBODY, the().oak.token];
const column = (rows: Found[], field: string) => rows.map((row) => row[field]);

/** Defines the rules that all three endpoints share. */
function batchRules(path: string, fields: readonly string[]): void {
  rule("Methods: GET or POST", async () => {
    const given = { token_address: asked().slice(0, 2), timestamp: lastTradeAt() };
    const [byGet, byPost] = [await get(path, given), await post(path, given)];
    expect([byGet.status, byPost.status, byPost.body]).toEqual([200, 200, byGet.body]);
  });

  rule("GET allows 25 addresses", async () => {
    expect((await get(path, { token_address: strangers(25) })).body).toHaveLength(25);
    const { status, body } = await get(path, { token_address: strangers(26) });
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(/token_address: got a list of 26, expected 1 to 25 .*POST/),
    ]);
  });

  rule("Up to 10,000 tokens per request; this size requires POST", async () => {
    const token_address = [...strangers(9_999), the().oak.token];
    const { status, body } = await post(path, { token_address });
    expect([status, column(body, "token_address")]).toEqual([200, token_address]);
    expect(Object.values(body.at(-1))).not.toContain(null);
    const more = await post(path, { token_address: [...token_address, NOBODY] });
    expect([more.status, more.body.error]).toEqual([
      400,
      expect.stringContaining("got a list of 10001, expected a list of 1 to 10000"),
    ]);
  });

  rule(
    "token_address: string or list, required; on GET a comma-separated string, on POST a JSON list",
    async () => {
      const token_address = asked();
      const timestamp = lastTradeAt();
      const byList = await post(path, { token_address, timestamp });
      expect((await get(path, { token_address: token_address.join(","), timestamp })).body).toEqual(
        byList.body,
      );
      expect((await post(path, { token_address: token_address.join(","), timestamp })).body).toEqual(
        byList.body,
      );
      await refused(path, {}, "^Missing required parameter: token_address$");
      await refused(path, { token_address: `${token_address[0]},0x12` }, /got "0x12" \(item 2 of 2\)/);
    },
  );

  rule("Response: JSON array of objects, with these fields and no others", async () => {
    for (const one of await answer(path, { token_address: asked(), timestamp: lastTradeAt() })) {
      expect(Object.keys(one)).toEqual(fields);
    }
  });

  decided("One item per requested address, in request order, even if there is no data about it", async () => {
    const body = await answer(path, { token_address: asked(), timestamp: lastTradeAt() });
    expect(column(body, "token_address")).toEqual(asked());
    const unknown = body.find((one: Found) => one.token_address === NOBODY);
    expect(Object.values(unknown).slice(1)).toEqual(fields.slice(1).map(() => null));
  });

  decided("chain: eth by default, or any other that is configured", async () => {
    const given = { token_address: asked(), timestamp: lastTradeAt() };
    const [eth, base] = [await answer(path, given), await answer(path, { ...given, chain: "base" })];
    expect(await answer(path, { ...given, chain: "eth" })).toEqual(eth);
    expect(base).not.toEqual(eth);
    await refused(path, { ...given, chain: "doge" }, "configured chains: eth, base, matic");
  });
}

/** Adds the rule about price types: both types, the default, and the refusal of any other type. */
function priceTypeRule(path: string, fallback: string, expected: (type: typeof TICK) => Found[]): void {
  rule(
    `price_type: price_token_usd_tick_1 or price_token_usd_robust_tick_1, default ${fallback}`,
    async () => {
      const given = { token_address: asked(), timestamp: lastTradeAt() };
      for (const price_type of [TICK, ROBUST]) {
        const rows: Found[] = await answer(path, { ...given, price_type });
        for (const field of Object.keys(expected(price_type)[0] ?? {})) {
          expect([field, column(rows, field)]).toEqual([field, column(expected(price_type), field)]);
        }
      }
      expect(expected(TICK)).not.toEqual(expected(ROBUST));
      expect(await answer(path, given)).toEqual(await answer(path, { ...given, price_type: fallback }));
      await refused(path, { ...given, price_type: "price_token_usd_wavg_1h" }, "price_type: got");
    },
  );
}

function fieldRules(
  fields: Record<string, string>,
  found: () => Promise<Found[]>,
  expected: () => Found[],
): void {
  for (const [field, type] of Object.entries(fields)) {
    rule(`${field}: ${type}`, async () => {
      expect(column(await found(), field)).toEqual(column(expected(), field));
      expect(column(expected(), field)).not.toContain(undefined);
    });
  }
}

const ENDS = ["open", "high", "low", "close"] as const;

function allTime(token: string, type: typeof TICK, more: { pool?: string; trades?: TradeRow[] } = {}): Found {
  const prices = pricedOf({ token, ...more }, type);
  const best = (isBetter: (one: number, other: number) => boolean) =>
    prices.reduce<Priced | undefined>(
      (kept, one) => (kept && !isBetter(one.price, kept.price) ? kept : one),
      undefined,
    );
  const ends = [prices[0], best((a, b) => a > b), best((a, b) => a < b), prices.at(-1)];
  const named = (prefix: string, read: (one: Priced) => unknown) =>
    Object.fromEntries(
      ENDS.map((end, i) => [`${prefix}_${end}`, ends[i] === undefined ? null : read(ends[i])]),
    );
  return {
    token_address: token,
    ...named("price", ({ price }) => price),
    ...named("timestamp", ({ row }) => row.at),
    ...named("transaction_hash", ({ row }) => row.transaction_hash),
  };
}

section("5. Batch all-time OHLC", import.meta.url, () => {
  const fields = Object.fromEntries([
    ["token_address", "string"],
    ...ENDS.map((end) => [`price_${end}`, "double (all-time value)"]),
    ...ENDS.map((end) => [`timestamp_${end}`, "integer"]),
    ...ENDS.map((end) => [`transaction_hash_${end}`, "string"]),
  ]) as Record<string, string>;
  const found = once(() => answer<Found[]>(ALL_TIME, { token_address: asked() }));

  batchRules(ALL_TIME, Object.keys(fields));
  priceTypeRule(ALL_TIME, ROBUST, (type) => asked().map((token) => allTime(token, type)));
  rule("pool_address: pool to take prices from, default all", async () => {
    const [token = ""] = tradedTokens();
    const pools = [...new Set(tradesOf({ token }).map(({ pool_address }) => pool_address))].slice(0, 3);
    for (const pool of pools) {
      const body = await answer(ALL_TIME, { token_address: token, pool_address: pool });
      expect(body).toEqual([allTime(token, ROBUST, { pool })]);
    }
    expect(await answer(ALL_TIME, { token_address: asked(), pool_address: "all" })).toEqual(await found());
  });
  fieldRules(fields, found, () => asked().map((token) => allTime(token, ROBUST)));
  decided(
    "open is the first price, close the newest; of several trades at the same extreme, the first counts",
    async () => {
      const trades = await readTrades("base");
      const body = await answer(ALL_TIME, { token_address: asked(), chain: "base" });
      expect(body).toEqual(asked().map((token) => allTime(token, ROBUST, { trades })));
    },
  );
});

function latest(token: string, type: typeof TICK): Found {
  const { row, price } = pricedOf({ token }, type).at(-1) ?? {};
  return {
    token_address: token,
    token_symbol: row?.token_symbol ?? null,
    token_name: row?.token_name ?? null,
    block_number: row?.block_number ?? null,
    timestamp: row?.at ?? null,
    transaction_hash: row?.transaction_hash ?? null,
    price_eth: row?.price_token_eth ?? null,
    price_usd: price ?? null,
  };
}

section("6. Batch latest token prices", import.meta.url, () => {
  const fields = {
    token_address: "string",
    token_symbol: "string",
    token_name: "string",
    block_number: "integer",
    timestamp: "integer, Unix seconds",
    transaction_hash: "string",
    price_eth: "double",
    price_usd: "double",
  };
  batchRules(LATEST, Object.keys(fields));
  priceTypeRule(LATEST, ROBUST, (type) => asked().map((token) => latest(token, type)));
  fieldRules(
    fields,
    once(() => answer<Found[]>(LATEST, { token_address: asked() })),
    () => asked().map((token) => latest(token, ROBUST)),
  );
  decided("The price is that of the newest trade with a non-null price of that type", async () => {
    const isOutlier = (token: string) => tradesOf({ token }).at(-1)?.price_token_usd_robust_tick_1 === null;
    const tokens = tradedTokens().filter(isOutlier);
    expect(tokens.length).toBeGreaterThan(0);
    expect(await answer(LATEST, { token_address: tokens })).toEqual(
      tokens.map((token) => latest(token, ROBUST)),
    );
  });
});

interface Period {
  from: number;
  until: number;
}

function change(token: string, type: typeof TICK, { from, until }: Period): Found {
  const inside = pricedOf({ token, from, until }, type);
  const close = priceAt(token, type, until) ?? null;
  const open = priceAt(token, type, from) ?? inside[0]?.price ?? null;
  const isKnown = open !== null && close !== null;
  return {
    token_address: token,
    timestamp_open: isKnown ? from : null,
    timestamp_close: isKnown ? until : null,
    price_open: open,
    price_close: close,
    change_pct: isKnown ? ((close - open) / open) * 100 : null,
    change_abs: isKnown ? close - open : null,
  };
}

section("7. Batch latest price change", import.meta.url, () => {
  const DAY = 86_400;
  const fields = {
    token_address: "string",
    timestamp_open: "integer",
    timestamp_close: "integer",
    price_open: "double",
    price_close: "double",
    change_pct: "double (percentage difference between close and open)",
    change_abs: "double (absolute difference between close and open)",
  };
  const periodOf = (seconds: number, until = lastTradeAt()) => ({ from: until - seconds, until });
  const expected = (period: Period, type = TICK) => asked().map((token) => change(token, type, period));
  const ask = (given: object) => answer<Found[]>(CHANGE, { token_address: asked(), ...given });

  batchRules(CHANGE, Object.keys(fields));
  priceTypeRule(CHANGE, TICK, (type) => expected(periodOf(DAY), type));

  rule("timestamp: Unix time of the end of the period", async () => {
    for (const until of [lastTradeAt(), lastTradeAt() - 1, lastTradeAt() - 1800, lastTradeAt() + 86_400]) {
      expect(await ask({ timestamp: until, lookback: "15m" })).toEqual(expected(periodOf(900, until)));
    }
  });

  rule("timestamp: default current time", async () => {
    const before = Math.floor(Date.now() / 1000);
    const { body } = await get(CHANGE, { token_address: the().oak.token });
    expect(body[0].timestamp_close).toBeGreaterThanOrEqual(before);
    expect(body[0].timestamp_close).toBeLessThanOrEqual(Date.now() / 1000);
    expect(body[0]).toMatchObject({ change_abs: 0, change_pct: 0 });
  });

  rule("lookback: default 24h", async () => {
    const timestamp = lastTradeAt();
    expect(await ask({ timestamp })).toEqual(await ask({ timestamp, lookback: "24h" }));
    expect(await ask({ timestamp })).toEqual(expected(periodOf(DAY)));
  });

  for (const [lookback, seconds] of Object.entries({
    "1s": 1,
    "90s": 90,
    "5m": 300,
    "20m": 1200,
    "1d": DAY,
    "2d": 2 * DAY,
    "1h": 3600,
  })) {
    rule(
      `lookback: <i><T>: i integer greater than 0, T is s, m or d (or h, as in the default): \`${lookback}\``,
      async () => {
        expect(await ask({ timestamp: lastTradeAt(), lookback })).toEqual(expected(periodOf(seconds)));
      },
    );
  }

  rule("lookback: maximum 30 days", async () => {
    for (const lookback of ["30d", "720h", "43200m", "2592000s"]) {
      expect(await ask({ timestamp: lastTradeAt() + DAY, lookback })).toEqual(
        expected(periodOf(30 * DAY, lastTradeAt() + DAY)),
      );
    }
    for (const lookback of ["31d", "721h", "43201m", "2592001s", "0d", "-1d", "1w", "d", "1.5d"]) {
      await refused(CHANGE, { token_address: NOBODY, lookback }, `lookback: got "${lookback}", expected`);
    }
  });

  rule("The period is [timestamp - lookback, timestamp]", async () => {
    const { at = 0, token_address = "" } = the().trades.at(-1) ?? {};
    const [one] = await answer(CHANGE, { token_address, timestamp: at, lookback: "10s" });
    expect(one).toMatchObject({ timestamp_open: at - 10, timestamp_close: at });
    expect(one.price_close).toBe(priceAt(token_address, TICK, at));
  });

  fieldRules(
    fields,
    once(() => ask({ timestamp: lastTradeAt(), lookback: "20m" })),
    () => expected(periodOf(1200)),
  );

  decided(
    "price_open is the price in force at the start or, if there is none, the first price in the period",
    async () => {
      const { token } = the().oak;
      const first = pricedOf({ token }, TICK)[0] ?? expect.fail("OAK has no price");
      const [one] = await answer(CHANGE, { token_address: token, timestamp: lastTradeAt(), lookback: "30d" });
      expect(one.price_open).toBe(first.price);
      expect(one).toEqual(change(token, TICK, periodOf(30 * DAY)));
    },
  );

  decided("Without any trade, all fields are null", async () => {
    const [one] = await answer(CHANGE, {
      token_address: the().oak.token,
      timestamp: (the().trades[0]?.at ?? 0) - 1,
    });
    expect(Object.values(one).slice(1)).toEqual(Array(6).fill(null));
  });
});
