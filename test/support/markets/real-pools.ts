import {
  V2_FACTORY,
  V2_INIT_CODE_HASH,
  V3_FACTORY,
  V3_INIT_CODE_HASH,
} from "../../../devnet/market/pools.ts";
import { create2Address, encodeCall, keccak, word } from "../../../devnet/node/call-data.ts";
import { MULTICALL, ROUTER } from "../../../devnet/node/genesis.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import type { LabelledTrade, Opening } from "./amm-market.ts";
import type { ContractCall, Order, RealToken } from "./dex-node.ts";

/** The token against which a pool's token trades. */
export interface Quote {
  address: Hex;
  decimals: number;
  usd: number;
}

export interface Pairing {
  token: RealToken;
  quote: Quote;
}

export type Deal = Pick<LabelledTrade, "price" | "usd" | "buys" | "made">;

/** A pool of the real contracts that repeats the trades of a simulated pool. */
export interface RealPool {
  address: Hex;
  /** Returns the calls that create and fill the pool. */
  opening(): ContractCall[];
  trade(deal: Deal): ContractCall[];
}

const Q96 = 2 ** 96;
const TICKS: Record<number, { spacing: number; last: number }> = {
  100: { spacing: 1, last: 887_272 },
  500: { spacing: 10, last: 887_270 },
  3000: { spacing: 60, last: 887_220 },
  10000: { spacing: 200, last: 887_200 },
};
const TAX_DIVISOR = 100n;

function units(amount: number, decimals: number): bigint {
  return BigInt(Math.round(amount * 10 ** decimals));
}

function order(pairing: Pairing): [Hex, Hex] {
  const [token, quote] = [pairing.token.address, pairing.quote.address];
  return token < quote ? [token, quote] : [quote, token];
}

/**
 * A V2 pair with a fee of 0.3 %. Its reserves are known exactly, so each swap requests the maximum output.
 */
export class RealPair implements RealPool {
  readonly address: Hex;
  readonly #pairing: Pairing;
  #tokens: bigint;
  #quotes: bigint;

  constructor(pairing: Pairing, { depth, price }: Opening) {
    this.#pairing = pairing;
    this.#tokens = units(depth / price, pairing.token.decimals);
    this.#quotes = units(depth / pairing.quote.usd, pairing.quote.decimals);
    const [token0, token1] = order(pairing);
    this.address = create2Address(
      V2_FACTORY,
      keccak(`0x${token0.slice(2)}${token1.slice(2)}`),
      V2_INIT_CODE_HASH,
    );
  }

  /** reserve0 and reserve1 after all trades. */
  get reserves(): [bigint, bigint] {
    return this.#inOrder(this.#tokens, this.#quotes);
  }

