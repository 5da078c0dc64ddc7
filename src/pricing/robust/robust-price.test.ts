import { describe, expect, it } from "vitest";
import * as market from "../../../test/support/markets/market.ts";

const { ALPHA_BETA, ALPHA_USDC, BETA_USDC, block, Ledger, swap } = market;

interface Trade {
  price: number;
  usd?: number;
  trader?: number;
  /** Seconds since the previous trade; 0: the same block. */
  wait?: number;
}

/**
 * Returns the robust rule's verdict on each trade of one token: 1 accepted, 0 rejected. Each trade is its own
 * transaction.
 */
function verdicts(trades: readonly Trade[]): string {
  const ledger = new Ledger();
  const blocks: { timestamp: number; acts: market.Act[] }[] = [];
  let timestamp = 1_700_000_000;
  for (const [i, { price, usd = 1000, trader = 100 + i, wait = 12 }] of trades.entries()) {
    timestamp += wait;
    if (wait > 0 || i === 0) blocks.push({ timestamp, acts: [] });
    blocks.at(-1)?.acts.push({ trader, events: [swap(ALPHA_USDC, -usd / price, usd)] });
  }
  for (const [i, { timestamp: at, acts }] of blocks.entries()) ledger.run(block(i + 1, at, acts));
  return ledger.rows.map((row) => (row.price_token_usd_robust_tick_1 === null ? "0" : "1")).join("");
}

/** Makes a quiet market around 1 USD, in which the pool's fee makes buys 0.6 % more expensive than sells. */
const quiet = (count: number): Trade[] =>
  Array.from({ length: count }, (_, i) => ({ price: i % 2 ? 1 : 1.006 }));

/** Returns the verdicts on trades that follow a quiet market. */
const afterQuiet = (...trades: Trade[]) => verdicts([...quiet(30), ...trades]).slice(30);

const times = (count: number, trade: Trade): Trade[] => Array.from({ length: count }, () => trade);

/** Returns prices from 1 to `end` in equal ratios. */
const moving = (count: number, end: number): Trade[] =>
  Array.from({ length: count }, (_, i) => ({ price: end ** ((i + 1) / count) }));

const together = ([first, ...others]: Trade[]): Trade[] => [
  ...(first === undefined ? [] : [first]),
  ...others.map((trade) => ({ ...trade, wait: 0 })),
];

/** Returns the index of the trade from which all are accepted. */
const acceptedFrom = (verdict: string) => verdict.lastIndexOf("0") + 1;

