import { expect } from "vitest";
import { STABLES, WETH } from "../../devnet/market/tokens.ts";
import { allPools, balancesAt, blockTimes, type Look, type Pool, type PoolTvl, tvlOf } from "./pools.ts";
import { NOBODY, strangers } from "./support/expected.ts";
import { decided, rule, section } from "./support/rules.ts";
import { answer, asked, get, once, post, readTrades, refused, sql, the } from "./support/service.ts";

const PATH = "/v1/market-api/batch-latest-pool-tvl";
const HISTORY = "/v1/market-api/pool-tvl-history";
const DEFAULT_TYPE = "price_token_usd_tick_1";
/** The price types in the interface's table. */
const TYPES = [
  DEFAULT_TYPE,
  "price_token_usd_robust_tick_1",
  ...["total", "buy", "sell", "mid"].flatMap((kind) =>
    ["1h", "24h"].map((period) => `price_token_usd_robust_${kind}_${period}`),
  ),
];
/** Additional price columns of eth_dex_trades. */
const MORE_TYPES = ["price_token_usd_tick_100", "price_token_usd_wavg_1h", "price_token_usd_wavg_24h"];

const FIELDS = {
  pool_address: "string",
  block_number: "integer, block of the most recent swap in the pool",
  timestamp: "integer, time of the most recent swap",
  token_0_address: "string, token of the pool",
  token_1_address: "string, token of the pool",
  token_0_balance: "double, amount of the token in the pool",
  token_1_balance: "double, amount of the token in the pool",
  token_0_price_usd: "double, price used for the USD balance; depends on price_type",
  token_1_price_usd: "double, price used for the USD balance; depends on price_type",
  token_0_balance_usd: "double, USD value of the balance",
  token_1_balance_usd: "double, USD value of the balance",
  tvl_usd: "double, token_0_balance_usd plus token_1_balance_usd",
  liquidity_usd: "double, USD value of the wrapped-ether or stable-coin side of the pool",
};

interface Answer {
  data: PoolTvl[];
}

const NOW = { at: Infinity };
const addresses = (pools: readonly Pool[]) => pools.map(({ address }) => address);
const expected = (pools: readonly Pool[], look: Look) => Promise.all(pools.map((pool) => tvlOf(pool, look)));
/** As many pools as GET accepts, including OAK's pool. */
const some = () => allPools().slice(-25);

async function everyPool(given: object = {}): Promise<PoolTvl[]> {
  const { status, body } = await post(PATH, { pool_address: addresses(allPools()), ...given });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
}

/** Compares all fields of all pools at a given time with values derived from the contracts and the trades. */
async function sameAt(at: number): Promise<PoolTvl[]> {
  const wanted = await expected(allPools(), { at });
  expect([at, await everyPool({ timestamp: at })]).toEqual([at, wanted]);
  return wanted;
}

/** Returns times over the market's whole history: some are block times, some are just before a block. */
async function moments(): Promise<number[]> {
  const times = await blockTimes();
  return Array.from({ length: 8 }, (_, i) => {
    const place = Math.floor(((times.length - 1) * (i + 1)) / 8);
    return (times[place] ?? 0) - (i % 2);
  });
}

/**
 * Returns the pools whose two tokens a filter accepts. For each token, the filter gets whether it is cash and
 * whether it is stable.
 */
function poolsOf(isOurs: (tokens: [isCash: boolean, isStable: boolean][]) => boolean): Pool[] {
  const stable = STABLES.map(({ address }) => address);
  return allPools().filter(({ token0, token1 }) =>
    isOurs(
      [token0, token1].map(({ address }) => [
        address === WETH.address || stable.includes(address),
        stable.includes(address),
      ]),
    ),
  );
}

const cashSides = (count: number) =>
  poolsOf((tokens) => tokens.filter(([isCash]) => isCash).length === count);

