import { type Chain, numberingOf } from "../../chains/chain.ts";
import { partsOf } from "../../lib/collections/parts.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Engine } from "../../storage/store.ts";
import { type Holding, readStoredBalances, tokenOf, walletOf } from "../../storage/stored-balances.ts";
import type { BlockScopedCache, BlockTime } from "./block-scoped-cache.ts";
import { BlockScopedMap } from "./block-scoped-map.ts";

/** Maximum number of holdings in one query, whose text must stay far below the engine's limit. */
const QUERY_SIZE = 4_000;
const AMOUNT_BITS = 256;
const MAX_AMOUNT = 2n ** 256n - 1n;

/** A balance after a block that changed it. */
export interface ChangedBalance {
  holding: Holding;
  /** Base units; null where transfers do not determine it. */
  balance: bigint | null;
}

/**
 * Balances by wallet and token: a cache over `token_balances`. The stored balances of the holdings that a
 * block changes must be loaded before the block is applied. A balance is null if transfers do not determine
 * it.
 */
export class BalanceCache implements BlockScopedCache {
  readonly #limit: number;
  readonly #balances = new BlockScopedMap<bigint | null>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#balances.size;
  }

  get isFull(): boolean {
    return this.size > this.#limit;
  }

  /** Returns the holdings that are not in the cache, without duplicates. */
  missing(holdings: Iterable<Holding>): Holding[] {
    return [...new Set(holdings)].filter((holding) => !this.#balances.has(holding));
  }

  /** Adds the stored balances of some holdings, as of `lastBlock`. */
  async load(engine: Engine, chain: Chain, holdings: readonly Holding[], lastBlock: number): Promise<void> {
    const query = { chain: chain.name, numbering: numberingOf(chain), last: lastBlock };
    for (const part of partsOf(holdings, QUERY_SIZE)) {
      const balances = await readStoredBalances(engine, part, query);
      this.addAll(balances);
    }
  }

  /** Adds balances, in base units. */
  addAll(balances: ReadonlyMap<Holding, bigint | null>): void {
    for (const [holding, balance] of balances) this.#balances.set(holding, balance);
  }

  /**
   * Applies the changes of the next block. Returns the balances after the block, without those whose changes
   * cancel out.
   *
   * @param isWhole returns true if all transfers that ever changed the holding are indexed
   */
  apply(
    changes: ReadonlyMap<Holding, bigint>,
    isWhole: (wallet: Hex, token: Hex) => boolean,
  ): ChangedBalance[] {
    const changed: ChangedBalance[] = [];
    for (const [holding, change] of changes) {
      if (BigInt.asUintN(AMOUNT_BITS, change) === 0n) continue;
      const cached = this.#balances.get(holding);
      const before = cached === undefined && isWhole(walletOf(holding), tokenOf(holding)) ? 0n : cached;
      const balance = applyChange(before ?? null, change);
      this.#balances.set(holding, balance);
      changed.push({ holding, balance });
    }
    return changed;
  }

  advanceTo(lastBlock: number): void {
    this.#balances.advanceTo(lastBlock);
  }

  rollbackTo({ number }: Pick<BlockTime, "number">): void {
    this.#balances.rollbackTo(number);
  }

  clear(): void {
    this.#balances.clear();
  }
}

/**
 * Returns the balance after a change; null if it is unknown. If the result is negative or needs more than 256
 * bits, transfers do not account for the whole balance, so it is unknown.
 */
function applyChange(before: bigint | null, change: bigint): bigint | null {
  if (before === null) return null;
  const after = before + change;
  return after < 0n || after > MAX_AMOUNT ? null : after;
}
