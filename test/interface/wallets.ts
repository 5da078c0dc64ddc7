import { expect } from "vitest";
import { devnetChain } from "../../devnet/chain.ts";
import {
  differences,
  figuresByDefinition,
  type TradeRow as Trade,
  totalsByDefinition,
} from "../support/markets/wallet-definitions.ts";
import { NOBODY, pricedOf, ROBUST, readNames, strangers, tradesOf } from "./support/expected.ts";
import { decided, provenBy, rule, section } from "./support/rules.ts";
import { answer, get, once, post, refused, the } from "./support/service.ts";

const BATCH = "/v1/wallet-api/batch-latest-total-performance";
const TOTAL = "/v1/wallet-api/latest-total-performance";
const PER_TOKEN = "/v1/wallet-api/latest-performance-per-token";
const UNIT_TESTS = "src/api/endpoints/wallets/wallet-performance.test.ts";
const STABLE_COINS: readonly string[] = devnetChain().stableCoins;

type Figures = Record<string, number | null>;
type ByWallet = Record<string, Figures>;

const wallets = () => [...new Set(the().trades.map(({ trader_address }) => trader_address as string))];
const [MOST_WALLETS, MOST_ON_GET] = [1_000, 25];

/**
 * Returns the total volume of a wallet's trades. The tolerance for sums over these trades is relative to it.
 */
const volumeOf = (wallet: string) =>
  the().trades.reduce((sum, row) => sum + (row.trader_address === wallet ? (row.amount_usd ?? 0) : 0), 0);

const current = (token: string) => pricedOf({ token }, ROBUST).at(-1)?.price ?? null;

/** Computes a wallet's figures for each token, according to their definition. */
function tokensOf(wallet: string, excluded: readonly string[] = []): Map<string, Figures> {
  const own = the().trades.filter(
    (row) => row.trader_address === wallet && !excluded.includes(row.token_address),
  );
  const tokens = [...new Set(own.map(({ token_address }) => token_address))];
  const trades = (token: string) =>
    tradesOf({ token, trades: own }).map(
      (row): Trade => ({
        ...{
          wallet,
          token,
          side: row.side,
          timestamp: row.at,
          amount: row.amount_token,
          usd: row.amount_usd,
        },
      }),
    );
  return new Map(tokens.map((token) => [token, figuresByDefinition(trades(token), current(token))]));
}

const totalsOf = (wallet: string, excluded: readonly string[] = []) =>
  totalsByDefinition([...tokensOf(wallet, excluded).values()]);

async function batch(given: object = {}): Promise<ByWallet> {
  const { status, body } = await post(BATCH, { wallet_address: wallets(), ...given });
  expect([status, body.remainder]).toEqual([200, []]);
  return body.data;
}

const FIELDS: Record<string, string> = {
  total_tokens_traded: "integer: unique tokens bought or sold on a DEX",
  pnl: "double: realized_value minus total_investment (equal to total_sell_volume minus total_buy_volume)",
  total_profit: "double: realized_profit plus unrealized_profit",
  total_value: "double: realized_value plus unrealized_value",
  total_investment: "double: realized_investment plus unrealized_investment",
  total_return:
    "double: total_profit relative to total_investment, percent; equals realized_return plus unrealized_return",
  realized_profit: "double: realized_value minus realized_investment",
  realized_value: "double: dollar revenue from sales: per token, quantity sold times average selling price",
  realized_investment:
    "double: dollar cost of the tokens sold: per token, quantity sold times average buying price",
  realized_return: "double: realized_profit relative to total_investment, percent",
  unrealized_profit: "double: unrealized_value minus unrealized_investment",
  unrealized_value: "double: dollar value of tokens bought and not yet sold",
  unrealized_investment: "double: cost of tokens not yet sold: quantity not sold times average buying price",
  unrealized_return: "double: unrealized_profit relative to total_investment, percent",
  win_rate: "double: fraction of tokens whose total profit is positive",
  total_trades: "integer: DEX trades",
  total_buys: "integer",
  total_sells: "integer",
  first_trade_timestamp: "integer, Unix seconds",
  last_trade_timestamp: "integer, Unix seconds",
  total_buy_volume: "double: dollar value of DEX purchases",
  total_sell_volume: "double: dollar value of DEX sales",
};

