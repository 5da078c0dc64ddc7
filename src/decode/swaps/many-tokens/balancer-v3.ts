import type { Deployment } from "../../../chains/chain.ts";
import { type Hex, ZERO_ADDRESS } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import { changingHookFlags, mayChangeAmounts } from "../../../schema/hooks.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressesIn, addressOf, addressWord, isWords, smallUintOf, uintAt, wordAt } from "../../abi/abi.ts";
import { bufferOf } from "../../families/buffers.ts";
import type { AnnouncedPool, SwapEvidence, SwapFamily } from "../../families/swap-family.ts";
import { exchangeOf, namedTokens } from "../../families/swap-of.ts";
import { withExchanged } from "../../hooks/swapper-amounts.ts";
import { factoryPools, type PoolTerms } from "../../proofs/factory-pools.ts";

/**
 * Swap(address indexed pool, address indexed tokenIn, address indexed tokenOut, uint256 amountIn,
 *   uint256 amountOut, uint256 swapFeePercentage, uint256 swapFeeAmount)
 */
const SWAP: Hex = "0x0874b2d545cb271cdbda4e093020c452328b24af12382ed62c4d00f5c26709db";
/** PoolRegistered(address indexed pool, address indexed factory, TokenConfig[] tokenConfig, …) of the Vault */
const POOL_REGISTERED: Hex = "0xbc1561eeab9f40962e2fb827a7ff9c7cdb47a9d7c84caeefa4ed90e043842dad";
/** Number of words in a TokenConfig: token, token type, rate provider, and `paysYieldFees`. */
const TOKEN_CONFIG_WORDS = 4;
/** getPoolTokens(address) of the Vault */
const POOL_TOKENS: Hex = "0xca4f2803";
/** getHooksConfig(address) of the Vault */
const HOOKS_CONFIG: Hex = "0xce8630d4";
/** Word index of the HooksConfig in PoolRegistered. */
const REGISTERED_HOOKS = 6;
/**
 * Word indexes in a HooksConfig: enableHookAdjustedAmounts, shouldCallAfterSwap and hooksContract
 * (VaultTypes.sol).
 */
const [ADJUSTS_AMOUNTS, CALLS_AFTER_SWAP, HOOKS_CONTRACT] = [0, 5, 10] as const;
/** isPoolFromFactory(address) of a pool factory */
const IS_POOL: Hex = "0x6634b753";
/** getERC4626BufferAsset(address) of the Vault */
const BUFFER_ASSET: Hex = "0x4afbaf5a";
/** Maximum number of tokens (MAX_TOKENS in VaultTypes.sol). */
const TOKEN_LIMIT = 8;

/** Number of words in the data of a Wrap or Unwrap: two amounts and the balances of the buffer. */
const CONVERSION_WORDS = 3;

/**
 * A buffer's conversion between a wrapped token and its underlying token. `shares` and `underlying` are word
 * indexes in the event.
 */
interface Conversion {
  topic: Hex;
  shares: number;
  underlying: number;
}

/** Wrap(address indexed wrappedToken, uint256 depositedUnderlying, uint256 mintedShares, bytes32 balances) */
const WRAP: Conversion = {
  topic: "0x3771d13c67011e31e12031c54bb59b0bf544a80b81d280a3711e172aa8b7f47b",
  shares: 1,
  underlying: 0,
};
/** Unwrap(address indexed wrappedToken, uint256 burnedShares, uint256 withdrawnUnderlying, bytes32 balances) */
const UNWRAP: Conversion = {
  topic: "0xeeb740c90bf2b18c9532eb7d473137767036d893dff3e009f32718f821b2a4c0",
  shares: 0,
  underlying: 1,
};

/** A token that entered or left a pool, and its amount in base units. */
interface Side {
  token: Hex;
  amount: bigint;
}

/**
 * Balancer V3. The Vault holds the tokens of all pools and emits their swaps. Factories create pools by
 * CREATE2 with a salt that depends on the creator's choice, and must announce or confirm their pools.
 *
 * Traders mostly use pools of wrapped ERC-4626 tokens through buffers: the same transaction wraps the token
 * that enters, or unwraps the token that leaves. The decoder reports such swaps in the underlying tokens that
 * the Vault names, and otherwise in the pool's own tokens. Transfers do not show the underlying token: anyone
 * can emit a transfer to the Vault, and the real transfer may have a larger amount or belong to an earlier
 * transaction.
 *
 * The Vault emits a swap before it calls the pool's hook. If the pool was registered with hook-adjusted
 * amounts (a setting that never changes), the hook may then change the amount that the trader did not
 * specify. `hooks` is the zero address for all other hooks, and null if the Vault did not return the
 * configuration.
 */