  opening(): ContractCall[] {
    const { token, quote } = this.#pairing;
    return [
      { to: V2_FACTORY, data: encodeCall("createPair(address,address)", ...order(this.#pairing)) },
      this.#pay(token.address, untaxed(token, this.#tokens)),
      this.#pay(quote.address, this.#quotes),
      { to: this.address, data: encodeCall("mint(address)", MULTICALL) },
    ];
  }

  trade({ price, usd, buys }: Deal): ContractCall[] {
    const { token, quote } = this.#pairing;
    if (buys) {
      const paid = units(usd / quote.usd, quote.decimals);
      const out = outOf(paid, this.#quotes, this.#tokens);
      this.#quotes += paid;
      this.#tokens -= out;
      return [this.#pay(quote.address, paid), this.#swap(this.#inOrder(out, 0n))];
    }
    const paid = units(usd / price, token.decimals);
    const out = outOf(paid, this.#tokens, this.#quotes);
    this.#tokens += paid;
    this.#quotes -= out;
    return [this.#pay(token.address, untaxed(token, paid)), this.#swap(this.#inOrder(0n, out))];
  }

  #inOrder(token: bigint, quote: bigint): [bigint, bigint] {
    const [first] = order(this.#pairing);
    return first === this.#pairing.token.address ? [token, quote] : [quote, token];
  }

  #pay(to: Hex, amount: bigint): ContractCall {
    return { to, data: encodeCall("transfer(address,uint256)", this.address, amount) };
  }

  #swap(out: [bigint, bigint]): ContractCall {
    return {
      to: this.address,
      data: encodeCall("swap(uint256,uint256,address,bytes)", ...out, MULTICALL, []),
    };
  }
}

function outOf(paid: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  const counted = paid * 997n;
  return (counted * reserveOut) / (reserveIn * 1000n + counted);
}

/** Returns the amount to send if the given amount must arrive after tax. */
function untaxed({ like }: RealToken, amount: bigint): bigint {
  if (like === "Token") return amount;
  let sent = (amount * TAX_DIVISOR) / (TAX_DIVISOR - 1n);
  while (sent - sent / TAX_DIVISOR < amount) sent += 1n;
  return sent;
}

/** A V3 pool. Each trade has a target price, which the contract reaches exactly. */
class Concentrated {
  readonly address: Hex;
  readonly #pairing: Pairing;
  readonly #fee: number;

  constructor(pairing: Pairing, fee: number) {
    this.#pairing = pairing;
    this.#fee = fee;
    const [token0, token1] = order(pairing);
    const salt = keccak(`0x${word(token0)}${word(token1)}${word(fee)}`);
    this.address = create2Address(V3_FACTORY, salt, V3_INIT_CODE_HASH);
  }

  create(price: number): ContractCall[] {
    return [
      {
        to: V3_FACTORY,
        data: encodeCall("createPool(address,address,uint24)", ...order(this.#pairing), this.#fee),
      },
      { to: this.address, data: encodeCall("initialize(uint160)", this.sqrtPrice(price)) },
    ];
  }

  /** Returns the square root of the price in 64.96 fixed point. */
  sqrtPrice(price: number): bigint {
    const root = Math.sqrt(this.#raw(price));
    return BigInt(Math.floor((this.#isToken0() ? root : 1 / root) * Q96));
  }

  moveTo(price: number, isUp: boolean): ContractCall {
    const { token, quote } = this.#pairing;
    const [paid, bought] = isUp ? [quote.address, token.address] : [token.address, quote.address];
    const target = this.sqrtPrice(price);
    return {
      to: ROUTER,
      data: encodeCall("alignV3(address,address,address,uint160)", this.address, paid, bought, target),
    };
  }

  /** Returns the liquidity of a pool that spans all prices and holds the given USD on each side. */
  liquidity(usd: number, price: number): bigint {
    const { token, quote } = this.#pairing;
    const [quotes, tokens] = [(usd / quote.usd) * 10 ** quote.decimals, (usd / price) * 10 ** token.decimals];
    return BigInt(Math.floor(Math.sqrt(quotes * tokens)));
  }

  fill(liquidity: bigint, [lower, upper] = this.everywhere()): ContractCall {
    const signature = "addV3(address,address,address,int24,int24,uint128)";
    const place = [this.address, ...order(this.#pairing)] as const;
    return { to: ROUTER, data: encodeCall(signature, ...place, lower, upper, liquidity) };
  }

  empty(liquidity: bigint, [lower, upper]: [number, number]): ContractCall[] {
    const everything = 2n ** 128n - 1n;
    const collect = "collect(address,int24,int24,uint128,uint128)";
    return [
      { to: this.address, data: encodeCall("burn(int24,int24,uint128)", lower, upper, liquidity) },
      { to: this.address, data: encodeCall(collect, MULTICALL, lower, upper, everything, everything) },
    ];
  }

  everywhere(): [number, number] {
    const last = TICKS[this.#fee]?.last ?? 0;
    return [-last, last];
  }

  /** Returns the range of ticks around a price, for a pool with tick spacing 1. */
  around(price: number, ticks: number): [number, number] {
    const raw = this.#isToken0() ? this.#raw(price) : 1 / this.#raw(price);
    const middle = Math.round(Math.log(raw) / Math.log(1.0001));
    return [middle - ticks, middle + ticks];
  }

  #isToken0(): boolean {
    return order(this.#pairing)[0] === this.#pairing.token.address;
  }

  /** Converts a price to base units of the quote per base unit of the token. */
  #raw(price: number): number {
    const { token, quote } = this.#pairing;
    return (price / quote.usd) * 10 ** (quote.decimals - token.decimals);
  }
}

/** A V3 pool with the same liquidity at all prices. */
export class RealWidePool implements RealPool {
  readonly address: Hex;
  readonly #pool: Concentrated;
  readonly #opening: Opening;

  constructor(pairing: Pairing, opening: Opening) {
    this.#pool = new Concentrated(pairing, Math.round(opening.fee * 1e6));
    this.#opening = opening;
    this.address = this.#pool.address;
  }

  opening(): ContractCall[] {
    const { depth, price } = this.#opening;
    return [...this.#pool.create(price), this.#pool.fill(this.#pool.liquidity(depth, price))];
  }

  trade({ buys, price, made }: Deal): ContractCall[] {
    return [this.#pool.moveTo(made?.after ?? price, buys)];
  }
}

const OWN_FEE = 100;
const OWN_WIDTH = 1e-4;
const OWN_TICKS = 20;

/**
 * A V3 pool that is empty except during trades of wash traders. In one transaction, they move its price,
 * which costs nothing, add liquidity, trade, and remove the liquidity. So no other trader can trade at that
 * price.
 */
export class OwnPool implements RealPool {
  readonly address: Hex;
  readonly #pool: Concentrated;
  readonly #first: number;
  #price: number;

  constructor(pairing: Pairing, price: number) {
    this.#pool = new Concentrated(pairing, OWN_FEE);
    this.#first = price;
    this.#price = price;
    this.address = this.#pool.address;
  }

  opening(): ContractCall[] {
    return this.#pool.create(this.#first);
  }

  trade({ price, usd, buys }: Deal): ContractCall[] {
    const pool = this.#pool;
    const kept = 1 - OWN_FEE / 1e6;
    const middle = buys ? price * kept : price / kept;
    const step = Math.exp((buys ? 1 : -1) * (OWN_WIDTH / 2));
    const [from, to] = [middle / step, middle * step];
    const isAway = pool.sqrtPrice(from) !== pool.sqrtPrice(this.#price);
    const approach = isAway ? [pool.moveTo(from, from > this.#price)] : [];
    // In a pool with D on each side, a trade of D * (e^(width / 2) - 1) moves the price by the width.
    const counted = buys ? usd * kept : usd;
    const depth = counted / Math.abs(Math.exp((buys ? 1 : -1) * (OWN_WIDTH / 2)) - 1);
    const liquidity = pool.liquidity(depth, from);
    const range = pool.around(middle, OWN_TICKS);
    this.#price = to;
    return [...approach, pool.fill(liquidity, range), pool.moveTo(to, buys), ...pool.empty(liquidity, range)];
  }
}

/** Gas limit of a transaction that creates pools, which takes more gas than any trade. */
export const OPENING_GAS = 8_000_000;

export function openingOrder(pool: RealPool): Order {
  return { trader: 0, calls: pool.opening(), gas: OPENING_GAS };
}