/** Fields that the interface also defines as sums or ratios of other fields, and how to compute them. */
const IDENTITIES: Record<string, (one: Record<string, number>) => number> = {
  pnl: (one) => (one.total_sell_volume ?? 0) - (one.total_buy_volume ?? 0),
  total_profit: (one) => (one.realized_profit ?? 0) + (one.unrealized_profit ?? 0),
  total_value: (one) => (one.realized_value ?? 0) + (one.unrealized_value ?? 0),
  total_investment: (one) => (one.realized_investment ?? 0) + (one.unrealized_investment ?? 0),
  total_return: (one) => (one.realized_return ?? 0) + (one.unrealized_return ?? 0),
};

section("9. Batch latest total performance (wallets)", import.meta.url, () => {
  rule("Methods: GET, and POST for large lists", async () => {
    const given = { wallet_address: wallets().slice(0, 3) };
    const [byGet, byPost] = [await get(BATCH, given), await post(BATCH, given)];
    expect([byGet.status, byPost.status, byPost.body]).toEqual([200, 200, byGet.body]);
  });

  rule("wallet_address: string or list, required", async () => {
    const list = wallets().slice(0, 3);
    const { body } = await post(BATCH, { wallet_address: list });
    expect((await post(BATCH, { wallet_address: list.join(",") })).body).toEqual(body);
    expect(Object.keys(body.data)).toEqual(list);
    await refused(BATCH, {}, "^Missing required parameter: wallet_address$");
    await refused(BATCH, { wallet_address: "0x12" }, 'wallet_address: got "0x12"');
  });

  rule("chain: eth or base, default eth", async () => {
    const wallet_address = wallets().slice(0, 9);
    const [eth, base] = [
      await answer(BATCH, { wallet_address }),
      await answer(BATCH, { wallet_address, chain: "base" }),
    ];
    expect(await answer(BATCH, { wallet_address, chain: "eth" })).toEqual(eth);
    expect(base).not.toEqual(eth);
    await refused(BATCH, { wallet_address, chain: "doge" }, "configured chains: eth, base, matic");
  });

  rule("total_exclude: default false", async () => {
    const data = await batch();
    expect(await batch({ total_exclude: false })).toEqual(data);
    expect(Object.values(data).every((one) => !("excluded" in one))).toBe(true);
    await refused(
      BATCH,
      { wallet_address: NOBODY, total_exclude: "maybe" },
      'total_exclude: got "maybe", expected true or false',
    );
  });

  rule("total_exclude: true: stable coins are excluded from the total profit calculation", async () => {
    const data = await batch({ total_exclude: true });
    for (const wallet of wallets()) {
      const { excluded, wallet_address, ...figures } = data[wallet] ?? {};
      expect([wallet, differences(figures, totalsOf(wallet, STABLE_COINS), volumeOf(wallet))]).toEqual([
        wallet_address,
        [],
      ]);
    }
  });

  rule(
    "excluded.total: list of token addresses; present when total_exclude is true: tokens excluded",
    async () => {
      const data = await batch({ total_exclude: true });
      for (const wallet of wallets()) {
        const stable = [...tokensOf(wallet).keys()].filter((token) => STABLE_COINS.includes(token));
        const { excluded } = (data[wallet] ?? {}) as { excluded?: { total: string[] } };
        expect([wallet, excluded?.total.toSorted()]).toEqual([wallet, stable.toSorted()]);
      }
    },
  );

  rule("data: object keyed by wallet address; each value has the fields below", async () => {
    const data = await batch();
    expect(Object.keys(data)).toEqual(wallets());
    for (const one of Object.values(data))
      expect(Object.keys(one)).toEqual(["wallet_address", ...Object.keys(FIELDS)]);
  });

  rule(
    "remainder: wallet addresses for which performance was not calculated; empty when all were processed",
    async () => {
      const { body } = await post(BATCH, { wallet_address: [...wallets(), ...strangers(MOST_WALLETS)] });
      expect(Object.keys(body.data)).toHaveLength(MOST_WALLETS);
      expect([...Object.keys(body.data), ...body.remainder]).toEqual([
        ...wallets(),
        ...strangers(MOST_WALLETS),
      ]);
      const rest = await post(BATCH, { wallet_address: body.remainder });
      expect([Object.keys(rest.body.data), rest.body.remainder]).toEqual([body.remainder, []]);
    },
  );

  rule("Up to 1,000 wallet addresses per request (POST); GET allows 25 addresses", async () => {
    const all = strangers(MOST_WALLETS + 1);
    const processed = async (count: number) => {
      const { status, body } = await post(BATCH, { wallet_address: all.slice(0, count) });
      return [status, Object.keys(body.data).length, body.remainder];
    };
    expect(await processed(MOST_WALLETS)).toEqual([200, MOST_WALLETS, []]);
    expect(await processed(MOST_WALLETS + 1)).toEqual([200, MOST_WALLETS, [all.at(-1)]]);
    expect((await get(BATCH, { wallet_address: all.slice(0, MOST_ON_GET) })).status).toBe(200);
    const { status, body } = await get(BATCH, { wallet_address: all.slice(0, MOST_ON_GET + 1) });
    expect([status, body.error]).toEqual([
      400,
      expect.stringMatching(/got a list of 26, expected 1 to 25 .*POST/),
    ]);
  });

  provenBy(
    UNIT_TESTS,
    "are in remainder, in the requested order, from the first that does not fit",
    "The total number of trades of all listed wallets is at most 100,000; the addresses not processed are in remainder",
  );

  rule("wallet_address: string, in each value", async () => {
    for (const [wallet, one] of Object.entries(await batch())) expect(one.wallet_address).toBe(wallet);
  });

  const data = once(batch);
  for (const [field, meaning] of Object.entries(FIELDS)) {
    rule(`${field}: ${meaning}`, async () => {
      for (const wallet of wallets()) {
        const { [field]: found = null } = (await data())[wallet] ?? {};
        const { [field]: expected = null } = totalsOf(wallet);
        expect([wallet, differences({ [field]: found }, { [field]: expected }, volumeOf(wallet))]).toEqual([
          wallet,
          [],
        ]);
        expect([field, Number.isInteger(found)]).toEqual([
          field,
          meaning.startsWith("integer") || Number.isInteger(found),
        ]);
      }
    });
  }
  for (const [field, sum] of Object.entries(IDENTITIES)) {
    rule(`${field} agrees with the fields it is computed from`, async () => {
      for (const [wallet, one] of Object.entries(await data())) {
        if (one[field] === null) continue;
        const scale = field.endsWith("return") ? 100 : volumeOf(wallet);
        const value = one[field] ?? Number.NaN;
        expect(Math.abs(value - sum(one as Record<string, number>))).toBeLessThanOrEqual(
          1e-9 * Math.max(scale, Math.abs(value)),
        );
      }
    });
  }

  decided("A wallet without trades has zeros, and null for figures whose divisor would be zero", async () => {
    const { data } = await answer(BATCH, { wallet_address: NOBODY });
    const nulls = Object.keys(FIELDS).filter((field) => /return|rate|timestamp/.test(field));
    const figures = Object.keys(FIELDS).map((field) => [field, nulls.includes(field) ? null : 0]);
    expect(data).toEqual({ [NOBODY]: { wallet_address: NOBODY, ...Object.fromEntries(figures) } });
  });

  decided("Addresses are returned in lower case; duplicates count once", async () => {
    const [wallet = ""] = wallets();
    const upper = wallet.toUpperCase().replace("0X", "0x");
    const { data } = await answer(BATCH, { wallet_address: [upper, wallet, upper] });
    expect(Object.keys(data)).toEqual([wallet]);
  });
});

