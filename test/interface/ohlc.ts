import { expect } from "vitest";
import {
  type Candle,
  candlesOf,
  lastTradeAt,
  NOBODY,
  ROBUST,
  TICK,
  tradedTokens,
  tradesOf,
} from "./support/expected.ts";
import { decided, rule, section } from "./support/rules.ts";
import { answer, get, once, post, readTrades, refused, sql, the } from "./support/service.ts";

const PATH = "/v1/price/historical/ohlc";
const PRICES = ["price_open", "price_high", "price_low", "price_close"] as const;
/**
 * Returns candles without the volume and the number of trades. Prices are compared exactly, but sums of
 * volume may differ in their last bits.
 */
const withoutVolume = (candles: Candle[]) => candles.map(({ volume, num_trades, ...rest }) => rest);

const busy = () => tradedTokens()[0] ?? "";
/** A token that does not trade in most minutes. */
const quiet = () => the().oak.token;
const until = () => lastTradeAt() + 600;
const candles = async (given: object): Promise<Candle[]> =>
  (
    await answer(PATH, {
      token_address: busy(),
      until_timestamp: until(),
      max_size: 2500,
      order: "asc",
      ...given,
    })
  ).data;
const expected = (more: object = {}) => candlesOf({ token: busy(), seconds: 60, until: until(), ...more });

