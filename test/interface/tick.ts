import { expect } from "vitest";
import {
  lastTradeAt,
  NOBODY,
  pricedOf,
  ROBUST,
  strangers,
  TICK,
  tradedTokens,
  tradesOf,
} from "./support/expected.ts";
import { decided, provenBy, rule, section } from "./support/rules.ts";
import { answer, get, once, post, readTrades, refused, sql, the } from "./support/service.ts";

const PATH = "/v1/price/historical/tick";
const DAY = 86_400;

const busy = () => tradedTokens()[0] ?? "";
const until = () => lastTradeAt();
const MOST = 100_000;

type Choice = Parameters<typeof pricedOf>[0];

/** Returns the ticks of a token according to their definition, newest first. */
function expected(choice: Partial<Choice> = {}, type = ROBUST) {
  return pricedOf({ token: busy(), ...choice }, type)
    .map(({ row, price }) => ({
      block_number: row.block_number,
      timestamp: row.at,
      transaction_hash: row.transaction_hash,
      price_usd: price,
      price_eth: row.price_token_eth,
      amount_token: row.amount_token,
    }))
    .toReversed();
}

const ask = (given: object) =>
  answer(PATH, { token_address: busy(), until_timestamp: until(), from_timestamp: 0, size: MOST, ...given });

