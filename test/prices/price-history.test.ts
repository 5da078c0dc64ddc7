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

  it.each([5, 1000, 20_000])("continue as if nothing had happened, blocks every %i s", async (pace) => {
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

  it("keep of stable coins the first eight trades of each minute, the newest 512 of a day", async () => {
    const chain = { ...CHAIN, name: "busy" };
    const ledger = new Ledger();
    const start = 1_700_000_040;
    for (let minute = 0; minute < 90; minute += 1) {
      const acts = Array.from({ length: 10 }, (_, trader) => ({
        trader,
        events: [market.swap(market.USDC_DAI, trader < 5 ? -20 : 20, trader < 5 ? 20 : -20)],
      }));
      acts.unshift({ trader: 11, events: [market.swap(market.USDC_DAI, -9, 9)] });
      ledger.run(market.block(minute + 1, start + 60 * minute, acts));
    }
    const store = await openChainStore(engine, chain.name);
    const last = market.block(90, start + 60 * 89, []).block;
    await store.commit({ firstBlock: 1, lastBlock: last, rows: { dex_trades: [...ledger.rows] } });

    const placesAsOf = async (asOf: number) => {
      const { stable } = await loadReferenceHistory(engine, chain, { number: 90, timestamp: asOf });
      return stable.map(({ recordIndex }) => recordIndex);
    };
    const counted = ledger.rows
      .filter((row) => row.token_address === market.USDC && (row.amount_usd ?? 0) >= 10)
      .filter((_, i) => i % 10 < 8);
    const places = counted.map((row) => row.record_index);
    expect(await placesAsOf(last.timestamp)).toEqual(places.slice(-512));
    expect(await placesAsOf(last.timestamp + 86_400 - 59)).toEqual(places.slice(-16));
  });
});
