import { DAI, type DemoToken, USDC, USDT, WETH } from "../../../devnet/market/tokens.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { seeded } from "../seeded.ts";
import type { Opening } from "./amm-market.ts";
import { type DexNode, type Order, type RealToken, tokenAddress } from "./dex-node.ts";
import { openingOrder, type Pairing, RealWidePool } from "./real-pools.ts";

/** Returns the value of a coin in USD at a given time. */
export type Worth = (symbol: string) => number;

/** A token that trades against USDC, DAI and WETH. */
export const ALPHA: RealToken = { address: tokenAddress(1), decimals: 18, like: "Token" };
/** A token that trades only against DAI. */
export const BETA: RealToken = { address: tokenAddress(2), decimals: 18, like: "Token" };

const BLOCK_SECONDS = 120;
const OPENING_SECONDS = 12;
const OPENINGS_A_BLOCK = 4;
const TRADE_GAS = 250_000;
const WALLETS = 100;
/** Maximum distance between the price after a trade and the token's value, as a share of the pool's fee. */
const NOISE_OF_FEE = 1 / 3;

interface Place {
  pool: RealWidePool;
  /**
   * Returns the price that the token would have in USD if the quote coin still had its value from before the
   * depeg.
   */
  worth: (of: Worth) => number;
  price: number;
  fee: number;
}

function real({ address, decimals }: DemoToken): RealToken {
  return { address, decimals, like: "Token" };
}

function place(symbols: [string, string], fee: number, depth: number): Place {
  const [token, quote] = symbols.map((symbol) => COINS[symbol]) as [RealToken, RealToken];
  const firstWorth = FIRST[symbols[1]] ?? 1;
  const price = FIRST[symbols[0]] ?? 1;
  const pairing: Pairing = { token, quote: { ...quote, usd: firstWorth } };
  const opening: Opening = { depth, fee, price };
  return {
    pool: new RealWidePool(pairing, opening),
    worth: (of) => (of(symbols[0]) / of(symbols[1])) * firstWorth,
    price,
    fee,
  };
}

const COINS: Record<string, RealToken> = {
  USDC: real(USDC),
  USDT: real(USDT),
  DAI: real(DAI),
  WETH: real(WETH),
  ALPHA,
  BETA,
};
/** Value of each coin in USD, before one of them loses its peg. */
export const FIRST: Record<string, number> = { USDC: 1, USDT: 1, DAI: 1, WETH: 2000, ALPHA: 3, BETA: 0.5 };

/**
 * Trades ether, three stablecoins and two other tokens in V3 pools. Two of the three reference pools are
 * against DAI.
 */
export class PeggedMarket {
  readonly #places = [
    place(["WETH", "DAI"], 0.0005, 5e6),
    place(["WETH", "DAI"], 0.003, 3e6),
    place(["WETH", "USDC"], 0.0005, 5e6),
    place(["WETH", "USDC"], 0.003, 3e6),
    place(["WETH", "USDT"], 0.0005, 5e6),
    place(["WETH", "USDT"], 0.003, 3e6),
    place(["USDC", "DAI"], 0.0001, 5e6),
    place(["DAI", "USDT"], 0.0001, 5e6),
    place(["USDC", "USDT"], 0.0001, 5e6),
    place(["ALPHA", "USDC"], 0.003, 3e5),
    place(["ALPHA", "WETH"], 0.003, 3e5),
    place(["ALPHA", "DAI"], 0.003, 1e5),
    place(["BETA", "DAI"], 0.003, 1e5),
  ];
  readonly #random = seeded(5);

  get referencePools(): Hex[] {
    return this.#places.slice(0, 3).map(({ pool }) => pool.address);
  }

  async open(node: DexNode): Promise<void> {
    for (let from = 0; from < this.#places.length; from += OPENINGS_A_BLOCK) {
      const orders = this.#places.slice(from, from + OPENINGS_A_BLOCK).map(({ pool }) => openingOrder(pool));
      await node.mine(node.head().timestamp + OPENING_SECONDS, orders);
    }
  }

  /** Trades in every pool in every block. Each trade moves the pool's price close to the true one. */
  async trade(node: DexNode, minutes: number, worthAt: (minute: number) => Worth): Promise<void> {
    for (let minute = 0; minute < minutes; minute += BLOCK_SECONDS / 60) {
      const worth = worthAt(minute);
      const orders = this.#places.map((each) => this.#trade(each, worth));
      await node.mine(node.head().timestamp + BLOCK_SECONDS, orders);
    }
  }

  #trade(each: Place, worth: Worth): Order {
    const noise = NOISE_OF_FEE * each.fee * (2 * this.#random() - 1);
    const after = each.worth(worth) * Math.exp(noise);
    const deal = { price: after, usd: 0, buys: after > each.price, made: { by: OPENED, after } };
    each.price = after;
    return {
      trader: 1 + Math.floor(this.#random() * WALLETS),
      calls: each.pool.trade(deal),
      gas: TRADE_GAS,
    };
  }
}

const OPENED: Opening = { depth: 0, fee: 0, price: 0 };