describe("never accepted:", () => {
  it.each([
    ["a fat finger, high or low", [{ price: 10 }, { price: 1 }, { price: 0.1 }, { price: 1.006 }], "0101"],
    [
      "a sandwich: bot buys, victim buys, bot sells",
      [
        ...together([
          { price: 1.15, trader: 1, usd: 2e6 },
          { price: 1.3, trader: 2, usd: 5e4 },
          { price: 1.14, trader: 1, usd: 2e6 },
        ]),
        { price: 1.002 },
      ],
      "0001",
    ],
    ["one block full of traders", [...together(times(12, { price: 3 })), { price: 1 }], "0000000000001"],
    [
      "one block whose price moves away in small steps",
      together(moving(60, 1.02 ** 60)),
      `1${"0".repeat(59)}`,
    ],
    ["one trader, again and again", times(10, { price: 4, trader: 7 }), "0000000000"],
    [
      "a whale's flash-loan swap, but not the trades after it",
      [{ price: 5, usd: 1e9 }, { price: 1 }, { price: 1.01 }],
      "011",
    ],
    [
      "small trades of three wallets against the market's",
      [
        { price: 9, usd: 5 },
        { price: 1 },
        { price: 9, usd: 5, wait: 0 },
        { price: 1.006, wait: 0 },
        { price: 9, usd: 5 },
        { price: 1 },
        { price: 9, usd: 5 },
      ],
      "0101010",
    ],
    [
      "three wallets at the end of one block and the beginning of the next",
      [
        ...together([{ price: 1 }, { price: 1.006 }, { price: 9, usd: 50 }]),
        ...together([{ price: 9, usd: 50 }, { price: 9, usd: 50 }, { price: 1 }]),
      ],
      "110001",
    ],
    [
      "dust",
      [
        { price: 1, usd: 0.99 },
        { price: 1, usd: 1 },
        { price: 1, usd: 1e-6 },
      ],
      "010",
    ],
  ])("%s", (_, trades, expected) => {
    expect(afterQuiet(...trades)).toBe(expected);
  });

  it.each([
    ["one whale", [{ price: 1.014, usd: 1e9 }]],
    ["one trader, however often", times(12, { price: 1.014, trader: 7 })],
  ])("a level that %s moved", (_, trades) => {
    const verdict = verdicts([...times(30, { price: 1 }), ...trades, { price: 1.029, trader: 8 }]);
    expect(verdict).toBe(`${"1".repeat(30 + trades.length)}0`);
  });

  it("a price that swaps between tokens only repeat", () => {
    const ledger = new Ledger();
    const acts = (trader: number, ...events: market.Act["events"]) => [{ trader, events }];
    for (let i = 1; i < 10; i += 1) ledger.run(block(i, i * 12, acts(i, swap(BETA_USDC, -1000, 1000 + i))));
    for (let i = 10; i < 60; i += 1) ledger.run(block(i, i * 12, acts(i, swap(ALPHA_BETA, -10, 1000))));
    const echo = ledger.rows.filter((row) => row.token_address === market.BETA).at(-1);
    expect(echo?.price_token_usd_robust_tick_1).toBeCloseTo(1.009, 12);
    const crash = [60, 61, 62, 63]
      .flatMap((i) =>
        ledger.run(
          block(i, i * 12, [
            ...acts(i + 100, swap(ALPHA_BETA, -10, 1000)),
            ...acts(i, swap(BETA_USDC, -1000, 100)),
          ]),
        ),
      )
      .filter((row) => row.quote_address === market.USDC);
    expect(crash.map((row) => row.price_token_usd_robust_tick_1)).toEqual([null, null, 0.1, 0.1]);
  });
});

/**
 * Runs a market in which, in every block, honest wallets trade for 1000 USD each, and then an attacker who
 * knows the last accepted price trades. Returns the robust prices of the market's own trades, and the highest
 * robust price of any trade.
 */
function underAttack(
  blocks: number,
  perBlock: number,
  priceAt: (block: number) => number,
  attack: (block: number, last: number) => Trade[],
): { market: (number | null)[]; highest: number } {
  const ledger = new Ledger();
  const honest: (number | null)[] = [];
  let [last, highest] = [1, 1];
  for (let i = 1; i <= blocks; i += 1) {
    const usual = Array.from({ length: perBlock }, (_, n) => ({
      ...{
        price: priceAt(i) * (1 + 0.003 * Math.sin(7 * i + n)),
        usd: 1000,
        trader: 1000 + perBlock * i + n,
      },
    }));
    const acts = [...usual, ...attack(i, last)].map(({ price, usd = 1, trader = 1 }) => ({
      ...{ trader, events: [swap(ALPHA_USDC, -usd / price, usd)] },
    }));
    const rows = ledger.run(block(i, 1_700_000_000 + 12 * i, acts));
    const prices = rows.map((row) => row.price_token_usd_robust_tick_1);
    honest.push(...prices.slice(0, perBlock));
    last = prices.findLast((price) => price !== null) ?? last;
    highest = Math.max(highest, ...prices.filter((price) => price !== null));
  }
  return { market: honest, highest };
}

describe("against wallets that trade at the end of each block:", () => {
  it.each([
    ["one wallet, next to one trade", 1, 1, 1],
    ["one wallet, next to ten trades", 10, 1, 1],
    ["15 wallets, next to 40 trades", 40, 15, 1],
    ["15 wallets with large trades, next to 40 trades", 40, 15, 5000],
  ])("%s a block: the price is not raised step by step", (_, honest, wallets, usd) => {
    const attack = (_: number, last: number) =>
      Array.from({ length: 15 }, (_, n) => ({ price: last * 1.0145, usd, trader: 10 + (n % wallets) }));
    const { market, highest } = underAttack(
      90,
      honest,
      () => 1,
      (i, last) => (i <= 30 ? [] : attack(i, last)),
    );
    expect(highest).toBeLessThan(1.04);
    expect(market).not.toContain(null);
  });

  const absurd = (i: number) => [
    ...Array.from({ length: 15 }, (_, n) => ({ price: 20 + n, trader: 2 })),
    ...(i % 2 === 0 ? [{ price: 1, trader: 2 }] : []),
  ];
  it.each([
    ["trades at absurd prices", absurd],
    ["trades at the old price", () => times(41, { price: 1, usd: 1, trader: 2 })],
  ])("%s do not hide a fall by half", (_, attack) => {
    const fall = (i: number) => (i <= 40 ? 1 : 0.5);
    const { market } = underAttack(120, 1, fall, (i) => (i <= 40 ? [] : attack(i)));
    expect(market.slice(40).filter((price) => price === null).length).toBeLessThan(10);
  });
});

