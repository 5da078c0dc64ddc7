import { describe, expect, it } from "vitest";
import { CHAIN, DAI, hex, REFERENCES, USDC, WETH } from "../../../test/support/markets/market.ts";
import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import { ReferencePrice } from "./reference-price.ts";

const USDT = hex("c", 9);
const START = 1_700_000_040;
const [USDC_POOL, DAI_POOL, USDC_POOL_2] = REFERENCES.map(({ address }) => address);
const USDT_POOL = hex("b", 9);

const CHAIN_OF_THREE: Chain = {
  ...CHAIN,
  stableCoins: [USDC, USDT, DAI],
  referencePools: [...CHAIN.referencePools, USDT_POOL],
};

interface StableSwaps {
  /** The earlier coin in the chain's order. */
  token: Hex;
  quote: Hex;
  price: number;
  minutes: number;
  aMinute?: number;
  usd?: number;
  /** Number of wallets that trade in turn. */
  traders?: number;
  /** Number of the first wallet. */
  firstTrader?: number;
  /** True if all trades of a minute are in one block. */
  atOnce?: boolean;
}

/** Stablecoins and reference pools, minute by minute. */
class Scene {
  readonly reference: ReferencePrice;
  now = START;
  #block = 1;

  constructor(chain: Chain = CHAIN_OF_THREE) {
    this.reference = new ReferencePrice(chain);
  }

  /** Records ether's price in each pool at the current time. */
  ether(prices: [pool: Hex | undefined, coin: Hex, price: number][]): this {
    for (const [pool = USDT_POOL, quote, priceTick1] of prices) {
      const time = { timestamp: this.now, blockNumber: this.#block };
      this.reference.record(WETH, { pool, quote, priceTick1, amountUsd: 1e4, ...time });
    }
    return this;
  }

  /** Records trades of several pairs at the same time. */
  trade(...pairs: StableSwaps[]): this {
    const minutes = Math.max(...pairs.map((pair) => pair.minutes));
    for (let minute = 0; minute < minutes; minute += 1) {
      for (const pair of pairs) if (minute < pair.minutes) this.#minuteOf(pair, minute);
      this.now += 60;
    }
    return this;
  }

  wait(seconds: number): this {
    this.now += seconds;
    return this;
  }

  price(): number | null {
    this.reference.advance(this.now);
    return this.reference.price;
  }

  #minuteOf(
    { token, quote, price, aMinute = 3, usd = 1000, traders = 40, firstTrader = 0, atOnce }: StableSwaps,
    minute: number,
  ) {
    for (let i = 0; i < aMinute; i += 1) {
      if (atOnce !== true) this.#block += 1;
      this.reference.recordStable({
        token,
        quote,
        priceTick1: price,
        amountUsd: usd,
        trader: hex("a", firstTrader + ((minute * aMinute + i) % traders)),
        blockNumber: this.#block,
        timestamp: this.now,
      });
    }
    this.#block += 1;
  }
}

/** Number of a wallet that does not belong to the market. */
const STRANGER = 1000;

/** Returns ether's prices: 2000 USD, or more in USDC, which fell to 0.88. */
const fallenPrices = (): Parameters<Scene["ether"]>[0] => [
  [USDC_POOL, USDC, 2000 / 0.88],
  [USDC_POOL_2, USDC, 2002 / 0.88],
  [USDT_POOL, USDT, 2000],
  [DAI_POOL, DAI, 2004],
];
const inAllPools = (2004 + 2000 / 0.88) / 2;
const usdcIn = (
  quote: Hex,
  price: number,
  minutes: number,
  more: Partial<StableSwaps> = {},
): StableSwaps => ({
  token: USDC,
  quote,
  price,
  minutes,
  ...more,
});