section("3. Price history (OHLC)", import.meta.url, () => {
  rule("Method: GET", async () => {
    const { status, body } = await get(PATH, { token_address: busy() });
    expect([status, body.error]).toEqual([200, undefined]);
  });

  rule("token_address: string, required", async () => {
    await refused(PATH, { interval: "1d" }, "^Missing required parameter: token_address$");
    await refused(PATH, { token_address: "0x12" }, 'token_address: got "0x12", expected an address');
    for (const token of [busy(), quiet()]) {
      const found = await candles({ token_address: token, interval: "1m" });
      expect(found).toEqual(withoutVolume(expected({ token })));
    }
  });

  rule("pool_address: marked required, default all; all considers every pool", async () => {
    expect(await candles({ interval: "1m" })).toEqual(await candles({ interval: "1m", pool_address: "all" }));
    const pools = [...new Set(tradesOf({ token: busy() }).map(({ pool_address }) => pool_address))];
    expect(pools.length).toBeGreaterThan(1);
    for (const pool of pools.slice(0, 3)) {
      const found = await candles({ interval: "1m", pool_address: pool });
      expect(found).toEqual(withoutVolume(expected({ pool })));
    }
  });

  rule("chain: eth or base, default eth", async () => {
    const token = busy();
    const trades = await readTrades("base");
    const given = { interval: "1m", with_volume: true, until_timestamp: until() };
    const sum = (list: { num_trades: number }[]) =>
      list.reduce((total, { num_trades }) => total + num_trades, 0);
    expect(sum(await candles({ ...given, chain: "base" }))).toBe(tradesOf({ token, trades }).length);
    expect(sum(await candles(given))).toBe(tradesOf({ token }).length);
    expect(await candles({ ...given, chain: "eth" })).toEqual(await candles(given));
    await refused(
      PATH,
      { token_address: token, chain: "doge" },
      'chain: got "doge", expected one of the configured chains: eth, base, matic',
    );
  });

  rule(
    "price_type: price_token_usd_tick_1 or price_token_usd_robust_tick_1, default price_token_usd_robust_tick_1",
    async () => {
      for (const type of [TICK, ROBUST]) {
        expect(await candles({ interval: "1m", price_type: type })).toEqual(
          withoutVolume(expected({ type })),
        );
      }
      expect(await candles({ interval: "1m" })).toEqual(
        await candles({ interval: "1m", price_type: ROBUST }),
      );
      await refused(
        PATH,
        { token_address: busy(), price_type: "price_token_usd_tick_100" },
        "price_type: got",
      );
    },
  );

  rule("interval: default 1d", async () => {
    const found = await candles({});
    expect(found).toEqual(await candles({ interval: "1d" }));
    expect(found).toEqual(withoutVolume(expected({ seconds: 86_400 })));
  });

  for (const [interval, seconds] of Object.entries({
    "1m": 60,
    "7m": 420,
    "1h": 3600,
    "5h": 18_000,
    "2d": 172_800,
    "365d": 31_536_000,
  })) {
    rule(`interval: format <value><freq>, freq is m, h or d: \`${interval}\``, async () => {
      expect(await candles({ interval })).toEqual(withoutVolume(expected({ seconds })));
    });
  }

  rule("interval: no other form", async () => {
    for (const interval of ["1w", "m", "0m", "1.5h", "1s", "-1d", "366d", "1M"]) {
      await refused(PATH, { token_address: busy(), interval }, `interval: got "${interval}", expected`);
    }
  });

  rule("from_timestamp: buckets whose timestamp_open is >= this, default 0", async () => {
    const all = await candles({ interval: "1m" });
    expect(all).toEqual(await candles({ interval: "1m", from_timestamp: 0 }));
    const open = all[9]?.timestamp_open ?? 0;
    for (const [from, first] of [
      [open, 9],
      [open + 1, 10],
      [open - 1, 9],
    ] as const) {
      expect(await candles({ interval: "1m", from_timestamp: from })).toEqual(all.slice(first));
    }
  });

  rule("until_timestamp: buckets whose timestamp_open is <= this", async () => {
    const all = await candles({ interval: "1m" });
    const open = all[9]?.timestamp_open ?? 0;
    for (const [last, count] of [
      [open, 10],
      [open - 1, 9],
      [open + 59, 10],
    ] as const) {
      expect(await candles({ interval: "1m", until_timestamp: last })).toEqual(all.slice(0, count));
    }
  });

  rule("until_timestamp: default current time", async () => {
    const before = Date.now() / 1000;
    const { body } = await get(PATH, { token_address: busy(), interval: "1m", max_size: 1 });
    expect(body.data[0].timestamp_close).toBeGreaterThanOrEqual(Math.floor(before));
    expect(body.data[0].timestamp_open).toBeLessThanOrEqual(Date.now() / 1000);
  });

  rule("max_size: default 100", async () => {
    const given = { token_address: busy(), interval: "1m", until_timestamp: until() + 86_400 };
    const { data } = await answer(PATH, given);
    expect(data).toHaveLength(100);
    expect(data).toEqual((await answer(PATH, { ...given, max_size: 100 })).data);
  });

  rule("max_size: from 1 to 2500", async () => {
    const given = { token_address: busy(), interval: "1m", until_timestamp: until() + 7 * 86_400 };
    for (const size of [1, 2, 2499, 2500]) {
      expect((await answer(PATH, { ...given, max_size: size })).data).toHaveLength(size);
    }
    for (const size of [0, 2501, -1, 1.5]) {
      await refused(
        PATH,
        { ...given, max_size: size },
        `max_size: got "?${size}"?, expected an integer from 1 to 2500`,
      );
    }
  });

  rule("order: desc (newest first) or asc (oldest first), default desc", async () => {
    const asc = await candles({ interval: "1m" });
    expect(await candles({ interval: "1m", order: "desc" })).toEqual(asc.toReversed());
    const { data } = await answer(PATH, { token_address: busy(), interval: "1m", until_timestamp: until() });
    expect(data).toEqual(asc.toReversed().slice(0, 100));
    await refused(PATH, { token_address: busy(), order: "up" }, 'order: got "up", expected desc or asc');
  });

  rule(
    "fill: default true: an interval without trades takes the previous interval's close for open, high, low and close",
    async () => {
      const given = { token_address: quiet(), interval: "1m", until_timestamp: until() };
      const filled = await candles(given);
      expect(filled).toEqual(await candles({ ...given, fill: true }));
      expect(filled).toEqual(withoutVolume(expected({ token: quiet() })));
      const last = filled.at(-1);
      expect(PRICES.map((name) => last?.[name])).toEqual(Array(4).fill(filled.at(-2)?.price_close));
      expect(last?.price_close).not.toBeNull();
    },
  );

  rule("fill: false: those prices are null", async () => {
    const found = await candles({ token_address: quiet(), interval: "1m", fill: false });
    expect(found).toEqual(withoutVolume(expected({ token: quiet(), fill: false })));
    expect(PRICES.map((name) => found.at(-1)?.[name])).toEqual(Array(4).fill(null));
  });

  rule("with_volume: default false: include volume information (volume and num_trades)", async () => {
    const found = await candles({ interval: "1m", with_volume: true });
    const wanted = expected();
    expect(found.map(({ num_trades }) => num_trades)).toEqual(wanted.map(({ num_trades }) => num_trades));
    for (const [i, { volume }] of wanted.entries()) expect(found[i]?.volume).toBeCloseTo(volume, 5);
    const [bare = {}] = await candles({ interval: "1m" });
    expect([await candles({ interval: "1m", with_volume: false }), "volume" in bare]).toEqual([
      await candles({ interval: "1m" }),
      false,
    ]);
  });

  decided(
    "exclude_wash: default false; true: volume and num_trades without trades that have a wash_reason",
    async () => {
      const given = { interval: "1h", with_volume: true, order: "asc", fill: false };
      const all = await candles(given);
      expect(await candles({ ...given, exclude_wash: false })).toEqual(all);
      const honest = await sql(
        `SELECT COUNT(*) AS n FROM eth_dex_trades WHERE token_address = '${busy()}' AND wash_reason IS NULL`,
      );
      const found = await candles({ ...given, exclude_wash: true });
      const sum = found.reduce((total, { num_trades = 0 }) => total + num_trades, 0);
      expect([found.length, sum]).toEqual([all.length, honest[0]?.n]);
      await refused(PATH, { token_address: busy(), exclude_wash: "some" }, /exclude_wash: got "some"/);
    },
  );

  rule("open_method: default prev_close: open is previous interval's close", async () => {
    const found = await candles({ interval: "1m" });
    expect(found).toEqual(await candles({ interval: "1m", open_method: "prev_close" }));
    for (const [i, { price_open }] of found.entries()) {
      if (i > 0) expect(price_open).toBe(found[i - 1]?.price_close);
    }
  });

  rule("open_method: first_trade: open is the first trade in the interval", async () => {
    const found = await candles({ interval: "1m", open_method: "first_trade" });
    expect(found).toEqual(withoutVolume(expected({ open: "first_trade" })));
    expect(found).not.toEqual(await candles({ interval: "1m" }));
    await refused(
      PATH,
      { token_address: busy(), open_method: "last" },
      'open_method: got "last", expected prev_close or first_trade',
    );
  });

  rule("Response: object with token_address (string) and data (array of buckets)", async () => {
    const body = await answer(PATH, { token_address: busy(), until_timestamp: until() });
    expect(body).toEqual({ token_address: busy(), data: expect.any(Array) });
  });

  const both = once(async () => {
    const options = [
      { interval: "1m" },
      { interval: "1h", fill: false },
      { interval: "1m", token_address: quiet() },
    ];
    const wanted = [expected(), expected({ seconds: 3600, fill: false }), expected({ token: quiet() })];
    return { found: await Promise.all(options.map(candles)), wanted };
  });
  const fields: Record<keyof Omit<Candle, "volume" | "num_trades">, string> = {
    timestamp_open: "integer (interval start, inclusive)",
    timestamp_close: "integer (interval end, inclusive)",
    date_open: "string, ISO 8601 yyyy-mm-ddThh:mm:ssZ",
    date_close: "string, ISO 8601",
    price_open: "double",
    price_high: "double",
    price_low: "double",
    price_close: "double (last trade in the interval)",
  };
  for (const [field, type] of Object.entries(fields) as [keyof Candle, string][]) {
    rule(`Bucket: ${field}: ${type}`, async () => {
      const { found, wanted } = await both();
      expect(found.map((list) => list.map((one) => one[field]))).toEqual(
        wanted.map((list) => list.map((one) => one[field])),
      );
    });
  }
  rule("Bucket: no other field", async () => {
    const { found } = await both();
    for (const one of found.flat()) expect(Object.keys(one)).toEqual(Object.keys(fields));
  });

  decided(
    "Intervals are aligned to the unix epoch; timestamp_close = timestamp_open + interval - 1",
    async () => {
      for (const { timestamp_open, timestamp_close } of await candles({ interval: "7m" })) {
        expect([timestamp_open % 420, timestamp_close]).toEqual([0, timestamp_open + 419]);
      }
    },
  );

  decided(
    "The newest bucket contains the earlier of until_timestamp and now; any non-negative integer is a time",
    async () => {
      const given = { token_address: busy(), interval: "1d", max_size: 3 };
      const soon = Math.floor(Date.now() / 1000) + 60;
      for (const time of [soon + 30 * 86_400, soon * 1000, 2 ** 53 - 1]) {
        const [newest] = (await answer(PATH, { ...given, until_timestamp: time })).data;
        expect(newest.timestamp_open).toBeLessThanOrEqual(soon);
        expect(newest.timestamp_close).toBeGreaterThanOrEqual(soon - 120);
        expect(await candles({ from_timestamp: time, until_timestamp: time })).toEqual([]);
      }
    },
  );

  decided(
    "With fill=true the first bucket is that of the first trade with a price of the requested type",
    async () => {
      for (const token of tradedTokens()) {
        for (const type of [TICK, ROBUST]) {
          const found = await candles({ token_address: token, interval: "1m", price_type: type });
          expect(found.flatMap((one) => PRICES.map((name) => one[name]))).not.toContain(null);
          expect(found).toEqual(withoutVolume(expected({ token, type })));
        }
      }
    },
  );

  decided(
    "The newest bucket contains until_timestamp, filled if there is no trade yet; the first one contains the first trade",
    async () => {
      const later = until() + 86_400;
      const found = await candles({ interval: "1h", until_timestamp: later });
      expect(found.at(-1)?.timestamp_open).toBe(later - (later % 3600));
      expect(found[0]?.timestamp_open).toBeLessThanOrEqual(tradesOf({ token: busy() })[0]?.at ?? 0);
      expect(found[0]?.timestamp_close).toBeGreaterThanOrEqual(tradesOf({ token: busy() })[0]?.at ?? 0);
    },
  );

  decided("prev_close uses trades before the window", async () => {
    const all = await candles({ interval: "1m" });
    const [first] = await candles({ interval: "1m", from_timestamp: all[20]?.timestamp_open });
    expect(first?.price_open).toBe(all[19]?.price_close);
  });

  decided("A candle is well formed: low <= open, close <= high", async () => {
    for (const price_type of [TICK, ROBUST]) {
      for (const one of await candles({ interval: "1m", price_type })) {
        const [open, high, low, close] = PRICES.map((name) => one[name] ?? 0) as [
          number,
          number,
          number,
          number,
        ];
        expect([low <= Math.min(open, close), Math.max(open, close) <= high]).toEqual([true, true]);
      }
    }
  });

  decided("max_size applies after ordering", async () => {
    const all = await candles({ interval: "1m" });
    expect(await candles({ interval: "1m", max_size: 3 })).toEqual(all.slice(0, 3));
    expect(await candles({ interval: "1m", max_size: 3, order: "desc" })).toEqual(all.slice(-3).toReversed());
  });

  decided("A token that was never traded has no buckets", async () => {
    expect(await answer(PATH, { token_address: NOBODY })).toEqual({ token_address: NOBODY, data: [] });
  });

  decided("POST takes the same parameters", async () => {
    const given = { token_address: busy(), until_timestamp: until(), max_size: 4 };
    expect((await post(PATH, given)).body).toEqual((await get(PATH, given)).body);
  });
});
