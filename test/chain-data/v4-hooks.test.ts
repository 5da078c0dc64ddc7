import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { get, post } from "../../src/api/support/http.ts";
import { checkChain } from "../../src/doctor/check/check-chain.ts";
import { rederive } from "../../src/doctor/check/deep-check.ts";
import type { Sql } from "../../src/engine-sql/sql-text.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { openRpcSource } from "../../src/sources/rpc-source.ts";
import { chainCommits } from "../../src/storage/commits/commit-log.ts";
import {
  CHERT,
  DOLLARS,
  ETHER,
  FLAGS,
  HOOKS,
  type HookedMarket,
  openHookedMarket,
} from "../support/markets/hooked-market.ts";
import { poolIdOf } from "../support/markets/uniswap-v4.ts";

describe("a real hook that takes 1.23 % of what swappers get", () => {
  let market: HookedMarket;
  let app: FastifyInstance;

  beforeAll(async () => {
    market = await openHookedMarket();
    const { engine, chain } = market;
    app = await createServer({ engine, chains: [{ chain, store: chainCommits(engine, chain.name) }] });
  });

  afterAll(async () => {
    await app?.close();
    await market?.close();
  });

  const sql = async (query: string): Promise<Record<string, unknown>[]> =>
    (await post(app, "/v1/sql", { query })).body;

  it("is stored with its pools, and its permissions", async () => {
    const rows = await sql("SELECT pool_address, hooks_address, hooks_flags FROM hooked_pool_metadata");
    const of = (pool_address: Hex) => ({ pool_address, hooks_address: HOOKS, hooks_flags: FLAGS });
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(expect.arrayContaining([of(poolIdOf(DOLLARS)), of(poolIdOf(ETHER))]));
  });

  it("gives trades the amounts that the swapper paid and got, which are not the event's", async () => {
    const rows = await sql(
      `SELECT side, amount_token, amount_quote, amount_usd, amounts_unknown_reason, log_index, block_number
       FROM hooked_dex_trades WHERE pool_address = '${poolIdOf(DOLLARS)}' ORDER BY record_index`,
    );
    const known = market.flows.slice(0, 2).map(({ chert, dollars }) => ({
      ...{ side: chert < 0n ? "sell" : "buy", amounts_unknown_reason: null },
      ...{ amount_token: Math.abs(Number(`${chert}e-18`)), amount_quote: Math.abs(Number(`${dollars}e-6`)) },
      amount_usd: Math.abs(Number(`${dollars}e-6`)),
    }));
    expect(rows).toHaveLength(3);
    expect(rows.slice(0, 2)).toMatchObject(known);
    const [sale] = await sql(`SELECT data FROM hooked_logs WHERE block_number = ${rows[0]?.block_number}
      AND log_index = ${rows[0]?.log_index}`);
    const words = [2, 66].map((start) => BigInt(`0x${String(sale?.data).slice(start, start + 64)}`));
    const dollars = Number(words[DOLLARS.currency0 === CHERT ? 1 : 0]) / 1e6;
    expect(Number(rows[0]?.amount_quote) / dollars).toBeCloseTo(1 - 0.0123, 5);
  });

  it("gives trades null amounts where transfers do not show them: native coins and claims", async () => {
    const rows = await sql(
      `SELECT pool_address, side, num_trades_24h, amount_token, amount_quote, amount_usd, amount_eth,
       price_token_eth, price_token_usd_tick_1, price_token_usd_robust_tick_1
       FROM hooked_dex_trades WHERE amounts_unknown_reason = 'hook_may_change_amounts' ORDER BY record_index`,
    );
    const blank = {
      ...{ amount_token: null, amount_quote: null, amount_usd: null, amount_eth: null },
      ...{ price_token_eth: null, price_token_usd_tick_1: null, price_token_usd_robust_tick_1: null },
    };
    expect(rows).toEqual([
      { ...blank, pool_address: poolIdOf(DOLLARS), side: "sell", num_trades_24h: 3 },
      { ...blank, pool_address: poolIdOf(ETHER), side: "buy", num_trades_24h: 4 },
    ]);
  });

  it("adds nothing to volumes, prices, candles and wallets by unknown amounts", async () => {
    const volume = market.flows
      .slice(0, 2)
      .reduce((sum, { dollars }) => sum + Math.abs(Number(dollars)) / 1e6, 0);
    const [newest] = await sql(
      `SELECT timestamp, volume_24h_usd, price_token_usd_wavg_24h AS price, price_token_usd_tick_100 AS last_100
       FROM hooked_dex_trades WHERE token_address = '${CHERT}' ORDER BY record_index DESC LIMIT 1`,
    );
    const tokens = market.flows
      .slice(0, 2)
      .reduce((sum, { chert }) => sum + Math.abs(Number(chert)) / 1e18, 0);
    expect(newest?.volume_24h_usd).toBeCloseTo(volume, 9);
    expect(newest?.price).toBeCloseTo(volume / tokens, 9);
    expect(newest?.last_100).toBe(newest?.price);
    const { body: candles } = await get(app, "/v1/price/historical/ohlc", {
      ...{ token_address: CHERT, pool_address: poolIdOf(DOLLARS), chain: "hooked", interval: "1d" },
      ...{ until_timestamp: Date.parse(String(newest?.timestamp)) / 1000, with_volume: true, max_size: 1 },
    });
    expect(candles.data).toMatchObject([{ volume: expect.closeTo(volume, 6) }]);
    const { body: wallet } = await get(app, "/v1/wallet-api/latest-total-performance", {
      ...{ wallet_address: market.node.trader, chain: "hooked" },
    });
    // The tokens of the first sale were not bought, and the amount of the second sale is unknown.
    expect(wallet).toMatchObject({
      ...{ total_trades: 4, total_buys: 2, total_sells: 2, total_sell_volume: 0 },
      total_buy_volume: 3,
    });
  });

  it("is not damage to the doctor, but amounts in spite of a reason are", async () => {
    const { engine, chain, node } = market;
    const commit = await chainCommits(engine, chain.name).committed();
    if (commit === null) throw new Error("nothing is indexed");
    const findings = async () =>
      (await checkChain({ engine, chain, commit })).map(({ invariant }) => invariant);
    expect(await findings()).toEqual([]);
    const source = await openRpcSource({ urls: [node.url], chain, verify: true });
    const span = { first: commit.firstBlock, last: commit.blockNumber };
    const { signal } = new AbortController();
    expect(await rederive({ engine, chain, commit, span, source, signal })).toEqual([]);
    await source.close();
    await engine.execute(
      "ALTER TABLE hooked_dex_trades UPDATE amount_quote = 1 WHERE amounts_unknown_reason IS NOT NULL SETTINGS mutations_sync = 1" as Sql,
    );
    expect(await findings()).toContain("trades as logged");
  });
});