describe("a stablecoin that lost its peg", () => {
  it("does not count, however many pools it has, while there are others", () => {
    const scene = new Scene().trade(usdcIn(USDT, 1, 60), usdcIn(DAI, 1, 60)).ether(fallenPrices());
    expect(scene.price()).toBe(inAllPools);
    scene.trade(usdcIn(USDT, 0.88, 29), usdcIn(DAI, 0.89, 29));
    expect(scene.price()).toBe(inAllPools);
    scene.trade(usdcIn(USDT, 0.88, 2), usdcIn(DAI, 0.89, 2));
    expect(scene.price()).toBe(2002);
  });

  it("counts again after it was back for most of an hour", () => {
    const scene = new Scene().trade(usdcIn(USDT, 0.88, 60)).ether(fallenPrices());
    expect(scene.price()).toBe(2002);
    expect(scene.trade(usdcIn(USDT, 0.999, 29)).price()).toBe(2002);
    expect(scene.trade(usdcIn(USDT, 0.999, 2)).price()).toBe(inAllPools);
  });

  it("is the cheaper coin of a pair, in either order of the pair", () => {
    const scene = new Scene().trade({ token: USDT, quote: DAI, price: 1.2, minutes: 60 });
    scene.ether([
      [USDT_POOL, USDT, 2000],
      [DAI_POOL, DAI, 2400],
    ]);
    expect(scene.price()).toBe(2000);
  });

  it("still counts if no other coin has a pool with trades", () => {
    const scene = new Scene().trade(usdcIn(USDT, 0.88, 60)).ether([[USDC_POOL, USDC, 2270]]);
    expect(scene.price()).toBe(2270);
    expect(scene.ether([[USDT_POOL, USDT, 2000]]).price()).toBe(2000);
  });

  it("cannot be detected if the chain has only one coin", () => {
    const scene = new Scene({ ...CHAIN, stableCoins: [USDC] }).ether([[USDC_POOL, USDC, 2270]]);
    expect(scene.trade(usdcIn(USDT, 0.88, 60)).price()).toBe(2270);
  });

  it("is not decided by a pair with fewer traders than the other pairs", () => {
    const few = usdcIn(DAI, 0.9, 60, { traders: 10 });
    const scene = new Scene().trade(usdcIn(USDT, 1, 60), few).ether(fallenPrices());
    expect(scene.price()).toBe(inAllPools);
  });

  it("is detected by the last twenty minutes with trades of a day if an hour has fewer", () => {
    const rare = (count: number) => {
      const scene = new Scene();
      for (let i = 0; i < count; i += 1) scene.trade(usdcIn(USDT, 0.88, 4)).wait(3600);
      return scene.ether(fallenPrices());
    };
    expect(rare(4).price()).toBe(inAllPools);
    expect(rare(5).price()).toBe(2002);
    expect(rare(5).wait(86_400).ether(fallenPrices()).price()).toBe(inAllPools);
  });

  it.each([
    ["one wallet that trades first in each minute", { aMinute: 8, traders: 1 }],
    ["one wallet that fills each minute", { aMinute: 500, traders: 1 }],
    ["nine wallets, fewer than the market's ten", { aMinute: 45, traders: 9 }],
  ])("is not hidden by %s", (_, attack) => {
    const hidden = usdcIn(USDT, 1, 60, { ...attack, firstTrader: STRANGER });
    const market = usdcIn(USDT, 0.9, 60, { aMinute: 10, traders: 10 });
    expect(new Scene().trade(hidden, market).ether(fallenPrices()).price()).toBe(2002);
  });

  it("is not hidden by wallets that flood another of its pairs", () => {
    const flood = usdcIn(DAI, 1, 60, { aMinute: 30, traders: 30, firstTrader: STRANGER });
    const market = usdcIn(USDT, 0.9, 60);
    expect(new Scene().trade(flood, market).ether(fallenPrices()).price()).toBe(2002);
  });
});

describe("a stablecoin keeps its peg in spite of", () => {
  const calm = () => new Scene().trade(usdcIn(USDT, 1, 60), usdcIn(DAI, 1, 60)).ether(fallenPrices());

  it.each([
    ["a block full of trades", { minutes: 1, aMinute: 500, usd: 1e8, traders: 500, atOnce: true }],
    ["a quarter of an hour", { minutes: 15, aMinute: 50, usd: 1e8 }],
    ["four wallets with most of the trades for hours", { minutes: 60, aMinute: 4, traders: 4 }],
    ["dust", { minutes: 60, aMinute: 50, usd: 9.99 }],
  ])("%s", (_, attack) => {
    const scene = calm();
    const market = usdcIn(USDT, 1, attack.minutes, { aMinute: 3 });
    expect(scene.trade(usdcIn(USDT, 0.5, attack.minutes, attack), market).price()).toBe(inAllPools);
  });

  it.each<[string, { aMinute: number; traders: number; last?: number }]>([
    ["five wallets that trade first in each minute", { aMinute: 8, traders: 5 }],
    ["thirty wallets that fill each minute, fewer than the market's forty", { aMinute: 90, traders: 30 }],
    ["a minute of a thousand wallets after an hour of five", { aMinute: 5, traders: 5, last: 1000 }],
  ])("%s", (_, { last = 0, ...attack }) => {
    const others = { ...attack, firstTrader: STRANGER };
    const scene = calm().trade(usdcIn(USDT, 0.9, 60, others), usdcIn(USDT, 1, 60));
    const burst = { aMinute: last, traders: last, firstTrader: STRANGER };
    scene.trade(usdcIn(USDT, 0.9, 1, burst), usdcIn(USDT, 1, 1)).ether(fallenPrices());
    expect(scene.price()).toBe(inAllPools);
  });

  it("a block full of trades if there are no others", () => {
    const attack = usdcIn(USDT, 0.5, 1, { aMinute: 500, traders: 500, atOnce: true });
    expect(new Scene().trade(attack).ether(fallenPrices()).price()).toBe(inAllPools);
  });

  it("a price 1.5 % below the others", () => {
    const scene = calm().trade(usdcIn(USDT, 0.985, 120), usdcIn(DAI, 0.985, 120));
    expect(scene.ether(fallenPrices()).price()).toBe(inAllPools);
  });
});
