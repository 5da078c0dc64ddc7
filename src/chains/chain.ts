import type { Hex } from "../lib/hex.ts";
import { isLogged, isMarked, type PoolFamily } from "../schema/pool-families.ts";
import { NEW_NUMBERING, type RecordNumbering } from "../schema/record-index.ts";
import { EVERYTHING, type StoredScope } from "../schema/scope.ts";

/** Address that pools use for the native coin if they hold it themselves. */
export const NATIVE_COIN: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/** A pool and its tokens, known from published lists. */
export interface ListedPool {
  address: Hex;
  /** All tokens, in the pool's order. 0xeeee… is the native coin, which the pool holds itself. */
  tokens: readonly Hex[];
  /** Tokens that swaps may exchange in place of `tokens`, in the order of the pool's events (Curve). */
  underlying?: readonly Hex[];
  /** The token of the pool's shares, if other pools exchange it. */
  shares?: Hex;
}

/**
 * A DEX on a chain: one factory, and the properties that identify the pools that it creates. Forks of a
 * protocol differ only in these fields.
 */
export interface Deployment {
  /** Protocol identifier, e.g. `uniswap_v2`. */
  protocol: string;
  family: PoolFamily;
  /**
   * The factory. For pools in a singleton, it is the singleton itself (the PoolManager, the Core). For a
   * market maker, it is its only contract. For pools that no factory created, it is the registry that lists
   * them, or the pool itself if there is no registry.
   */
  factory: Hex;
  /** For `uniswap-v4`, the PositionManager: most pools are used through it, and it returns their keys. */
  positionManager?: Hex;
  /**
   * The contract that holds the tokens of all pools, if it is neither the pool nor the factory: Balancer's
   * Vault, which also emits the pools' events, and Fluid's Liquidity layer.
   */
  vault?: Hex;
  /**
   * For `balancer-v3`, all contracts that are or were the Vault's ProtocolFeeController: only their events
   * show when the Vault pays out the fees that it holds for a pool.
   */
  feeControllers?: readonly Hex[];
  /**
   * For `trident`, the factories of stable pools to which the MasterDeployer delegates. Only these pools report
   * their reserves as amounts; others report shares of the BentoBox.
   */
  stableFactories?: readonly Hex[];
  /**
   * Upper bound on the number of contracts that the factory created with CREATE. Their addresses prove that
   * it created them.
   */
  nonces?: number;
  /**
   * Pools of the factory that are known from published lists, because their addresses do not prove that it
   * created them.
   */
  pools?: readonly Hex[];
  /**
   * Like `pools`, but with tokens, for pools whose tokens neither calls nor creation events show reliably
   * (Curve).
   */
  listed?: readonly ListedPool[];
  /** Whether pools may hold the native coin itself if their tokens include the wrapped coin. */
  holdsNative?: boolean;
  /** Address that CREATE2 uses as the creator, if it is not the factory (PancakeSwap V3). */
  deployer?: Hex;
  /**
   * Hash of the pools' creation code. Null if it differs between pools: the factory must then confirm each
   * pool.
   */
  initCodeHash: Hex | null;
  /**
   * Set if a pool's current fee does not determine its address. The address then follows from the tokens and
   * one of these values: tick spacings (Aerodrome Slipstream), fees in another unit (KyberSwap Elastic),
   * initial fees (Retro), or null alone if the tokens suffice (Algebra). No fee is reported for these pools,
   * because fees differ between pools or change.
   */
  keys?: (number | null)[];
  /** Whether `keys` are tick spacings of pools whose creation event also has a fee (Solidly V3). */
  keyIsTickSpacing?: boolean;
  /**
   * Swap fee in millionths, if the pool itself does not report it (V2: 3000); null if it differs between
   * pools.
   */
  fee: number | null;
  /**
   * Block of the factory's creation; 0 if it is not known. Logs of a singleton that are older than the index
   * are searched from this block on.
   */
  firstBlock: number;
}

