import type { Deployment } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import { VAULT_EVENTS } from "../../../schema/events/vault-events.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressesIn, addressOf, addressWord } from "../../abi/abi.ts";
import type { AnnouncedPool, CallResults, SwapFamily } from "../../families/swap-family.ts";
import { namedExchange, namedTokens } from "../../families/swap-of.ts";
import { factoryPools, type PoolTerms } from "../../proofs/factory-pools.ts";

/** TokensRegistered(bytes32 indexed poolId, address[] tokens, address[] assetManagers) of the Vault */
const TOKENS_REGISTERED: Hex = "0xf5847d3f2197b16cdcd2098ec95d0905cd1abdaf415f07bb7cef2bba8ac5dec4";
/** getPoolId() of a pool */
const POOL_ID: Hex = "0x38fff2d0";
/** getPoolTokens(bytes32) of the Vault */
const POOL_TOKENS: Hex = "0xf94d4668";
/** isPoolFromFactory(address) of a pool factory */
const IS_POOL: Hex = "0x6634b753";
/**
 * Maximum number of tokens. A managed pool has up to 50, more than other pools, and its own shares
 * (ManagedPool.sol).
 */
const TOKEN_LIMIT = 51;

/**
 * Balancer V2. The Vault holds the tokens of all pools and emits their swaps. Anyone can register a pool, so
 * a pool is genuine only if a listed factory created it. Older factories create pools by CREATE. Factories
 * since 2023 create pools by CREATE2 with a salt that depends on the creator's choice, and must confirm their
 * pools.
 */
export const balancerV2: SwapFamily = {
  family: "balancer-v2",
  events: [
    {
      topic: VAULT_EVENTS.swap,
      topics: 4,
      words: 2,
      read: readSwap,
    },
  ],
  creations: [
    {
      // PoolCreated(address indexed pool)
      topic: "0x83a48fbcfc991335314e74d0496aab6a1987e992ddc85dddbcc4d6dd6ef2e9fc",
      topics: 2,
      words: 0,
      read: readCreation,
    },
  ],
  poolIdOf: ({ topics }) => poolAddressOf(topics[1]),
  proof: factoryPools({
    family: "balancer-v2",
    termsCalls: (to) => [{ to, data: POOL_ID }],
    readTerms,
    termsOf: (address, log) => termsOf(address, namedTokens(log) ?? []),
    confirmation: (address, to) => ({ to, data: `${IS_POOL}${addressWord(address)}` }),
  }),
};

/**
 * Returns null for a swap of the pool's own shares. In a composable pool, buying shares is a join and selling
 * them is an exit.
 */
function readSwap(log: Log, pool: Pool): Swap | null {
  const isOfShares = namedTokens(log)?.includes(pool.address) ?? false;
  return isOfShares ? null : namedExchange(log, pool);
}

/**
 * Reads the tokens from the event of the Vault. A pool registers its tokens when it is created, before the
 * factory's event.
 */
function readCreation(log: Log, logs: readonly Log[], { vault }: Deployment): AnnouncedPool | null {
  const address = addressOf(log.topics[1]);
  const registered = logs.find(
    (one) =>
      one.address === vault &&
      one.topics[0] === TOKENS_REGISTERED &&
      poolAddressOf(one.topics[1]) === address,
  );
  if (address === null || registered === undefined) return null;
  const terms = termsOf(address, addressesIn(registered.data, TOKEN_LIMIT) ?? []);
  return terms && { address, ...terms };
}

function readTerms([id]: CallResults, address: Hex, { vault }: Deployment) {
  if (!id || vault === undefined || poolAddressOf(id) !== address) return null;
  return {
    call: { to: vault, data: `${POOL_TOKENS}${id.slice(2, 2 + 64)}` as const },
    read: (result: Hex) => termsOf(address, addressesIn(result, TOKEN_LIMIT) ?? []),
  };
}

/** Returns the address of a pool, which is the beginning of its id. */
function poolAddressOf(id: Hex | undefined): Hex | null {
  return id === undefined || id.length < 66 ? null : `0x${id.slice(2, 42)}`;
}

/** Returns the terms without the pool's own shares, which composable pools list among their tokens. */
function termsOf(address: Hex, listed: readonly Hex[]): PoolTerms | null {
  const tokens = listed.filter((token) => token !== address);
  const [token0, token1] = tokens;
  return token0 === undefined || token1 === undefined ? null : { token0, token1, tokens, fee: null };
}