describe("followed:", () => {
  it("a price that changes once in thirty swaps between tokens that repeat it", () => {
    const ledger = new Ledger();
    for (let i = 0; i < 900; i += 1) {
      const level = i < 450 ? 1 : 3;
      const act = i % 30 === 0 ? swap(BETA_USDC, -1000, 1000 * level) : swap(ALPHA_BETA, -10, 1000);
      ledger.run(block(i + 1, i * 12, [{ trader: i, events: [act] }]));
    }
    const forCash = ledger.rows.filter((row) => row.quote_address === market.USDC);
    const prices = forCash.map((row) => row.price_token_usd_robust_tick_1);
    expect(prices).toEqual([...Array(15).fill(1), null, null, ...Array(13).fill(3)]);
    expect(ledger.rows.filter((row) => row.token_address === market.BETA).at(-1)?.amount_usd).toBe(3000);
  });

  it.each([
    ["quiet trading", quiet(60), 0],
    [
      "trading with 4 % of noise",
      Array.from({ length: 90 }, (_, i) => ({ price: 1 + 0.04 * Math.sin(i * 7) })),
      0,
    ],
    [
      "a launch whose price rises fiftyfold in an hour",
      moving(120, 50).map((trade) => ({ ...trade, wait: 30 })),
      0,
    ],
    ["the same in thirty trades", moving(30, 50).map((trade) => ({ ...trade, wait: 120 })), 0],
    ["a launch whose first trade was a mistake", [{ price: 100 }, ...quiet(20)], 3],
  ])("%s", (_, trades, index) => {
    expect(acceptedFrom(verdicts(trades))).toBe(index);
  });

  it.each([
    ["a rug pull: a sudden fall of 95 %", times(12, { price: 0.05 }), 2],
    [
      "the same, traded in one block first",
      [...together(times(6, { price: 0.05 })), ...times(4, { price: 0.052 })],
      6,
    ],
    ["a crash of 95 % within twelve minutes", moving(60, 0.05), 3],
    ["a crash of 95 % in ten trades", [...moving(10, 0.05), ...times(10, { price: 0.05 })], 4],
    ["a fiftyfold pump in an hour", moving(300, 50), 4],
    ["a fiftyfold pump in thirty trades", moving(30, 50), 3],
    ["a crash and a recovery", [...times(4, { price: 0.4 }), ...quiet(10)], 2],
  ])("after quiet trading: %s", (_, trades, index) => {
    expect(acceptedFrom(afterQuiet(...trades))).toBe(index);
  });

  it.each([
    ["40 % within seconds", { price: 1.4 }, "0"],
    ["40 % after a day of silence", { price: 1.4, wait: 86_400 }, "1"],
    ["fivefold, however long the silence was", { price: 5, wait: 1e8 }, "0"],
  ])("one trade: %s", (_, trade, expected) => {
    expect(afterQuiet(trade)).toBe(expected);
  });

  it.each([
    ["wide daily moves, but no fat finger", [1, 1.1, 0.95, 1.2, 1.5, 1.3, 0.9, 1, 10, 1, 1.2], "11111111011"],
    ["a new level after three days", [1, 1.1, 0.95, 1.05, 8, 8.1, 7.9, 8], "11110011"],
  ])("one trade a day, all by one trader: %s", (_, prices, expected) => {
    expect(verdicts(prices.map((price) => ({ price, trader: 1, wait: 86_400 })))).toBe(expected);
  });
});