/**
 * When a block is final: once it is at or below the block of the node's `finalized` tag, or a number of
 * blocks below the head.
 */
export type Finality = { kind: "tag" } | { kind: "depth"; blocks: number };

/** No supported chain takes longer to make a block final, except while finality is interrupted. */
const LONGEST_FINALITY_MS = 3_600_000;

/** Returns the number of blocks after which a block is final. */
export function finalityDepth({ finality, blockTimeMs }: Pick<Chain, "finality" | "blockTimeMs">): number {
  return finality.kind === "depth" ? finality.blocks : Math.ceil(LONGEST_FINALITY_MS / blockTimeMs);
}

/** Decimals of the native coin on every EVM chain: the EVM counts it in wei, and EIP-3085 requires 18. */
export const NATIVE_DECIMALS = 18;

/**
 * Everything that Quarry needs to know about a chain. It is plain data, so a configuration file can add or
 * override a chain.
 */
export interface Chain {
  /** Name in the `chain` parameter and prefix of the SQL tables: lower-case letters and digits. */
  name: string;
  chainId: number;
  /** Symbol of the coin that pays fees. */
  nativeSymbol: string;
  wrappedNative: Hex;
  /**
   * US-dollar stablecoins, best first. They count as cash. So does the wrapped native coin, which ranks after
   * them.
   */
  stableCoins: Hex[];
  /**
   * Deep pools of the native or the wrapped native coin against stablecoins. The reference price comes from
   * them.
   */
  referencePools: Hex[];
  deployments: Deployment[];
  finality: Finality;
  /** Usual time between two blocks. */
  blockTimeMs: number;
  /** Which data of the chain is stored, according to the store, not the configuration; default: all data. */
  scope?: StoredScope;
  /** How rows are numbered, according to the store; default: as in a new index. */
  numbering?: RecordNumbering;
}

export function scopeOf({ scope = EVERYTHING }: Chain): StoredScope {
  return scope;
}

export function numberingOf({ numbering = NEW_NUMBERING }: Chain): RecordNumbering {
  return numbering;
}

/**
 * Returns the contracts whose logs determine the balances of the pools inside them: the PoolManager of
 * Uniswap V4 and the CLPoolManager of PancakeSwap Infinity.
 */
export function singletonsOf({ deployments }: Chain): Hex[] {
  return deployments.filter(({ family }) => isLogged(family)).map(({ factory }) => factory);
}

/** Returns the contracts of `singletonsOf` that blocks name in `logged_singletons`, in ascending order. */
export function markedSingletonsOf({ deployments }: Chain): Hex[] {
  return deployments
    .filter(({ family }) => isMarked(family))
    .map(({ factory }) => factory)
    .sort();
}

/** Returns the Vaults of Balancer V3, whose fee controllers may change. */
export function balancerV3Vaults({ deployments }: Chain): Hex[] {
  const vaults = deployments.flatMap(({ family, vault }) =>
    family === "balancer-v3" && vault ? [vault] : [],
  );
  return [...new Set(vaults)];
}

/**
 * Returns whether a pool holds, or may hold, the native coin itself in place of the wrapped coin. Transfers
 * do not show which of the two it holds.
 */
export function mayHoldNative({ deployments }: Chain, pool: Hex, factory: Hex): boolean {
  const deployment = deployments.find((one) => one.factory === factory);
  const listed = deployment?.listed?.find(({ address }) => address === pool);
  return listed?.tokens.includes(NATIVE_COIN) ?? deployment?.holdsNative ?? false;
}

export type CashKind = "stable" | "native";

/**
 * Returns the coins that count as cash on a chain, best first: its stablecoins, then its wrapped native coin.
 */
export function cashOf({ stableCoins, wrappedNative }: Chain): Map<Hex, CashKind> {
  return new Map([
    ...stableCoins.map((token): [Hex, CashKind] => [token, "stable"]),
    [wrappedNative, "native"],
  ]);
}