function oneWallet(path: string): void {
  rule(`GET and POST ${path}: wallet_address is required`, async () => {
    await refused(path, {}, "^Missing required parameter: wallet_address$");
    await refused(path, { wallet_address: wallets().slice(0, 2) }, "Invalid parameter wallet_address");
  });
  decided(`${path}: chain is eth by default, or any other that is configured`, async () => {
    const traded = await Promise.all(
      wallets()
        .slice(0, 12)
        .map(async (wallet_address) => [
          await answer(path, { wallet_address }),
          await answer(path, { wallet_address, chain: "eth" }),
          await answer(path, { wallet_address, chain: "base" }),
        ]),
    );
    for (const [eth, same] of traded) expect(same).toEqual(eth);
    expect(traded.some(([eth, , base]) => JSON.stringify(eth) !== JSON.stringify(base))).toBe(true);
    await refused(path, { wallet_address: NOBODY, chain: "doge" }, "configured chains");
  });
  decided(`${path}: max_size_ok is false by default`, async () => {
    const [wallet_address] = wallets();
    expect(await answer(path, { wallet_address, max_size_ok: true })).toEqual(
      await answer(path, { wallet_address }),
    );
    await refused(path, { wallet_address, max_size_ok: 2 }, "max_size_ok: got .* expected true or false");
  });
}