export const balancerV3: SwapFamily = {
  family: "balancer-v3",
  events: [{ topic: SWAP, topics: 4, words: 4, read: readSwap }],
  creations: [
    {
      // PoolCreated(address indexed pool)
      topic: "0x83a48fbcfc991335314e74d0496aab6a1987e992ddc85dddbcc4d6dd6ef2e9fc",
      topics: 2,
      words: 0,
      read: readCreation,
    },
  ],
  poolIdOf: ({ topics }) => addressOf(topics[1]),
  proof: factoryPools({
    family: "balancer-v3",
    termsCalls: (address, deployments) =>
      deployments.slice(0, 1).flatMap(({ vault, factory }) =>
        [POOL_TOKENS, HOOKS_CONFIG].map((view) => ({
          to: vault ?? factory,
          data: `${view}${addressWord(address)}` as const,
        })),
      ),
    readTerms: ([tokens, hooks]) =>
      termsOf(addressesIn(tokens ?? "0x", TOKEN_LIMIT) ?? [], hooksIn(hooks ?? "0x", 0)),
    termsOf: (_, log) => termsOf(namedTokens(log) ?? []),
    confirmation: (address, to) => ({ to, data: `${IS_POOL}${addressWord(address)}` }),
  }),
  buffers: {
    wrappedIn: (log) =>
      isConversion(log, WRAP) || isConversion(log, UNWRAP) ? addressOf(log.topics[1]) : null,
    assetCall: (wrapped, to) => ({ to, data: `${BUFFER_ASSET}${addressWord(wrapped)}` }),
  },
};

function readSwap(log: Log, pool: Pool, evidence: SwapEvidence): Swap | null {
  const tokens = namedTokens(log);
  if (tokens === null) return null;
  const [tokenIn, tokenOut] = tokens;
  const entered = { token: tokenIn, amount: uintAt(log.data, 0) };
  const left = { token: tokenOut, amount: uintAt(log.data, 1) };
  const { hooks } = pool;
  if (hooks !== null && mayChangeAmounts(pool)) {
    const place = { ...evidence, manager: log.address, hooks, isSwap };
    return withExchanged(swapBetween(log, pool, entered, left), place, () => 0n);
  }
  const paid = underlyingOf(entered, WRAP, log.address, evidence) ?? entered;
  const received = underlyingOf(left, UNWRAP, log.address, evidence) ?? left;
  // Two wrapped tokens may have the same underlying token. Their swap exchanges shares.
  if (paid.token === received.token) return swapBetween(log, pool, entered, left);
  return swapBetween(log, pool, paid, received);
}

function swapBetween(log: Log, pool: Pool, paid: Side, received: Side): Swap {
  return exchangeOf(log, pool, {
    tokenIn: paid.token,
    amountIn: paid.amount,
    tokenOut: received.token,
    amountOut: received.amount,
  });
}

function isSwap({ topics }: Log): boolean {
  return topics[0] === SWAP;
}

/**
 * Returns the underlying token and amount that a buffer converted to or from one side of a swap. Returns null
 * unless the transaction has exactly one conversion of these shares, and the Vault named the buffer's token.
 */
function underlyingOf(
  side: Side,
  conversion: Conversion,
  vault: Hex,
  { transaction, buffers }: Pick<SwapEvidence, "transaction" | "buffers">,
): Side | null {
  const wrapped: Hex = `0x${addressWord(side.token)}`;
  const found = transaction.logs.filter(
    (log) =>
      log.address === vault &&
      isConversion(log, conversion) &&
      log.topics[1] === wrapped &&
      uintAt(log.data, conversion.shares) === side.amount,
  );
  const [log] = found;
  const token = buffers.get(bufferOf(vault, side.token)) ?? null;
  if (log === undefined || found.length > 1 || token === null) return null;
  return { token, amount: uintAt(log.data, conversion.underlying) };
}

function isConversion({ topics, data }: Log, { topic }: Conversion): boolean {
  return topics[0] === topic && isWords(data, CONVERSION_WORDS);
}

/** Reads the tokens from the Vault's event, which also names the pool's factory. */
function readCreation(log: Log, logs: readonly Log[], deployment: Deployment): AnnouncedPool | null {
  const address = addressOf(log.topics[1]);
  const registered = logs.find(
    ({ address: emitter, topics }) =>
      emitter === deployment.vault &&
      topics[0] === POOL_REGISTERED &&
      addressOf(topics[1]) === address &&
      addressOf(topics[2]) === deployment.factory,
  );
  if (address === null || registered === undefined) return null;
  const terms = termsOf(registeredTokens(registered.data), hooksIn(registered.data, REGISTERED_HOOKS));
  return terms && { address, ...terms };
}

function registeredTokens(data: Hex): Hex[] {
  const offset = smallUintOf(wordAt(data, 0));
  const start = offset === null ? 0 : offset / 32;
  const length = smallUintOf(wordAt(data, start));
  if (!Number.isInteger(start) || length === null || length > TOKEN_LIMIT) return [];
  const tokens = Array.from({ length }, (_, i) =>
    addressOf(wordAt(data, start + 1 + i * TOKEN_CONFIG_WORDS)),
  );
  return tokens.every((token) => token !== null) ? tokens : [];
}

/**
 * Reads the hook from a HooksConfig that begins at a word of the data: the zero address unless the hook may
 * change the amounts of swaps. Returns null if the data does not have the configuration.
 */
function hooksIn(data: Hex, start: number): Hex | null {
  const contract = addressOf(wordAt(data, start + HOOKS_CONTRACT));
  if (contract === null) return null;
  const isSet = (index: number) => uintAt(data, start + index) !== 0n;
  return isSet(ADJUSTS_AMOUNTS) && isSet(CALLS_AFTER_SWAP) ? contract : ZERO_ADDRESS;
}

function termsOf(tokens: readonly Hex[], hooks: Hex | null = null): PoolTerms | null {
  const [token0, token1] = tokens;
  if (token0 === undefined || token1 === undefined) return null;
  const hook = hooks === null ? {} : { hooks, hookFlags: changingHookFlags(hooks) };
  return { token0, token1, tokens, fee: null, ...hook };
}
