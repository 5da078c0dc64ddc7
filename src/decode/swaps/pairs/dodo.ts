import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressesIn, addressOf, uintAt, wordAt } from "../../abi/abi.ts";
import { onlyToken } from "../../families/only-token.ts";
import type { AnnouncedPool, CreationEvent, Evidence, SwapFamily } from "../../families/swap-family.ts";
import { exchangeOf, swapOf } from "../../families/swap-of.ts";
import { registryPools } from "../../proofs/registry-pools.ts";

/** Selectors of _BASE_TOKEN_() and _QUOTE_TOKEN_() of a pool. */
const TOKENS = ["0x4a248d2a", "0xd4b97046"] as const;
/** getDODO(address,address) of DODOZoo */
const FIND_POOL: Hex = "0x1273b0c6";
/** getDODOPool(address,address) of the factories of V2 */
const FIND_POOLS: Hex = "0x57a281dc";
/**
 * Maximum length of a registry's list of a pair's pools. The list includes private pools, which anyone can
 * create.
 */
const POOL_LIMIT = 1000;
/** SellBaseToken(address indexed seller, uint256 payBase, uint256 receiveQuote) */
const SELL_BASE: Hex = "0xd8648b6ac54162763c86fd54bf2005af8ecd2f9cb273a5775921fd7f91e17b2d";
/** BuyBaseToken(address indexed buyer, uint256 receiveBase, uint256 payQuote) */
const BUY_BASE: Hex = "0xe93ad76094f247c0dafc1c61adc2187de1ac2738f7a3b49cb20b2263420251a3";

/** DODO V1: pools that DODOZoo lists by base and quote token, in this order. */
export const dodoV1: SwapFamily = {
  family: "dodo-v1",
  events: [SELL_BASE, BUY_BASE].map((topic) => ({
    topic,
    topics: 2,
    words: 2,
    read: (log, pool) => swapOf(log, pool, ...baseAndQuote(log)),
  })),
  creations: [
    {
      // DODOBirth(address newBorn, address baseToken, address quoteToken)
      topic: "0x5c428a2e12ecaa744a080b25b4cda8b86359c82d726575d7d747e07708071f93",
      topics: 1,
      words: 3,
      read: ({ data }) => announced(data, { pool: 0, base: 1 }),
    },
  ],
  proof: registryPools({
    family: "dodo-v1",
    tokens: TOKENS,
    registry: FIND_POOL,
    lists: (result, address) => addressOf(wordAt(result, 0)) === address,
    tokensOf: movedTokens,
  }),
};

/** DODO V2: vending machines, private pools and stable pools. The event names both tokens. */
export const dodoV2: SwapFamily = {
  family: "dodo-v2",
  events: [
    {
      // DODOSwap(address fromToken, address toToken, uint256 fromAmount, uint256 toAmount, address trader,
      //   address receiver)
      topic: "0xc2c0245e056d5fb095f04cd6373bc770802ebd1e6c918eb78fdef843cdb37b0f",
      topics: 1,
      words: 6,
      read: readSwap,
    },
  ],
  // NewDVM, NewDPP, NewDSP and NewGSP (address baseToken, address quoteToken, address creator, address pool)
  creations: [
    created("0xaf5c5f12a80fc937520df6fcaed66262a4cc775e0f3fceaf7a7cfe476d9a751d"),
    created("0x8494fe594cd5087021d4b11758a2bbc7be28a430e94f2b268d668e5991ed3b8a"),
    created("0xbc1083a2c1c5ef31e13fb436953d22b47880cf7db279c2c5666b16083afd6b9d"),
    created("0x9f20c9f8d79582ed814449029f45414a72f448edaa021dc66ebaa8855dbebf44"),
  ],
  proof: registryPools({
    family: "dodo-v2",
    tokens: TOKENS,
    registry: FIND_POOLS,
    lists: (result, address) => addressesIn(result, POOL_LIMIT)?.includes(address) ?? false,
    tokensOf(_, { data }) {
      const from = addressOf(wordAt(data, 0));
      const to = addressOf(wordAt(data, 1));
      return from && to && [from, to];
    },
  }),
};

/** Returns the amounts of the base and the quote token. Positive amounts entered the pool. */
function baseAndQuote({ topics, data }: Log): [bigint, bigint] {
  const base = uintAt(data, 0);
  const quote = uintAt(data, 1);
  return topics[0] === SELL_BASE ? [base, -quote] : [-base, quote];
}

/** Returns the tokens whose transfers match the event's amounts, if exactly one token matches each amount. */
function movedTokens(pool: Hex, log: Log, { transfers }: Evidence): [Hex, Hex] | null {
  const [base, quote] = baseAndQuote(log).map((amount) =>
    onlyToken(transfers, ({ from, to, value }) =>
      amount > 0n ? to === pool && value === amount : from === pool && value === -amount,
    ),
  );
  return base && quote && base !== quote ? [base, quote] : null;
}

function readSwap(log: Log, pool: Pool): Swap | null {
  const tokenIn = addressOf(wordAt(log.data, 0));
  const tokenOut = addressOf(wordAt(log.data, 1));
  if (tokenIn === null || tokenOut === null) return null;
  const amounts = { amountIn: uintAt(log.data, 2), amountOut: uintAt(log.data, 3) };
  return exchangeOf(log, pool, { tokenIn, tokenOut, ...amounts });
}

function created(topic: Hex): CreationEvent {
  return { topic, topics: 1, words: 4, read: ({ data }) => announced(data, { pool: 3, base: 0 }) };
}

/**
 * Returns the pool that a creation event announces. `words` has the word indexes of its address and of the
 * base token, which the quote token follows.
 */
function announced(data: Hex, words: { pool: number; base: number }): AnnouncedPool | null {
  const address = addressOf(wordAt(data, words.pool));
  const token0 = addressOf(wordAt(data, words.base));
  const token1 = addressOf(wordAt(data, words.base + 1));
  return address && token0 && token1 && { address, token0, token1, fee: null };
}
