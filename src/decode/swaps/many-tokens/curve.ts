import type { Chain, Deployment } from "../../../chains/chain.ts";
import { type Hex, ZERO_ADDRESS } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { ContractCall } from "../../../schema/contract-call.ts";
import type { PoolFamily } from "../../../schema/pool-families.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressesIn, addressOf, addressWord, smallUintOf, uintAt, wordAt } from "../../abi/abi.ts";
import { onlyToken } from "../../families/only-token.ts";
import type {
  AnnouncedPool,
  CallResults,
  CreationEvent,
  Evidence,
  PoolEvent,
  SwapFamily,
} from "../../families/swap-family.ts";
import { exchangeOf } from "../../families/swap-of.ts";
import { factoryPools, type PoolTerms } from "../../proofs/factory-pools.ts";

/** get_coins(address) of a factory */
const COINS: Hex = "0x9ac90d3d";
/**
 * get_underlying_coins(address) of a factory of stable pools. It reverts for a pool that is not a metapool.
 */
const UNDERLYING: Hex = "0xa77576ef";
/** get_implementation_address(address) of a factory of stable pools */
const IMPLEMENTATION: Hex = "0x510d98a4";
/** Maximum number of coins (MAX_COINS in CurveStableSwapFactoryNG.vy). */
const COIN_LIMIT = 8;

/**
 * Curve's pools of tokens that trade at about the same price. The events have token indexes, which refer to
 * the pool's tokens in `TokenExchange` and to its underlying tokens in `TokenExchangeUnderlying`. Old and new
 * factories create pools by CREATE, and emit no event that names the pool.
 */
export const curveStable: SwapFamily = curve({
  family: "curve-stable",
  events: [
    // TokenExchange(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id,
    //   uint256 tokens_bought)
    exchange("0x8b3e96f2b889fa771c53c981b40daf005f63f637f1869f707052d15a3dd97140", 4, readSwap),
    // TokenExchangeUnderlying, with the same arguments
    exchange("0xd013ca23e77a65003c2c659c5442c00c805371b7fc1ebd4c206c41d1536bd90b", 4, readUnderlyingSwap),
  ],
  creations: [],
  views: [COINS, UNDERLYING],
  confirmation: IMPLEMENTATION,
});

/** Curve's pools of two or three tokens whose prices differ. */
export const curveCrypto: SwapFamily = curve({
  family: "curve-crypto",
  events: [
    // TokenExchange(address indexed buyer, uint256 sold_id, uint256 tokens_sold, uint256 bought_id,
    //   uint256 tokens_bought)
    exchange("0xb2e76ae99761dc136e598d4a629bb347eccb9532a5f8bbd72e18467c3c34cc98", 4, readSwap),
    // Since 2023: the same arguments, then uint256 fee and uint256 packed_price_scale
    exchange("0x143f1f8e861fbdeddd5b46e844b7d3ac7b86a122f36e8c463859ee6811b1f29c", 6, readSwap),
  ],
  creations: [
    // TwocryptoPoolDeployed(address pool, string name, string symbol, address[2] coins, address math,
    //   bytes32 salt, uint256[2] precisions, uint256 packed_A_gamma, uint256 packed_fee_params,
    //   uint256 packed_rebalancing_params, uint256 packed_prices, address deployer)
    ...deployed({
      topic: "0x8152a3037e3dc54154ad0d2cadb1cf7e1d1b9e2b625faa3dfb4fe03d609102ca",
      words: 14,
      coinsAt: 3,
      coins: 2,
    }),
    // TricryptoPoolDeployed(address pool, string name, string symbol, address weth, address[3] coins,
    //   address math, bytes32 salt, uint256 packed_precisions, uint256 packed_A_gamma,
    //   uint256 packed_fee_params, uint256 packed_rebalancing_params, uint256 packed_prices,
    //   address deployer)
    ...deployed({
      topic: "0xa307f5d0802489baddec443058a63ce115756de9020e2b07d3e2cd2f21269e2a",
      words: 15,
      coinsAt: 4,
      coins: 3,
    }),
  ],
  views: [COINS],
  confirmation: COINS,
});

