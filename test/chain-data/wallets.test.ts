import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetChain } from "../../devnet/chain.ts";
import { createServer } from "../../src/api/http/server.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { Engine } from "../../src/storage/store.ts";
import { indexBlocks } from "../support/engine/index-blocks.ts";
import { type MarketNode, startMarketNode } from "../support/markets/market-node.ts";
import {
  differences,
  figuresByDefinition,
  type TradeRow,
  totalsByDefinition,
} from "../support/markets/wallet-definitions.ts";
import { temporaryFolder } from "../support/processes/processes.ts";

const HISTORY_BLOCKS = 60;
const BATCH = "/v1/wallet-api/batch-latest-total-performance";
const PER_TOKEN = "/v1/wallet-api/latest-performance-per-token";
const PRICES = "/v1/price-api/batch-latest-token-prices";
const CHAIN = devnetChain();

type Figures = Record<string, number | null>;

describe("the performance of the demo market's wallets", () => {
  const folder = temporaryFolder();
  let node: MarketNode;
  let engine: Engine;
  let app: FastifyInstance;
  let trades: TradeRow[];
  let prices: Map<string, number | null>;

  beforeAll(async () => {
    node = await startMarketNode(HISTORY_BLOCKS);
    await node.trade(40, 5);
    engine = await openEmbeddedEngine({ path: folder.path });
    const store = await indexBlocks(engine, CHAIN, { url: node.url, to: (await node.head()).number });
    app = await createServer({ engine, chains: [{ chain: CHAIN, store }] });
    const query = `SELECT trader_address AS wallet, token_address AS token, side, amount_token AS amount,
      amount_usd AS usd, block_number AS block FROM ${CHAIN.name}_dex_trades ORDER BY record_index LIMIT 100000`;
    const blocks = await asked<{ block: number; timestamp: string }[]>("/v1/sql", {
      query: `SELECT block_number AS block, timestamp FROM ${CHAIN.name}_blocks LIMIT 100000`,
    });
    const times = new Map(blocks.map(({ block, timestamp }) => [block, Date.parse(timestamp) / 1000]));
    const rows = await asked<(TradeRow & { block: number })[]>("/v1/sql", { query });
    trades = rows.map((row) => ({ ...row, timestamp: times.get(row.block) ?? 0 }));
    const token_address = [...new Set(trades.map(({ token }) => token))];
    const latest = await asked<{ token_address: string; price_usd: number | null }[]>(PRICES, {
      token_address,
    });
    prices = new Map(latest.map((price) => [price.token_address, price.price_usd]));
  }, 180_000);

  afterAll(async () => {
    await app?.close();
    await node?.stop();
    await engine?.close();
    folder.remove();
  });

  async function asked<T>(url: string, payload: object): Promise<T> {
    const response = await app.inject({ method: "POST", url, payload: { chain: CHAIN.name, ...payload } });
    expect([url, response.statusCode, response.body]).toEqual([url, 200, response.body]);
    return response.json();
  }

  const walletsOf = () => [...new Set(trades.map(({ wallet }) => wallet))];
  const tokensOf = (wallet: string, excluded: readonly string[] = []) => {
    const own = trades.filter((trade) => trade.wallet === wallet);
    const tokens = [...new Set(own.map(({ token }) => token))].filter((token) => !excluded.includes(token));
    return new Map(
      tokens.map((token) => {
        const price = prices.get(token) ?? null;
        return [
          token,
          figuresByDefinition(
            own.filter((trade) => trade.token === token),
            price,
          ),
        ];
      }),
    );
  };
  const volumeOf = (wallet: string) =>
    trades.reduce((sum, trade) => sum + (trade.wallet === wallet ? (trade.usd ?? 0) : 0), 0);

  it.each([false, true])("equals the definitions, with total_exclude %s", async (total_exclude) => {
    const wallets = walletsOf();
    expect(wallets.length).toBeGreaterThan(20);
    const answer = await asked<{ data: Record<string, Figures>; remainder: string[] }>(BATCH, {
      wallet_address: wallets,
      total_exclude,
    });
    expect([Object.keys(answer.data), answer.remainder]).toEqual([wallets, []]);
    const excluded = total_exclude ? CHAIN.stableCoins : [];
    for (const wallet of wallets) {
      const expected = totalsByDefinition([...tokensOf(wallet, excluded).values()]);
      expect([wallet, differences(answer.data[wallet] ?? {}, expected, volumeOf(wallet))]).toEqual([
        wallet,
        [],
      ]);
    }
  });

  it("equals the definitions for each token", async () => {
    let [compared, beyond] = [0, 0];
    for (const wallet of walletsOf()) {
      const { data } = await asked<{ data: Figures[] }>(PER_TOKEN, { wallet_address: wallet });
      const expected = tokensOf(wallet);
      expect(data.map((token) => token.token_address).sort()).toEqual([...expected.keys()].sort());
      for (const token of data) {
        const { trading_balance, ...figures } = expected.get(String(token.token_address)) ?? {};
        expect(differences(token, figures, volumeOf(wallet))).toEqual([]);
        expect(trading_balance).toBeCloseTo(token.trading_balance ?? 0, 6);
        compared++;
        beyond += Number(token.total_buys === 0 && token.total_sells !== 0);
      }
    }
    expect(compared).toBeGreaterThan(50);
    expect(beyond).toBeGreaterThan(0);
  });
});
