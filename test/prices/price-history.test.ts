import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadReferenceHistory, loadTradeHistory } from "../../src/ingest/caches/trade-history.ts";
import { tradeRows } from "../../src/ingest/rows/trade-rows.ts";
import { PriceBook } from "../../src/pricing/price-book.ts";
import type { PastTrade } from "../../src/pricing/trades/past-trade.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { Engine } from "../../src/storage/store.ts";
import * as market from "../support/markets/market.ts";
import { FAIR, marketChain } from "../support/markets/random-market.ts";
import { temporaryFolder } from "../support/processes/processes.ts";

const { CHAIN, Ledger, tokenAt } = market;
const STORED_BLOCKS = 200;

describe("prices restored from the store", () => {
  const folder = temporaryFolder();
  let engine: Engine;

  beforeAll(async () => {
    engine = await openEmbeddedEngine({ path: folder.path });
  });
  afterAll(async () => {
    await engine.close();
  });

  it.each([5, 40, 1000, 20_000])("continue as if nothing had happened, blocks every %i s", async (pace) => {
    const chain = { ...CHAIN, name: `pace${pace}` };
    const blocks = marketChain(pace, { blocks: STORED_BLOCKS + 60, pace });
    const ledger = new Ledger();
    for (const each of blocks.slice(0, STORED_BLOCKS)) ledger.run(each);
    const { number, hash, timestamp } = blocks[STORED_BLOCKS - 1]?.block ?? expect.fail("no last block");
    const store = await openChainStore(engine, chain.name);
    await store.commit({
      firstBlock: 1,
      lastBlock: { number, hash, timestamp },
      rows: { dex_trades: [...ledger.rows] },
    });

    const book = new PriceBook(chain);
    const newest = { number, timestamp };
    book.restoreReference(await loadReferenceHistory(engine, chain, newest));
    const tokens = book.missing(FAIR.keys());
    const histories = await loadTradeHistory(engine, chain, tokens, newest);
    for (const token of tokens) book.restore(token, histories.get(token) ?? [], timestamp);

    const later = blocks.slice(STORED_BLOCKS);
    const restored = later.flatMap(({ block, transactions }) =>
      tradeRows(block, book.price(block, transactions, tokenAt).trades, tokenAt),
    );
    const expected = later.flatMap((each) => ledger.run(each));
    expect(expected.length).toBeGreaterThan(100);
    expect(restored).toEqual(expected);
  });

  it("continue after days of swaps between tokens that repeat a price", async () => {
    const chain = { ...CHAIN, name: "repeated" };
    const act = (i: number) =>
      i % 20 === 0
        ? market.swap(market.BETA_USDC, -1000, 1000 + (i % 7))
        : market.swap(market.ALPHA_BETA, -10, 1000 + (i % 9));
    const blocks = Array.from({ length: 2400 }, (_, i) =>
      market.block(i + 1, 1_700_000_000 + i * 301, [{ trader: i, events: [act(i)] }]),
    );
    const ledger = new Ledger();
    for (const each of blocks.slice(0, 2100)) ledger.run(each);
    const newest = blocks[2099]?.block ?? expect.fail("no last block");
    const store = await openChainStore(engine, chain.name);
    await store.commit({ firstBlock: 1, lastBlock: newest, rows: { dex_trades: [...ledger.rows] } });

    const tokens = [market.ALPHA, market.BETA];
    const histories = await loadTradeHistory(engine, chain, tokens, newest);
    const indexes = (history: readonly PastTrade[] = []) => history.map(({ recordIndex }) => recordIndex);
    for (const token of tokens) {
      const requested = market.tokenHistory(ledger.rows, token, newest.timestamp);
      expect(indexes(histories.get(token))).toEqual(indexes(requested));
    }
    const beta = histories.get(market.BETA) ?? [];
    expect(beta.filter(({ quote }) => quote === market.USDC)).toHaveLength(100);

    const book = new PriceBook(chain);
    book.restoreReference(await loadReferenceHistory(engine, chain, newest));
    for (const token of tokens) book.restore(token, histories.get(token) ?? [], newest.timestamp);
    const later = blocks.slice(2100);
    const restored = later.flatMap(({ block, transactions }) =>
      tradeRows(block, book.price(block, transactions, tokenAt).trades, tokenAt),
    );
    expect(restored).toEqual(later.flatMap((each) => ledger.run(each)));
  });

  it("keep each wallet's first stablecoin trade of a minute, for an hour or 21 minutes", async () => {
    const chain = { ...CHAIN, name: "busy" };
    const ledger = new Ledger();
    const start = 1_700_000_040;
    const [minutes, wallets, twice] = [70, 150, 5];
    const trade = (trader: number, usd = 20) => ({
      trader,
      events: [market.swap(market.USDC_DAI, -usd, usd)],
    });
    const walletsUpTo = (count: number) => Array.from({ length: count }, (_, trader) => trade(trader));
    for (let minute = 0; minute < minutes; minute += 1) {
      const timestamp = start + 60 * minute;
      ledger.run(market.block(2 * minute + 1, timestamp, [trade(wallets, 9), ...walletsUpTo(wallets - 1)]));
      ledger.run(market.block(2 * minute + 2, timestamp + 59, [...walletsUpTo(twice), trade(wallets)]));
    }
    const store = await openChainStore(engine, chain.name);
    const last = market.block(2 * minutes, start + 60 * minutes - 1, []).block;
    await store.commit({ firstBlock: 1, lastBlock: last, rows: { dex_trades: [...ledger.rows] } });

    const placesAsOf = async (asOf: number) => {
      const { stable } = await loadReferenceHistory(engine, chain, { number: last.number, timestamp: asOf });
      return stable.map(({ recordIndex }) => recordIndex);
    };
    const votes = ledger.rows
      .filter((row) => row.token_address === market.USDC && (row.amount_usd ?? 0) >= 10)
      .filter((_, i) => i % (wallets + twice) < wallets - 1 || i % (wallets + twice) === wallets + twice - 1)
      .map((row) => row.record_index);
    expect(votes).toHaveLength(minutes * wallets);
    expect(await placesAsOf(last.timestamp)).toEqual(votes.slice(-8192));
    expect(await placesAsOf(last.timestamp + 30 * 60)).toEqual(votes.slice(-31 * wallets));
    expect(await placesAsOf(last.timestamp + 3600)).toEqual(votes.slice(-21 * wallets));
    expect(await placesAsOf(last.timestamp + 86_400 - 60)).toEqual(votes.slice(-2 * wallets));
  });
});