/** Differences between the families. */
interface CurveRules extends Pick<SwapFamily, "events" | "creations"> {
  family: PoolFamily;
  /** Selectors of the factory's views that return a pool's tokens and its underlying tokens. */
  views: readonly Hex[];
  /** Selector of the factory's view that returns zero for contracts that are not its pools. */
  confirmation: Hex;
}

function curve({ family, events, creations, views, confirmation }: CurveRules): SwapFamily {
  const view = (selector: Hex, pool: Hex, to: Hex): ContractCall => ({
    to,
    data: `${selector}${addressWord(pool)}`,
  });
  return {
    family,
    events,
    creations,
    proof: factoryPools({
      family,
      termsCalls: (pool, deployments) =>
        deployments.flatMap(({ factory }) => views.map((selector) => view(selector, pool, factory))),
      readTerms: (results, _, deployment, { chain, asked }) =>
        readTerms(results.slice(views.length * asked.indexOf(deployment)), views.length, chain),
      termsOf: usedTerms,
      confirmation: (pool, factory) => view(confirmation, pool, factory),
    }),
  };
}

function exchange(topic: Hex, words: number, read: PoolEvent["read"]): PoolEvent {
  return { topic, topics: 2, words, read };
}

/** Token indexes and amounts of an event. Amounts are in base units. */
interface Indexed {
  sold: number;
  amountIn: bigint;
  bought: number;
  amountOut: bigint;
}

/** Returns null if an index is larger than in any pool. */
function indexedIn({ data }: Log): Indexed | null {
  const sold = smallUintOf(wordAt(data, 0));
  const bought = smallUintOf(wordAt(data, 2));
  if (sold === null || bought === null || sold >= COIN_LIMIT || bought >= COIN_LIMIT) return null;
  return { sold, amountIn: uintAt(data, 1), bought, amountOut: uintAt(data, 3) };
}

function readSwap(log: Log, pool: Pool, evidence: Evidence): Swap | null {
  const found = indexedIn(log);
  if (found === null) return null;
  const { sold, amountIn, bought, amountOut } = found;
  const tokenIn = pool.tokens[sold] ?? movedInto(pool.address, amountIn, evidence);
  const tokenOut = pool.tokens[bought] ?? movedOutOf(pool.address, amountOut, evidence);
  if (tokenIn === null || tokenOut === null || tokenIn === tokenOut) return null;
  return exchangeOf(log, pool, { tokenIn, amountIn, tokenOut, amountOut });
}

/**
 * Returns null for a swap between two tokens of a metapool's base pool. The metapool only forwards this swap,
 * and the base pool also emits an event.
 *
 * Some metapools exchange the token that they receive for shares of the base pool, and report the amount of
 * shares (`dx` in MetaStandard.vy of curvefi/curve-factory). Therefore the amount in is the amount of the
 * token's last transfer to the metapool.
 */
function readUnderlyingSwap(log: Log, pool: Pool, { transfers }: Evidence): Swap | null {
  const found = indexedIn(log);
  if (found === null) return null;
  const { sold, bought, amountOut } = found;
  const tokenIn = pool.underlying[sold] ?? null;
  const tokenOut = pool.underlying[bought] ?? null;
  if (tokenIn === null || tokenOut === null || tokenIn === tokenOut) return null;
  const isMeta = pool.underlying.length > pool.tokens.length;
  if (!isMeta || sold === 0) return exchangeOf(log, pool, { tokenIn, tokenOut, ...found });
  if (bought > 0) return null;
  const paid = transfers.findLast(
    ({ logIndex, token, to }) => logIndex < log.logIndex && token === tokenIn && to === pool.address,
  );
  return paid === undefined
    ? null
    : exchangeOf(log, pool, { tokenIn, amountIn: paid.value, tokenOut, amountOut });
}

function movedInto(pool: Hex, amount: bigint, { transfers }: Evidence): Hex | null {
  return onlyToken(transfers, ({ to, value }) => to === pool && value === amount);
}

