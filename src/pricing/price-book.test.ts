import { describe, expect, it } from "vitest";
import * as market from "../../test/support/markets/market.ts";
import { PriceBook } from "./price-book.ts";

const { ALPHA, BETA, DAI, MUTE, USDC, WETH, REFERENCES } = market;
const { ALPHA_BETA, ALPHA_USDC, ALPHA_WETH, BETA_USDC, MUTE_USDC, USDC_DAI } = market;
const { Ledger, block, hex, rawSwap, swap, transfer } = market;

/** A swap in the first reference pool at 2000 USD. */
const etherAt2000 = swap(REFERENCES[0], 2000, -1);

function rowsOf(...events: Parameters<typeof block>[2][number]["events"]) {
  return new Ledger().run(block(1, 1000, [{ events }]));
}

describe("trades of a swap", () => {
  it("makes one trade of a token bought with a stablecoin", () => {
    const [row, ...more] = rowsOf(swap(ALPHA_USDC, -4, 10));
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      token_address: ALPHA,
      quote_address: USDC,
      side: "buy",
      amount_token: 4,
      amount_quote: 10,
      amount_usd: 10,
      price_token_usd_tick_1: 2.5,
      price_token_usd_robust_tick_1: 2.5,
      amount_eth: null,
      price_token_eth: null,
      pool_address: ALPHA_USDC.address,
      protocol_name: "uniswap_v2",
      trader_address: hex("a", 1),
      interacted_with_address: hex("f", 2),
      token_symbol: "01",
      token_name: null,
      block_number: 1,
      timestamp: 1000,
      log_index: 0,
      transaction_index: 0,
      record_index: 2 ** 22,
      num_trades_1h: 1,
      volume_24h_usd: 10,
    });
  });

  it("values the wrapped native coin at the reference price", () => {
    const rows = rowsOf(etherAt2000, swap(ALPHA_WETH, -2, 1000));
    expect(rows.at(-1)).toMatchObject({
      token_address: ALPHA,
      side: "sell",
      amount_usd: 4000,
      amount_eth: 2,
      price_token_usd_tick_1: 4,
      price_token_eth: 0.002,
    });
  });

  it("has no value for a trade against the native coin before the first reference price", () => {
    const [row] = rowsOf(swap(ALPHA_WETH, -2, 1000));
    expect(row).toMatchObject({
      amount_token: 1000,
      amount_quote: 2,
      amount_usd: null,
      price_token_usd_tick_1: null,
      price_token_usd_tick_100: null,
      price_token_usd_wavg_1h: null,
      num_trades_1h: 1,
      volume_1h_usd: 0,
    });
  });

  it("makes two trades of a swap of cash against cash, the bought one first, each valued by the other", () => {
    const rows = rowsOf(etherAt2000, swap(REFERENCES[0], -990, 0.5));
    expect(rows.map((row) => [row.token_address, row.side, row.amount_usd])).toEqual([
      [WETH, "buy", 2000],
      [USDC, "sell", 2000],
      [USDC, "buy", 1000],
      [WETH, "sell", 990],
    ]);
  });

  it("values stablecoins by each other", () => {
    const rows = rowsOf(swap(USDC_DAI, -100, 101));
    expect(rows.map((row) => [row.token_address, row.amount_usd, row.price_token_usd_tick_1])).toEqual([
      [USDC, 101, 1.01],
      [DAI, 100, 100 / 101],
    ]);
  });

  it("values a swap of two tokens by the leg that more cash was paid for", () => {
    const rows = rowsOf(swap(ALPHA_USDC, -100, 200), swap(BETA_USDC, -10, 50), swap(ALPHA_BETA, -30, 10));
    expect(rows.slice(2).map((row) => [row.token_address, row.side, row.amount_usd])).toEqual([
      [ALPHA, "buy", 60],
      [BETA, "sell", 60],
    ]);
    expect(rows[3]?.price_token_usd_tick_1).toBe(6);
  });

  it("values a swap of two tokens by the only one with a price, and not at all if neither has one", () => {
    const rows = rowsOf(swap(ALPHA_BETA, -30, 10), swap(BETA_USDC, -10, 50), swap(ALPHA_BETA, 30, -10));
    expect(rows.map((row) => row.amount_usd)).toEqual([null, null, 50, 50, 50]);
  });

  it.each([
    ["nothing left", [5n, 0n]],
    ["nothing entered", [0n, -5n]],
    ["both entered", [5n, 5n]],
    ["both left", [-5n, -5n]],
  ] as const)("makes no trade when %s", (_, [amount0, amount1]) => {
    expect(rowsOf(rawSwap(ALPHA_USDC, amount0, amount1))).toEqual([]);
  });

  it("keeps a trade of a token without decimals, valued by the cash paid", () => {
    const [row] = rowsOf(rawSwap(MUTE_USDC, -123n, 7_000_000n));
    expect(row).toMatchObject({
      token_address: MUTE,
      amount_token: null,
      amount_usd: 7,
      price_token_usd_tick_1: null,
      price_token_usd_robust_tick_1: null,
      volume_1h_usd: 7,
      num_trades_1h: 1,
    });
  });

  it("counts a trade of unknown amounts, which gives no price and no value", () => {
    const unknown = (event: ReturnType<typeof swap>) => ({
      ...event,
      amountsUnknown: "hook_may_change_amounts" as const,
    });
    const buy = swap(ALPHA_WETH, 2, -1000);
    const rows = rowsOf(etherAt2000, buy, unknown(swap(REFERENCES[0], 9, -1)), unknown(buy), buy);
    const amounts = { amount_token: null, amount_quote: null, amount_usd: null, amount_eth: null };
    const prices = { price_token_usd_tick_1: null, price_token_usd_robust_tick_1: null };
    const blank = { ...amounts, ...prices, amounts_unknown_reason: "hook_may_change_amounts" };
    expect(rows.slice(3, 6)).toMatchObject([
      { ...blank, token_address: WETH, side: "buy", volume_1h_usd: 2000, num_trades_1h: 2 },
      { ...blank, token_address: USDC, side: "sell", volume_1h_usd: 2000, num_trades_1h: 2 },
      { ...blank, token_address: ALPHA, side: "buy", volume_1h_usd: 4000, num_trades_1h: 2 },
    ]);
    expect(rows[6]).toMatchObject({
      ...{ amount_usd: 4000, amounts_unknown_reason: null, volume_1h_usd: 8000, num_trades_1h: 3 },
      ...{ price_token_usd_wavg_1h: 4, price_token_usd_tick_100: 4 },
    });
  });

  it("numbers the trades of a block from zero", () => {
    const rows = rowsOf(etherAt2000, swap(ALPHA_USDC, -1, 1));
    expect(rows.map((row) => row.record_index - 2 ** 22)).toEqual([0, 1, 2]);
  });
});