section("8. Batch latest pool TVL", import.meta.url, () => {
  rule("Methods: GET or POST", async () => {
    const pool_address = addresses(some());
    const [byGet, byPost] = [await get(PATH, { pool_address }), await post(PATH, { pool_address })];
    expect([byGet.status, byPost.status, byPost.body]).toEqual([200, 200, byGet.body]);
    const { status, headers } = await asked("DELETE", PATH, {});
    expect([status, headers.get("allow")]).toEqual([405, "GET, POST, HEAD, OPTIONS"]);
  });

  rule("Up to 1,000 pools per request (POST)", async () => {
    const pool_address = [...strangers(999), the().oak.pool];
    const { status, body } = await post(PATH, { pool_address });
    expect([status, body.data.map((one: PoolTvl) => one.pool_address)]).toEqual([200, pool_address]);
    expect(Object.values(body.data.at(-1))).not.toContain(null);
    const more = await post(PATH, { pool_address: [...pool_address, NOBODY] });
    expect([more.status, more.body.error]).toEqual([
      400,
      expect.stringContaining("got a list of 1001, expected a list of 1 to 1000"),
    ]);
  });

  rule("GET allows 25 addresses", async () => {
    expect((await get(PATH, { pool_address: strangers(25) })).body.data).toHaveLength(25);
    const { status, body } = await get(PATH, { pool_address: strangers(26) });
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(/pool_address: got a list of 26, expected 1 to 25 .*POST/),
    ]);
  });

  rule(
    "pool_address: string or list, required; on GET a comma-separated string, on POST a JSON list",
    async () => {
      const list = addresses(some());
      const byList = await post(PATH, { pool_address: list });
      expect(byList.body.data).toHaveLength(25);
      for (const pool_address of [list, list.join(",")]) {
        expect((await get(PATH, { pool_address })).body).toEqual(byList.body);
        expect((await post(PATH, { pool_address })).body).toEqual(byList.body);
      }
      expect(await answer(PATH, { pool_address: list[0] })).toEqual({ data: [byList.body.data[0]] });
      await refused(PATH, {}, "^Missing required parameter: pool_address$");
      await refused(PATH, { pool_address: `${list[0]},0x12` }, /got "0x12" \(item 2 of 2\)/);
    },
  );

  function priceType(type: string): () => Promise<void> {
    return async () => {
      for (const at of [(await moments())[5] ?? 0, (await blockTimes()).at(-1) ?? 0]) {
        const wanted = await expected(allPools(), { at, type });
        expect(await everyPool({ timestamp: at, price_type: type })).toEqual(wanted);
        if (type !== DEFAULT_TYPE) expect(wanted).not.toEqual(await expected(allPools(), { at }));
        expect(wanted.some(({ tvl_usd }) => tvl_usd !== null)).toBe(true);
      }
    };
  }
  for (const type of TYPES) {
    rule(`price_type: any price type from the price types table: \`${type}\``, priceType(type));
  }
  for (const type of MORE_TYPES) {
    decided(`price_type: also those of eth_dex_trades: \`${type}\``, priceType(type));
  }
  rule(`price_type: default ${DEFAULT_TYPE}`, async () => {
    const given = { pool_address: addresses(some()) };
    expect(await answer(PATH, given)).toEqual(await answer(PATH, { ...given, price_type: DEFAULT_TYPE }));
    expect((await answer<Answer>(PATH, given)).data).toEqual(await expected(some(), NOW));
    await refused(PATH, { ...given, price_type: "price_token_usd" }, "price_type: got");
  });

  rule("timestamp: Unix time for which to return TVL and liquidity", async () => {
    const answers = [];
    for (const at of await moments()) answers.push(JSON.stringify(await sameAt(at)));
    expect(new Set(answers).size).toBe(answers.length);
    for (const timestamp of ["yesterday", -1, 1.5]) {
      await refused(PATH, { pool_address: NOBODY, timestamp }, "timestamp: got");
    }
  });

  rule("timestamp: default current time", async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await everyPool()).toEqual(await everyPool({ timestamp: now }));
    expect(await everyPool()).toEqual(await sameAt((await blockTimes()).at(-1) ?? 0));
    expect(await everyPool()).toEqual(await everyPool({ timestamp: now + 86_400 }));
  });

  rule("Response: object with data, an array with one object per pool, with these fields alone", async () => {
    const body = await answer<Answer>(PATH, { pool_address: addresses(some()) });
    expect(Object.keys(body)).toEqual(["data"]);
    for (const one of body.data) expect(Object.keys(one)).toEqual(Object.keys(FIELDS));
  });

  const found = once(() => everyPool());
  const wanted = once(() => expected(allPools(), NOW));
  for (const [field, meaning] of Object.entries(FIELDS) as [keyof PoolTvl, string][]) {
    rule(`${field}: ${meaning}`, async () => {
      const column = (rows: PoolTvl[]) => rows.map((row) => row[field]);
      expect(column(await found())).toEqual(column(await wanted()));
      expect(column(await found()).filter((value) => value !== null).length).toBeGreaterThan(40);
      if (meaning.startsWith("integer")) {
        expect(column(await found()).every((value) => value === null || Number.isInteger(value))).toBe(true);
      }
    });
  }

  decided("One item per requested pool, in request order; an unknown pool has nulls", async () => {
    const id = `0x${"ab".repeat(32)}`;
    const pool_address = [NOBODY, ...addresses(some()).toReversed().slice(0, 20), id, ...strangers(2)];
    const { data } = await answer<Answer>(PATH, { pool_address });
    expect(data.map((one) => one.pool_address)).toEqual(pool_address);
    for (const place of [0, -1, -2, -3]) {
      const [, ...rest] = Object.values(data.at(place) ?? {});
      expect(rest).toEqual(Array(Object.keys(FIELDS).length - 1).fill(null));
    }
  });

  decided("Addresses are returned in lower case; duplicates count once", async () => {
    const upper = the().oak.pool.toUpperCase().replace("0X", "0x");
    const { data } = await answer<Answer>(PATH, { pool_address: [upper, the().oak.pool, upper] });
    expect(data.map((one) => one.pool_address)).toEqual([the().oak.pool]);
  });

  for (const [version, text] of [
    [2, "Balances are exact at timestamp: for V2, they equal getReserves() at that block"],
    [3, "Balances are exact at timestamp: for other pools, they equal balanceOf() at that block"],
  ] as const) {
    decided(text, async () => {
      const pools = allPools().filter((pool) => pool.version === version);
      const times = await blockTimes();
      let [compared, previous] = [0, ""];
      for (let block = times.length - 1; block > 0; block -= 7) {
        const data = (await everyPool({ timestamp: times[block] })).filter(({ pool_address }) =>
          addresses(pools).some((address) => address === pool_address),
        );
        for (const [i, pool] of pools.entries()) {
          const held = await balancesAt(pool, block);
          const sides = [pool.token0, pool.token1];
          expect([block, data[i]?.token_0_balance, data[i]?.token_1_balance]).toEqual([
            block,
            ...sides.map(({ decimals }, side) => held && Number(`${held[side]}e-${decimals}`)),
          ]);
          compared += Number(held !== null);
        }
        expect(JSON.stringify(data)).not.toBe(previous);
        previous = JSON.stringify(data);
      }
      expect(compared).toBeGreaterThan(100);
    });
  }

  decided("A pool's balances are null before it was created, and known from that block on", async () => {
    const rows = await sql("SELECT pool_address, block_number_created AS block FROM eth_pool_metadata");
    const { block } = rows.find((row) => row.pool_address === the().oak.pool) ?? expect.fail("no OAK");
    const at = (await blockTimes())[block] ?? 0;
    const of = async (timestamp: number) =>
      (await answer<Answer>(PATH, { pool_address: the().oak.pool, timestamp })).data[0];
    expect(await of(at - 1)).toMatchObject({ token_0_balance: null, token_1_balance: null, tvl_usd: null });
    expect(await of(at)).toEqual(await tvlOf(allPools().at(-1) ?? expect.fail("no OAK"), { at }));
    expect((await of(at))?.token_0_balance).not.toBeNull();
  });

  decided("liquidity_usd: for a pool with one cash side, the value of that side", async () => {
    const pools = cashSides(1);
    const rows = (await found()).filter((one) => addresses(pools).some((pool) => pool === one.pool_address));
    for (const [i, row] of rows.entries()) {
      const isFirst = [...STABLES, WETH].some(({ address }) => address === pools[i]?.token0.address);
      expect(row.liquidity_usd).toBe(isFirst ? row.token_0_balance_usd : row.token_1_balance_usd);
    }
    expect(rows.length).toBeGreaterThan(25);
  });

  decided(
    "liquidity_usd: for a pool with two cash sides, the value of the stable coin; of two, the one that the chain lists first",
    async () => {
      const pools = cashSides(2);
      const rows = (await found()).filter((one) =>
        addresses(pools).some((pool) => pool === one.pool_address),
      );
      for (const row of rows) {
        const best = STABLES.find(({ address }) =>
          [row.token_0_address, row.token_1_address].includes(address),
        );
        const isFirst = best?.address === row.token_0_address;
        expect(row.liquidity_usd).toBe(isFirst ? row.token_0_balance_usd : row.token_1_balance_usd);
      }
      expect(poolsOf((tokens) => tokens.every(([, isStable]) => isStable)).length).toBeGreaterThan(1);
      expect(rows.length).toBeGreaterThan(6);
    },
  );

  decided("liquidity_usd: null for a pool without cash", async () => {
    const pools = cashSides(0);
    const { data } = await answer<Answer>(PATH, { pool_address: addresses(pools) });
    expect(data.map((one) => [one.liquidity_usd, one.tvl_usd !== null])).toEqual(
      pools.map(() => [null, true]),
    );
    expect(pools.length).toBeGreaterThan(1);
  });

  decided("Prices in force at timestamp; a missing price: the USD fields that need it are null", async () => {
    let missing = 0;
    for (const at of (await blockTimes()).slice(1).filter((_, i) => i % 6 === 0)) {
      for (const one of await sameAt(at)) {
        const isHeld = one.token_0_balance !== null && one.token_1_balance !== null;
        const isPriced = one.token_0_price_usd !== null && one.token_1_price_usd !== null;
        if (!isHeld || isPriced) continue;
        expect([one.token_0_price_usd === null, one.token_1_price_usd === null, null]).toEqual([
          one.token_0_balance_usd === null,
          one.token_1_balance_usd === null,
          one.tvl_usd,
        ]);
        missing += 1;
      }
    }
    expect(missing).toBeGreaterThan(0);
  });

  decided("chain: eth by default, or any other that is configured", async () => {
    const given = { pool_address: addresses(some()) };
    const eth = await answer<Answer>(PATH, given);
    expect(await answer(PATH, { ...given, chain: "eth" })).toEqual(eth);
    const { headers } = await post(PATH, { ...given, chain: "base" });
    const look = { ...NOW, newest: Number(headers.get("x-indexed-block")), trades: await readTrades("base") };
    const base = await answer<Answer>(PATH, { ...given, chain: "base" });
    const older = some().slice(0, -1);
    expect(base.data.slice(0, -1)).toEqual(await expected(older, look));
    expect(base.data.slice(0, -1)).not.toEqual(eth.data.slice(0, -1));
    await refused(PATH, { ...given, chain: "doge" }, "configured chains: eth, base, matic");
  });

  decided(
    "pool-tvl-history has these fields at many points in time: each point equals the response for that time",
    async () => {
      const times = await blockTimes();
      const given = { price_type: TYPES[1], interval: "7m", until_timestamp: times.at(-1), max_size: 12 };
      const seen = new Map<number, PoolTvl[]>();
      let compared = 0;
      for (const pool of allPools().filter((_, i) => i % 5 === 0)) {
        const { data, ...head } = await answer<{ data: (PoolTvl & { as_of_timestamp: number })[] }>(HISTORY, {
          ...{ ...given, pool_address: pool.address },
        });
        for (const { as_of_timestamp: timestamp, ...point } of data) {
          if (!seen.has(timestamp)) seen.set(timestamp, await everyPool({ timestamp, price_type: TYPES[1] }));
          const then = seen.get(timestamp)?.find(({ pool_address }) => pool_address === pool.address);
          expect([timestamp, { ...head, ...point }]).toEqual([timestamp, then]);
          compared += Number(then?.tvl_usd !== null);
        }
      }
      expect(compared).toBeGreaterThan(40);
    },
  );
});