function movedOutOf(pool: Hex, amount: bigint, { transfers }: Evidence): Hex | null {
  return onlyToken(transfers, ({ from, value }) => from === pool && value === amount);
}

/** Returns the two tokens that an exchange of the pool's own tokens moved. The pool may have other tokens. */
function usedTerms(pool: Hex, log: Log, evidence: Evidence): PoolTerms | null {
  const found = isUnderlying(log) ? null : indexedIn(log);
  if (found === null || found.sold === found.bought) return null;
  const { sold, amountIn, bought, amountOut } = found;
  const tokenIn = movedInto(pool, amountIn, evidence);
  const tokenOut = movedOutOf(pool, amountOut, evidence);
  if (tokenIn === null || tokenOut === null || tokenIn === tokenOut) return null;
  const tokens: (Hex | null)[] = Array.from({ length: Math.max(sold, bought) + 2 }, () => null);
  tokens[sold] = tokenIn;
  tokens[bought] = tokenOut;
  const [token0, token1] = sold < bought ? [tokenIn, tokenOut] : [tokenOut, tokenIn];
  return { token0, token1, tokens, fee: null };
}

function isUnderlying({ topics }: Log): boolean {
  return topics[0] === curveStable.events[1]?.topic;
}

/** Reads the results of a factory's views. The first result has the pool's tokens. */
function readTerms(results: CallResults, views: number, chain: Chain): PoolTerms | null {
  const [tokens, listed] = results.slice(0, views).map((result) => coinsIn(result ?? "0x"));
  const [token0, token1] = tokens ?? [];
  if (tokens === undefined || token0 === undefined || token1 === undefined) return null;
  const underlying = underlyingOf(tokens, listed ?? [], chain);
  return { token0, token1, tokens, underlying, fee: null };
}

/**
 * Returns the coin of a metapool and the tokens of its base pool. If the base pool is a lending pool, the
 * factory returns wrapped tokens, but the metapool exchanges the underlying tokens. Therefore the chain's
 * list of base pools takes precedence.
 */
function underlyingOf([coin, ...others]: readonly Hex[], listed: readonly Hex[], chain: Chain): Hex[] {
  if (coin === undefined || listed.length === 0) return [];
  const base = chain.deployments
    .flatMap((deployment: Deployment) => deployment.listed ?? [])
    .find(({ shares }) => shares !== undefined && shares === others[0]);
  return base === undefined ? [...listed] : [coin, ...(base.underlying ?? base.tokens)];
}

/** Reads the addresses of an `address[]`, or of an array of fixed length whose unused elements are zero. */
function coinsIn(result: Hex): Hex[] {
  const list = addressesIn(result, COIN_LIMIT);
  if (list !== null) return list;
  const words = Array.from({ length: COIN_LIMIT }, (_, i) => addressOf(wordAt(result, i)));
  const end = words.findIndex((coin) => coin === null || coin === ZERO_ADDRESS);
  return words.slice(0, end < 0 ? COIN_LIMIT : end).flatMap((coin) => coin ?? []);
}

/** Layout of an event that announces a pool, in words. */
interface DeployedWords {
  topic: Hex;
  /** Number of words without the name and the symbol. */
  words: number;
  coinsAt: number;
  coins: number;
}

/**
 * Returns one creation event for each possible length. The name has up to 64 bytes and the symbol up to 32,
 * and each follows a word with its length.
 */
function deployed({ topic, words, coinsAt, coins }: DeployedWords): CreationEvent[] {
  return [2, 3, 4, 5].map((more) => ({
    topic,
    topics: 1,
    words: words + more,
    read: ({ data }) => announced(data, coinsAt, coins),
  }));
}

function announced(data: Hex, coinsAt: number, coins: number): AnnouncedPool | null {
  const address = addressOf(wordAt(data, 0));
  const tokens = Array.from({ length: coins }, (_, i) => addressOf(wordAt(data, coinsAt + i)));
  const [token0, token1] = tokens;
  if (!address || !token0 || !token1 || tokens.includes(null)) return null;
  return { address, token0, token1, tokens, fee: null };
}