describe("windows", () => {
  const prices = (row: market.TradeRow | undefined) => [
    row?.num_trades_1h,
    row?.num_trades_24h,
    row?.volume_1h_usd,
    row?.volume_24h_usd,
    row?.price_token_usd_wavg_1h,
    row?.price_token_usd_wavg_24h,
  ];

  it("hold this trade and the trades before it within their length", () => {
    const ledger = new Ledger();
    const buy = (number: number, timestamp: number) =>
      ledger.run(block(number, timestamp, [{ events: [swap(ALPHA_USDC, -10, 10 * number)] }]))[0];
    buy(1, 0);
    expect(prices(buy(2, 3599))).toEqual([2, 2, 30, 30, 1.5, 1.5]);
    expect(prices(buy(3, 3600))).toEqual([2, 3, 50, 60, 2.5, 2]);
    expect(prices(buy(4, 86_399))).toEqual([1, 4, 40, 100, 4, 2.5]);
    expect(prices(buy(5, 86_400))).toEqual([2, 4, 90, 140, 4.5, 3.5]);
  });

  it("average buys and sells separately, over accepted trades only", () => {
    const rows = rowsOf(
      swap(ALPHA_USDC, -100, 100),
      swap(ALPHA_USDC, 100, -98),
      swap(ALPHA_USDC, -1, 50),
      swap(ALPHA_USDC, -300, 304),
    );
    expect(rows.map((row) => row.price_token_usd_robust_tick_1)).toEqual([1, 0.98, null, 304 / 300]);
    expect(rows[0]?.price_token_usd_robust_mid_1h).toBeNull();
    expect(rows.at(-1)).toMatchObject({
      price_token_usd_robust_total_1h: 502 / 500,
      price_token_usd_robust_buy_24h: 404 / 400,
      price_token_usd_robust_sell_1h: 0.98,
      price_token_usd_robust_mid_24h: (404 / 400 + 0.98) / 2,
      price_token_usd_wavg_1h: 552 / 501,
      num_trades_1h: 4,
    });
  });

  it("average the last 100 trades", () => {
    const ledger = new Ledger();
    const buy = (number: number, usd: number) =>
      ledger.run(block(number, number * 12, [{ events: [swap(ALPHA_USDC, -100, usd)] }]))[0];
    buy(1, 200);
    for (let number = 2; number < 101; number += 1) buy(number, 100);
    expect(ledger.rows[99]?.price_token_usd_tick_100).toBe(1.01);
    expect(buy(101, 100)?.price_token_usd_tick_100).toBe(1);
  });
});

