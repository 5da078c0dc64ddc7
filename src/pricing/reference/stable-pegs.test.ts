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
  /** The earlier coin of the chain's. */
  token: Hex;
  quote: Hex;
  price: number;
  minutes: number;
  aMinute?: number;
  usd?: number;
  traders?: number;
  /** All in one block. */
  atOnce?: boolean;
}

/** Stable coins and reference pools, minute by minute. */
class Scene {
  readonly reference: ReferencePrice;
  now = START;
  #block = 1;

  constructor(chain: Chain = CHAIN_OF_THREE) {
    this.reference = new ReferencePrice(chain);
  }

  /** Ether's price in each pool, at the present time. */
  ether(prices: [pool: Hex | undefined, coin: Hex, price: number][]): this {
    for (const [pool = USDT_POOL, quote, priceTick1] of prices) {
      const place = { timestamp: this.now, blockNumber: this.#block };
      this.reference.record(WETH, { pool, quote, priceTick1, amountUsd: 1e4, ...place });
    }
    return this;
  }

  /** Several pairs trade at the same time. */
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
    { token, quote, price, aMinute = 3, usd = 1000, traders = 40, atOnce }: StableSwaps,
    minute: number,
  ) {
    for (let i = 0; i < aMinute; i += 1) {
      if (atOnce !== true) this.#block += 1;
      this.reference.recordStable({
        token,
        quote,
        priceTick1: price,
        amountUsd: usd,
        trader: hex("a", (minute * aMinute + i) % traders),
        blockNumber: this.#block,
        timestamp: this.now,
      });
    }
    this.#block += 1;
  }
}

/** Ether is worth 2000: where USDC fell to 0.88, it costs more of them. */
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

describe("a stable coin that lost its peg", () => {
  it("has no say, however many pools it has, while there are others", () => {
    const scene = new Scene().trade(usdcIn(USDT, 1, 60), usdcIn(DAI, 1, 60)).ether(fallenPrices());
    expect(scene.price()).toBe(inAllPools);
    scene.trade(usdcIn(USDT, 0.88, 29), usdcIn(DAI, 0.89, 29));
    expect(scene.price()).toBe(inAllPools);
    scene.trade(usdcIn(USDT, 0.88, 2), usdcIn(DAI, 0.89, 2));
    expect(scene.price()).toBe(2002);
  });

  it("has one again when it was back for most of an hour", () => {
    const scene = new Scene().trade(usdcIn(USDT, 0.88, 60)).ether(fallenPrices());
    expect(scene.price()).toBe(2002);
    expect(scene.trade(usdcIn(USDT, 0.999, 29)).price()).toBe(2002);
    expect(scene.trade(usdcIn(USDT, 0.999, 2)).price()).toBe(inAllPools);
  });

  it("is the one that others are dearer than, in either order of the pair", () => {
    const scene = new Scene().trade({ token: USDT, quote: DAI, price: 1.2, minutes: 60 });
    scene.ether([
      [USDT_POOL, USDT, 2000],
      [DAI_POOL, DAI, 2400],
    ]);
    expect(scene.price()).toBe(2000);
  });

  it("keeps its say where no other coin has a pool that tells", () => {
    const scene = new Scene().trade(usdcIn(USDT, 0.88, 60)).ether([[USDC_POOL, USDC, 2270]]);
    expect(scene.price()).toBe(2270);
    expect(scene.ether([[USDT_POOL, USDT, 2000]]).price()).toBe(2000);
  });

  it("is not known where the chain has one coin alone", () => {
    const scene = new Scene({ ...CHAIN, stableCoins: [USDC] }).ether([[USDC_POOL, USDC, 2270]]);
    expect(scene.trade(usdcIn(USDT, 0.88, 60)).price()).toBe(2270);
  });

  it("is not decided by a pair in which fewer trade than in the others", () => {
    const few = usdcIn(DAI, 0.9, 60, { traders: 10 });
    const scene = new Scene().trade(usdcIn(USDT, 1, 60), few).ether(fallenPrices());
    expect(scene.price()).toBe(inAllPools);
  });

  it("is told by the last twenty trades of a day where an hour has fewer", () => {
    const rare = (count: number) => {
      const scene = new Scene();
      for (let i = 0; i < count; i += 1) scene.trade(usdcIn(USDT, 0.88, 1, { aMinute: 8 })).wait(3540);
      return scene.ether(fallenPrices());
    };
    expect(rare(2).price()).toBe(inAllPools);
    expect(rare(3).price()).toBe(2002);
    expect(rare(3).wait(86_400).price()).toBe(inAllPools);
  });
});

describe("what does not take a coin's say", () => {
  const calm = () => new Scene().trade(usdcIn(USDT, 1, 60), usdcIn(DAI, 1, 60)).ether(fallenPrices());

  it.each([
    ["a block full of trades", { minutes: 1, aMinute: 500, usd: 1e8, traders: 500, atOnce: true }],
    ["a quarter of an hour", { minutes: 15, aMinute: 50, usd: 1e8 }],
    ["four wallets, for hours, in most of the trades", { minutes: 60, aMinute: 4, traders: 4 }],
    ["dust", { minutes: 60, aMinute: 50, usd: 9.99 }],
  ])("%s", (_, bent) => {
    const scene = calm();
    const market = usdcIn(USDT, 1, bent.minutes, { aMinute: 3 });
    expect(scene.trade(usdcIn(USDT, 0.5, bent.minutes, bent), market).price()).toBe(inAllPools);
  });

  it("a per cent", () => {
    const scene = calm().trade(usdcIn(USDT, 0.985, 120), usdcIn(DAI, 0.985, 120));
    expect(scene.price()).toBe(inAllPools);
  });
});