section("10. JSON-RPC: the two wallet endpoints", import.meta.url, () => {
  oneWallet(TOTAL);
  oneWallet(PER_TOKEN);
  provenBy(
    UNIT_TESTS,
    "are an error when requested alone, unless max_size_ok is set",
    "More than 100,000 trades: 400 unless max_size_ok=true, then the newest 100,000",
  );

  for (const total_exclude of [false, true]) {
    decided(
      `${TOTAL}: one flat object, equal to that of the batch, with total_exclude ${total_exclude}`,
      async () => {
        const data = await batch({ total_exclude });
        for (const wallet_address of wallets().slice(0, 15)) {
          expect(await answer(TOTAL, { wallet_address, total_exclude })).toEqual(data[wallet_address]);
        }
      },
    );
  }

  const perToken = once(async () => {
    const found: [wallet: string, tokens: Figures[]][] = [];
    for (const wallet of wallets().slice(0, 40)) {
      found.push([wallet, (await post(PER_TOKEN, { wallet_address: wallet })).body.data]);
    }
    return found;
  });
  const names = Object.keys(FIELDS).filter((field) => !/tokens_traded|win_rate/.test(field));
  const more = [
    "total_buy_amount",
    "total_sell_amount",
    "avg_buy_price",
    "avg_sell_price",
    "trading_balance",
    "current_price",
  ];
  for (const field of [...names, ...more]) {
    decided(`${PER_TOKEN}: ${field} of each token`, async () => {
      let compared = 0;
      for (const [wallet, tokens] of await perToken()) {
        const expected = tokensOf(wallet);
        for (const token of tokens) {
          const { [field]: value = null } = expected.get(String(token.token_address)) ?? {};
          const scale = /balance|amount/.test(field) ? (token.total_buy_amount ?? 0) : volumeOf(wallet);
          expect([wallet, differences(token, { [field]: value }, scale)]).toEqual([wallet, []]);
          compared += 1;
        }
      }
      expect(compared).toBeGreaterThan(50);
    });
  }
  decided(`${PER_TOKEN}: {"data": [per token]}: token_address, token_symbol, token_name`, async () => {
    const known = await readNames();
    for (const [wallet, tokens] of await perToken()) {
      expect(tokens.map((one) => one.token_address).toSorted()).toEqual(
        [...tokensOf(wallet).keys()].toSorted(),
      );
      for (const { token_address, token_symbol, token_name } of tokens) {
        expect({ token_symbol, token_name }).toEqual(known.get(String(token_address)));
      }
    }
    const body = await answer(PER_TOKEN, { wallet_address: NOBODY });
    expect(body).toEqual({ data: [] });
  });
  decided(`${PER_TOKEN}: largest total_profit first`, async () => {
    for (const [, tokens] of await perToken()) {
      const profits = tokens.flatMap(({ total_profit }) => total_profit ?? []);
      expect(profits).toEqual(profits.toSorted((a, b) => b - a));
    }
  });
  decided(`${PER_TOKEN}: total_exclude leaves the stable coins out`, async () => {
    for (const wallet_address of wallets().slice(0, 10)) {
      const { data } = await answer(PER_TOKEN, { wallet_address, total_exclude: true });
      const tokens = data.map((one: Figures) => one.token_address).toSorted();
      expect(tokens).toEqual([...tokensOf(wallet_address, STABLE_COINS).keys()].toSorted());
    }
  });
});