describe("a stablecoin that lost its peg", () => {
  const ALPHA_DAI = market.pool(21, ALPHA, DAI);
  const BETA_DAI = market.pool(22, BETA, DAI);
  const MINUTES = 40;
  type Event = ReturnType<typeof swap>;

  /** Returns the robust price of `last` after 40 minutes with DAI at 0.88 and one `usual` swap per minute. */
  function robustAfter(usual: Event, last: Event) {
    const ledger = new Ledger();
    for (let minute = 0; minute < MINUTES; minute += 1) {
      const act = { trader: 1 + minute, events: [swap(USDC_DAI, -88, 100), usual] };
      ledger.run(block(1 + minute, 60 * minute, [act]));
    }
    const [row] = ledger.run(block(100, 60 * MINUTES, [{ events: [last] }]));
    return row?.price_token_usd_robust_tick_1;
  }

  it("makes no robust price of a token that trades for other cash, however near the price", () => {
    expect(robustAfter(swap(ALPHA_USDC, -100, 100), swap(ALPHA_DAI, -100, 100))).toBeNull();
  });

  it("makes the robust price of a token that trades for no other cash", () => {
    expect(robustAfter(swap(BETA_DAI, -100, 100), swap(BETA_DAI, -100, 101))).toBe(1.01);
  });
});

describe("transfers and fees", () => {
  it("are valued at the prices in force at their logs", () => {
    const ledger = new Ledger();
    const alpha = transfer(ALPHA, 3n * 10n ** 18n);
    ledger.run(
      block(1, 1000, [
        { events: [alpha, etherAt2000, swap(ALPHA_USDC, -10, 20), alpha] },
        { events: [swap(ALPHA_USDC, -10, 0.5), alpha, transfer(ALPHA, 0n), transfer(MUTE, 5n)] },
      ]),
    );
    expect(ledger.transferUsd).toEqual([null, 6, 6, 0, null]);
    expect(ledger.feeUsd).toEqual([null, 20]);
  });

  it("value cash that has not traded yet as in swaps", () => {
    const ledger = new Ledger();
    const events = [
      transfer(DAI, 10n ** 18n),
      transfer(WETH, 10n ** 18n),
      etherAt2000,
      transfer(WETH, 10n ** 18n),
    ];
    ledger.run(block(1, 1000, [{ events }]));
    expect(ledger.transferUsd).toEqual([1, null, 2000]);
  });
});

describe("memory", () => {
  it("throws for a token whose history was not restored", () => {
    const book = new PriceBook(market.CHAIN);
    const { block: header, transactions } = block(1, 1000, [{ events: [swap(ALPHA_USDC, -1, 1)] }]);
    expect(book.missing([ALPHA, USDC, ALPHA])).toEqual([ALPHA, USDC]);
    book.restore(USDC, [], 0);
    expect(book.missing([ALPHA, USDC])).toEqual([ALPHA]);
    expect(() => book.price(header, transactions, market.tokenAt)).toThrow(/not in memory.*restore/);
  });

  it("drops the least recently used histories first, and none that is not committed", () => {
    const ledger = new Ledger(new PriceBook(market.CHAIN, { tokens: 2, trades: 1000 }));
    ledger.run(block(1, 1000, [{ events: [swap(ALPHA_USDC, -1, 1)] }]));
    ledger.run(block(2, 1012, [{ events: [swap(BETA_USDC, -1, 1)] }]));
    ledger.book.evict(0);
    expect(ledger.book.missing([ALPHA, BETA])).toEqual([]);
    ledger.book.evict();
    expect(ledger.book.missing([USDC, ALPHA, BETA])).toEqual([USDC]);
    ledger.run(block(3, 1024, [{ events: [swap(BETA_USDC, -1, 1)] }]));
    ledger.book.evict();
    expect(ledger.book.missing([USDC, BETA, ALPHA])).toEqual([ALPHA]);
  });

  it("limits the trades in memory", () => {
    const ledger = new Ledger(new PriceBook(market.CHAIN, { tokens: 100, trades: 3 }));
    const swaps = Array.from({ length: 4 }, () => swap(ALPHA_USDC, -1, 1));
    ledger.run(block(1, 1000, [{ events: swaps }]));
    ledger.book.evict();
    expect(ledger.book.missing([ALPHA])).toEqual([ALPHA]);
  });

  it("needs the reference again after a rollback of a trade of stablecoins", () => {
    const ledger = new Ledger();
    ledger.run(block(1, 1000, [{ events: [etherAt2000] }]));
    ledger.run(block(2, 1012, [{ events: [swap(USDC_DAI, -100, 101)] }]));
    ledger.book.rollbackTo({ number: 2, timestamp: 1012 });
    expect(ledger.book.needsReference()).toBe(false);
    ledger.book.rollbackTo({ number: 1, timestamp: 1000 });
    expect(ledger.book.needsReference()).toBe(true);
  });

  it("needs the reference again after clear()", () => {
    const book = new PriceBook(market.CHAIN);
    expect(book.needsReference()).toBe(true);
    book.restoreReference({ native: [], stable: [] });
    expect(book.needsReference()).toBe(false);
    book.clear();
    expect(book.needsReference()).toBe(true);
  });
});