section("4. Tick prices", import.meta.url, () => {
  rule(
    "Method: GET; data, an array of ticks: a tick is the price seen in one trade; ticks are not aggregated",
    async () => {
      const { body } = await get(PATH, { token_address: busy(), until_timestamp: until(), size: MOST });
      expect(body.data).toEqual(expected());
      expect(body.data.length).toBeGreaterThan(100);
    },
  );

  rule("token_address: required; one address or a comma-separated list", async () => {
    await refused(PATH, { size: 1 }, "^Missing required parameter: token_address$");
    const tokens = [the().oak.token, busy()];
    const several = await ask({ token_address: tokens });
    expect(several.map((one: { data: object }) => one.data)).toEqual(
      tokens.map((token) => expected({ token })),
    );
  });

  rule("pool_address: one address or a comma-separated list", async () => {
    const [a = "", b = ""] = new Set(tradesOf({ token: busy() }).map(({ pool_address }) => pool_address));
    expect((await ask({ pool_address: a })).data).toEqual(expected({ pool: a }));
    const both = [...expected({ pool: a }), ...expected({ pool: b })].length;
    const { data } = await ask({ pool_address: `${a},${b}` });
    const places = (list: { transaction_hash: string }[]) =>
      list.map((tick) => JSON.stringify(tick)).toSorted();
    expect(data).toHaveLength(both);
    expect(places(data)).toEqual(places([...expected({ pool: a }), ...expected({ pool: b })]));
  });

  rule("chain: eth or matic, default eth", async () => {
    const trades = await readTrades("matic");
    expect((await ask({ chain: "matic" })).data).toEqual(expected({ trades }));
    expect((await ask({ chain: "eth" })).data).toEqual(expected());
    expect(expected({ trades }).length).toBeLessThan(expected().length);
    await refused(PATH, { token_address: busy(), chain: "doge" }, "configured chains: eth, base, matic");
  });

  rule(
    "price_type: default price_token_usd_robust_tick_1; other option: price_token_usd_tick_1",
    async () => {
      expect((await ask({})).data).toEqual((await ask({ price_type: ROBUST })).data);
      expect((await ask({ price_type: TICK })).data).toEqual(expected({}, TICK));
      expect(expected({}, TICK).length).toBeGreaterThan(expected().length);
      await refused(PATH, { token_address: busy(), price_type: "tick" }, 'price_type: got "tick", expected');
    },
  );

  rule("from_timestamp: results with timestamp >= value", async () => {
    const at = expected()[5]?.timestamp ?? 0;
    for (const from of [at - 1, at, at + 1]) {
      expect((await ask({ from_timestamp: from })).data).toEqual(expected({ from }));
    }
  });

  rule("from_timestamp: default 10 periods before until_timestamp (a period is a day)", async () => {
    const { from_timestamp, ...given } = { from_timestamp: 0, token_address: busy(), size: MOST };
    const newest = expected()[0]?.timestamp ?? from_timestamp;
    const edge = await answer(PATH, { ...given, until_timestamp: newest + 10 * DAY });
    expect(edge.data).toEqual(expected({ from: newest }));
    expect((await answer(PATH, { ...given, until_timestamp: newest + 10 * DAY + 1 })).data).toEqual([]);
  });

  rule("until_timestamp: results with timestamp <= value", async () => {
    const at = expected()[5]?.timestamp ?? 0;
    for (const last of [at - 1, at, at + 1]) {
      expect((await ask({ until_timestamp: last })).data).toEqual(expected({ until: last }));
    }
  });

  rule("until_timestamp: default current time", async () => {
    const given = { token_address: busy(), from_timestamp: 0, size: MOST };
    expect((await answer(PATH, given)).data).toEqual(expected());
    expect((await answer(PATH, { token_address: busy() })).data).toEqual([]);
  });

  rule("size: default 100", async () => {
    const { data } = await answer(PATH, { token_address: busy(), until_timestamp: until() });
    expect(data).toEqual(expected().slice(0, 100));
    expect(data).toHaveLength(100);
  });

  rule("size: maximum 100,000", async () => {
    expect((await ask({ size: MOST })).data).toHaveLength(expected().length);
    expect((await ask({ size: 3 })).data).toEqual(expected().slice(0, 3));
    for (const size of [0, MOST + 1])
      await refused(
        PATH,
        { token_address: busy(), size },
        /size: got .*expected an integer from 1 to 100000/,
      );
  });

  provenBy(
    "src/api/endpoints/prices/tick.test.ts",
    "are complete, newest first, in limited memory",
    "100,000 ticks are returned completely",
  );

  const named = { token_address: "string", token_symbol: "string", token_name: "string" } as const;
  for (const [field, type] of Object.entries(named)) {
    rule(`Response: ${field}: ${type}`, async () => {
      for (const token of [busy(), the().oak.token]) {
        const body = await ask({ token_address: token });
        expect(body[field]).toBe(tradesOf({ token }).at(-1)?.[field]);
        expect(Object.keys(body)).toEqual([...Object.keys(named), "data"]);
      }
    });
  }

  const ticks = once(() => ask({ price_type: TICK }));
  for (const [field, type] of Object.entries({
    block_number: "integer",
    timestamp: "integer (Unix seconds)",
    transaction_hash: "string",
    price_usd: "double",
    price_eth: "double",
    amount_token: "double",
  })) {
    rule(`Tick: ${field}: ${type}`, async () => {
      const of = (list: Record<string, unknown>[]) => list.map((one) => one[field]);
      expect(of((await ticks()).data)).toEqual(of(expected({}, TICK)));
    });
  }

  decided("The order of ticks is newest first", async () => {
    const times = (await ticks()).data.map(({ timestamp }: { timestamp: number }) => timestamp);
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a));
  });

  decided("pool_address may be absent or all", async () => {
    expect(await ask({ pool_address: "all" })).toEqual(await ask({}));
  });

  decided("Several tokens: an array of the response objects, in request order", async () => {
    const tokens = [NOBODY, the().oak.token, busy()];
    const several = await ask({ token_address: tokens });
    expect(several).toEqual(await Promise.all(tokens.map((token_address) => ask({ token_address }))));
    expect(several[0]).toEqual({ token_address: NOBODY, token_symbol: null, token_name: null, data: [] });
  });

  decided("A tick whose requested price is null is left out", async () => {
    const without = tradesOf({ token: busy() }).filter((row) => row.price_token_usd_robust_tick_1 === null);
    expect(without.length).toBeGreaterThan(0);
    const given = (await ask({})).data.map((tick: object) => JSON.stringify(tick));
    const all = expected({}, TICK).map((tick) => JSON.stringify(tick));
    expect(all.filter((tick) => !given.includes(tick))).toHaveLength(without.length);
  });

  decided("exclude_wash: default false; true: without ticks that have a wash_reason", async () => {
    const all = await ask({});
    expect(await ask({ exclude_wash: false })).toEqual(all);
    const [row] = await sql(
      `SELECT COUNT(*) AS n FROM eth_dex_trades WHERE token_address = '${busy()}' AND ${ROBUST} IS NOT NULL AND wash_reason IS NULL`,
    );
    expect((await ask({ exclude_wash: true })).data.length).toBe(row?.n);
    await refused(PATH, { token_address: busy(), exclude_wash: "some" }, /exclude_wash: got "some"/);
  });

  decided("At most 25 tokens on GET, 100 in a body", async () => {
    expect((await get(PATH, { token_address: strangers(25) })).status).toBe(200);
    const beyond = [
      await get(PATH, { token_address: strangers(26) }),
      await post(PATH, { token_address: strangers(101) }),
    ];
    for (const { status, body } of beyond) {
      expect([status, body.error]).toEqual([400, expect.stringMatching(/got a list of (26|101)/)]);
    }
  });
});
