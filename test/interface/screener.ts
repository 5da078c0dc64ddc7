import { expect } from "vitest";
import { allPools, blockTimes, tvlOf } from "./pools.ts";
import { priceAt, pricedOf, ROBUST } from "./support/expected.ts";
import { decided, section } from "./support/rules.ts";
import { answer, get, once, post, refused, sql, type TradeRow, the } from "./support/service.ts";

const PATH = "/v1/screener";
const WINDOWS = { "5m": 300, "1h": 3_600, "6h": 21_600, "24h": 86_400, "7d": 604_800 };
type Window = keyof typeof WINDOWS;

interface Row extends Record<string, unknown> {
  chain: string;
  volume_usd: number;
  trades: number;
  traders: number;
  price_usd: number | null;
  price_change_pct: number | null;
  liquidity_usd: number | null;
  created_timestamp: number | null;
  spam_reasons: string | null;
}

const FIGURES = ["volume_usd", "trades", "traders", "price_usd", "price_change_pct"];
const TOKEN_FIELDS = [
  ...["chain", "token_address", "token_symbol", "token_name", ...FIGURES],
  ...["pools", "main_pool_address", "liquidity_usd", "created_timestamp", "spam_reasons"],
];
const POOL_FIELDS = [
  ...["chain", "pool_address", "protocol", "fee", "token_addresses", "token_symbols", "priced_token_address"],
  ...[...FIGURES, "liquidity_usd", "created_timestamp", "spam_reasons"],
];

const now = async () => (await blockTimes()).at(-1) ?? 0;

async function list(given: Record<string, unknown> = {}): Promise<Row[]> {
  const { tokens, pools } = await answer(PATH, { chain: "eth", size: 100, show_spam: true, ...given });
  return given.kind === "pool" ? pools : tokens;
}

/** Returns the trades after the start of a window. */
async function tradesIn(window: Window): Promise<TradeRow[]> {
  const from = (await now()) - WINDOWS[window];
  return the().trades.filter(({ at }) => at > from);
}

function grouped(trades: readonly TradeRow[], keyOf: (row: TradeRow) => string): Map<string, TradeRow[]> {
  const groups = new Map<string, TradeRow[]>();
  for (const row of trades) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** Returns one row per swap: the one with the higher value. */
const swapsOf = (trades: readonly TradeRow[]) =>
  [...grouped(trades, (row) => `${row.block_number} ${row.log_index} ${row.pool_address}`).values()].flatMap(
    (rows) => rows.toSorted((a, b) => (b.amount_usd ?? 0) - (a.amount_usd ?? 0))[0] ?? [],
  );

const volumeOf = (trades: readonly TradeRow[]) =>
  trades.reduce((sum, { amount_usd }) => sum + (amount_usd ?? 0), 0);

function figuresOf(trades: readonly TradeRow[]) {
  return {
    volume_usd: expect.closeTo(volumeOf(trades), 4),
    trades: trades.length,
    traders: new Set(trades.map(({ trader_address }) => trader_address)).size,
  };
}

async function priceOf(token: string, window: Window) {
  const until = await now();
  const close = priceAt(token, ROBUST, until) ?? null;
  const open =
    priceAt(token, ROBUST, until - WINDOWS[window]) ?? pricedOf({ token }, ROBUST)[0]?.price ?? null;
  const change = close === null || open === null ? null : ((close - open) / open) * 100;
  return { price_usd: close, price_change_pct: change };
}

const tokenRows = once(() =>
  sql<{ token_address: string; first_seen_block_number: number; spam_reasons: string | null }>(
    "SELECT token_address, first_seen_block_number, spam_reasons FROM eth_token_metadata LIMIT 1000",
  ),
);
const poolRows = once(() =>
  sql<{
    pool_address: string;
    protocol: string;
    fee: number | null;
    timestamp_created: string;
    token_addresses: string;
  }>(
    "SELECT pool_address, protocol, fee, timestamp_created, token_addresses FROM eth_pool_metadata LIMIT 1000",
  ),
);

const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null);
const bounds = (values: readonly (number | null)[]) => {
  const sorted = known(values).toSorted((a, b) => a - b);
  return {
    min: sorted[Math.floor(sorted.length / 3)] ?? 0,
    max: sorted[Math.floor((2 * sorted.length) / 3)] ?? 0,
  };
};

section("Screener", import.meta.url, () => {
  decided("Methods: GET or POST, with the same response", async () => {
    const given = { chain: "eth", window: "1h", min_trades: 2 };
    const [byGet, byPost] = [await get(PATH, given), await post(PATH, given)];
    expect([byGet.status, byPost.status, byPost.body]).toEqual([200, 200, byGet.body]);
  });

  decided(
    "`tokens` or `pools` contains the rows, depending on `kind`, with these fields and no others",
    async () => {
      const tokens = await answer(PATH, { chain: "eth" });
      const pools = await answer(PATH, { chain: "eth", kind: "pool" });
      expect([tokens.pools, pools.tokens]).toEqual([[], []]);
      for (const row of tokens.tokens) expect(Object.keys(row)).toEqual(TOKEN_FIELDS);
      for (const row of pools.pools) expect(Object.keys(row)).toEqual(POOL_FIELDS);
      await refused(PATH, { kind: "wallet" }, "expected token or pool");
    },
  );

  for (const window of Object.keys(WINDOWS) as Window[]) {
    decided(
      `window=${window}: volume_usd, trades and traders of tokens are computed from the rows of trades`,
      async () => {
        const expected = grouped(await tradesIn(window), ({ token_address }) => token_address);
        const rows = await list({ window });
        expect(new Set(rows.map(({ token_address }) => token_address))).toEqual(new Set(expected.keys()));
        for (const row of rows)
          expect(row).toMatchObject(figuresOf(expected.get(String(row.token_address)) ?? []));
      },
    );
  }

  decided(
    "volume_usd, trades and traders of a pool_address count a swap once, even if it has two rows",
    async () => {
      const expected = grouped(swapsOf(await tradesIn("24h")), ({ pool_address }) => pool_address);
      const rows = await list({ kind: "pool" });
      expect(rows).toHaveLength(expected.size);
      for (const row of rows)
        expect(row).toMatchObject(figuresOf(expected.get(String(row.pool_address)) ?? []));
    },
  );

  decided("price_usd and price_change_pct use robust prices, at both ends of the window", async () => {
    for (const window of ["5m", "24h"] as const)
      for (const row of await list({ window })) {
        const { price_change_pct: change, ...price } = await priceOf(String(row.token_address), window);
        expect(row).toMatchObject({ ...price, price_change_pct: change && expect.closeTo(change, 8) });
      }
    for (const row of await list({ kind: "pool" }))
      expect(row.price_usd).toBe((await priceOf(String(row.priced_token_address), "24h")).price_usd);
  });

  decided(
    "main_pool_address is the pool with the highest volume of the token; pools is the number of its pools",
    async () => {
      const trades = grouped(await tradesIn("24h"), ({ token_address }) => token_address);
      for (const { token_address, main_pool_address, pools } of await list()) {
        const byPool = grouped(trades.get(String(token_address)) ?? [], ({ pool_address }) => pool_address);
        const volumes = [...byPool].map(([pool, rows]) => [volumeOf(rows), pool] as const);
        expect([main_pool_address, pools]).toEqual([
          volumes.sort((a, b) => b[0] - a[0])[0]?.[1],
          byPool.size,
        ]);
      }
    },
  );

  decided(
    "liquidity_usd is the value that the pool holds according to the node; for a token, that of its main pool",
    async () => {
      const [pools, tokens] = [await list({ kind: "pool" }), await list()];
      for (const pool of allPools()) {
        const { tvl_usd } = await tvlOf(pool, { at: await now(), type: ROBUST });
        const expected = tvl_usd === null ? null : expect.closeTo(tvl_usd, 4);
        const own = pools.filter(({ pool_address }) => pool_address === pool.address);
        const main = tokens.filter(({ main_pool_address }) => main_pool_address === pool.address);
        for (const row of [...own, ...main]) expect(row.liquidity_usd).toEqual(expected);
      }
    },
  );

  decided("created_timestamp: when a pool was created; when a token was first seen", async () => {
    const times = await blockTimes();
    const seen = new Map((await tokenRows()).map((row) => [row.token_address, row.first_seen_block_number]));
    for (const { token_address, created_timestamp } of await list())
      expect(created_timestamp).toBe(times[seen.get(String(token_address)) ?? -1]);
    const created = new Map((await poolRows()).map((row) => [row.pool_address, row.timestamp_created]));
    for (const { pool_address, created_timestamp } of await list({ kind: "pool" }))
      expect(created_timestamp).toBe(Date.parse(created.get(String(pool_address)) ?? "") / 1000);
  });

  decided(
    "chain, token_symbol, token_name, protocol, fee, token_addresses, token_symbols and priced_token_address are those of the tables",
    async () => {
      const names = await sql(
        "SELECT token_address, token_symbol, token_name FROM eth_token_metadata LIMIT 1000",
      );
      const tokens = await list();
      for (const row of tokens)
        expect(names).toContainEqual({
          ...{ token_address: row.token_address, token_symbol: row.token_symbol, token_name: row.token_name },
        });
      for (const row of await list({ kind: "pool" })) {
        const addresses = row.token_addresses as string[];
        const stored = (await poolRows()).find(({ pool_address }) => pool_address === row.pool_address);
        expect(stored).toMatchObject({
          ...{ protocol: row.protocol, fee: row.fee, token_addresses: addresses.join() },
        });
        const symbols = addresses.map(
          (one) => names.find(({ token_address }) => token_address === one)?.token_symbol,
        );
        expect([row.chain, row.token_symbols]).toEqual(["eth", symbols]);
        expect(addresses).toContain(row.priced_token_address);
      }
    },
  );

  decided(
    "sortby and order: any figure in both directions, nulls last; default volume_usd, desc",
    async () => {
      for (const field of [
        ...FIGURES.filter((one) => one !== "price_usd"),
        "liquidity_usd",
        "created_timestamp",
      ])
        for (const order of ["desc", "asc"]) {
          const values = (await list({ sortby: field, order })).map((row) => row[field] as number | null);
          const sorted = known(values).toSorted((a, b) => (order === "desc" ? b - a : a - b));
          expect(values).toEqual([...sorted, ...values.filter((value) => value === null)]);
        }
      expect(await list()).toEqual(
        await list({ sortby: "volume_usd", order: "desc", window: "24h", kind: "token" }),
      );
      await refused(PATH, { sortby: "name" }, "expected volume_usd, trades, traders");
    },
  );

  for (const [name, field] of [
    ["volume_usd", "volume_usd"],
    ["trades", "trades"],
    ["traders", "traders"],
    ["price_change_pct", "price_change_pct"],
    ["liquidity_usd", "liquidity_usd"],
  ] as const) {
    decided(`min_${name} and max_${name}: both inclusive; a row without the figure is left out`, async () => {
      for (const kind of ["token", "pool"]) {
        const all = await list({ kind });
        const { min, max } = bounds(all.map((row) => row[field]));
        const within = all.filter((row) => row[field] !== null && row[field] >= min && row[field] <= max);
        const found = await list({ kind, [`min_${name}`]: min, [`max_${name}`]: max });
        expect(found.length).toBeGreaterThan(0);
        expect(found).toEqual(within);
      }
      await refused(PATH, { [`min_${name}`]: 2, [`max_${name}`]: 1 }, `expected at least min_${name}`);
      await refused(PATH, { [`min_${name}`]: "many" }, `min_${name}: got "many"`);
    });
  }

  decided(
    "max_age and min_age: by created_timestamp; max_age includes tokens and pools without trades",
    async () => {
      const newest = await now();
      const age = ({ timestamp_created }: { timestamp_created: string }) =>
        newest - Date.parse(timestamp_created) / 1000;
      const oak = the().oak.pool;
      const young = (await poolRows()).filter((row) => age(row) <= 60);
      const found = await list({ kind: "pool", max_age: "1m" });
      expect(found.map(({ pool_address }) => pool_address).sort()).toEqual(
        young.map(({ pool_address }) => pool_address).sort(),
      );
      const older = (await list({ kind: "pool", min_age: "1m" })).map(({ pool_address }) => pool_address);
      const traded = (await list({ kind: "pool" })).map(({ pool_address }) => pool_address);
      expect(older).toEqual(
        traded.filter((pool) => !young.some(({ pool_address }) => pool_address === pool)),
      );
      expect(traded).toContain(oak);
      await refused(PATH, { max_age: "1w" }, "from 1m to 365d");
    },
  );

  decided("protocol: only its pools; for tokens, only the trades in them", async () => {
    const trades = (await tradesIn("24h")).filter(({ protocol_name }) => protocol_name === "uniswap_v2");
    const pools = await list({ kind: "pool", protocol: "uniswap_v2" });
    expect(new Set(pools.map(({ pool_address }) => pool_address))).toEqual(
      new Set(trades.map(({ pool_address }) => pool_address)),
    );
    const expected = grouped(trades, ({ token_address }) => token_address);
    for (const row of await list({ protocol: "uniswap_v2" }))
      expect(row).toMatchObject(figuresOf(expected.get(String(row.token_address)) ?? []));
    await refused(PATH, { protocol: "doge" }, /got "doge", expected one of .*uniswap_v2/);
  });

  decided("token_address: only these tokens, or pools with one of them; up to 100", async () => {
    const { token, pool } = the().oak;
    expect((await list({ token_address: [token] })).map(({ token_address }) => token_address)).toEqual([
      token,
    ]);
    const pools = await list({ kind: "pool", token_address: token });
    expect(pools.map(({ pool_address }) => pool_address)).toEqual([pool]);
    await refused(PATH, { token_address: "0x12" }, 'got "0x12"');
  });

  decided("size: default 50, up to 100; page: from 1; total: rows on all pages", async () => {
    const all = await list();
    const { tokens: second, total } = await answer(PATH, { chain: "eth", show_spam: true, size: 3, page: 2 });
    expect([second, total]).toEqual([all.slice(3, 6), all.length]);
    expect((await answer(PATH, { chain: "eth" })).tokens.length).toBeLessThanOrEqual(50);
    await refused(PATH, { size: 101 }, "expected an integer from 1 to 100");
    await refused(PATH, { page: 0 }, "expected an integer from 1 to 500");
  });

  decided(
    "limited: true if more than 500 tokens or pools of a chain meet the filters that do not depend on prices; the list then has only the first 500 of them",
    async () => {
      // src/api/endpoints/screener/screener.test.ts has a chain with more of them.
      const { total, limited } = await answer(PATH, { show_spam: true });
      expect([total < 500, limited]).toEqual([true, false]);
    },
  );

  decided(
    "show_spam: default false; hidden_spam counts the rows with spam_reasons that are left out",
    async () => {
      const spam = new Map((await tokenRows()).map((row) => [row.token_address, row.spam_reasons]));
      const all = await list();
      for (const row of all) expect(row.spam_reasons).toBe(spam.get(String(row.token_address)));
      const honest = all.filter((row) => row.spam_reasons === null);
      const { tokens, hidden_spam } = await answer(PATH, { chain: "eth", size: 100 });
      expect([tokens, hidden_spam]).toEqual([honest, all.length - honest.length]);
    },
  );

  decided(
    "exclude_wash: default false; leaves out trades with a wash_reason; hidden_wash counts rows without other trades",
    async () => {
      const washed = await sql("SELECT COUNT(*) AS count FROM eth_dex_trades WHERE wash_reason IS NOT NULL");
      expect(washed).toEqual([{ count: 0 }]);
      const { hidden_wash } = await answer(PATH, { chain: "eth", exclude_wash: true });
      expect([await list({ exclude_wash: true }), hidden_wash]).toEqual([await list(), 0]);
    },
  );

  decided("chain: default all chains, in one list", async () => {
    const names = ["eth", "base", "matic"];
    const lists = await Promise.all(names.map((chain) => list({ chain })));
    const { tokens, total } = await answer(PATH, { size: 100, show_spam: true });
    const expected = lists.flat().toSorted((a, b) => b.volume_usd - a.volume_usd);
    expect(total).toBe(expected.length);
    expect(tokens.map((row: Row) => row.volume_usd)).toEqual(
      expected.slice(0, 100).map(({ volume_usd }) => volume_usd),
    );
  });
});
