import type { Hex } from "../../lib/hex.ts";
import { isSync, isTridentSync } from "../../schema/events/sync-event.ts";
import { FEE_CONTROLLER_CHANGED, vaultPoolOf } from "../../schema/events/vault-events.ts";
import type { RowOf, Rows } from "../../schema/tables.ts";
import { KeyedCache } from "../cache/keyed-cache.ts";
import type { Fold } from "../fold.ts";
import {
  type PoolState,
  withBalance,
  withLogOfVault,
  withReserves,
  withSingletonLog,
  withTrade,
} from "./pool-state.ts";

/** Memory of a pool's state, without its tokens and its liquidity. */
const STATE_BYTES = 700;
/** Memory of a token's address and balance. */
const TOKEN_BYTES = 150;

/** The newest states of pools, by address, or by id in a singleton. */
export class Pools implements Fold {
  readonly cache: KeyedCache<PoolState>;
  readonly #vaults: readonly Hex[];
  /** `logged_singletons` of the newest block; null before the first block. */
  #loggedSingletons: string | null = null;

  /** @param vaults the Vaults of Balancer V3 */
  constructor(maxBytes: number, vaults: readonly Hex[]) {
    this.cache = new KeyedCache(maxBytes, bytesOf);
    this.#vaults = vaults;
  }

  extend(rows: Rows): void {
    for (const row of rows.blocks ?? []) this.#noteSingletons(row);
    if (!this.cache.isActive) return;
    // A pool may be older than its metadata row, and only the store has its earlier balances.
    for (const row of rows.pool_metadata ?? []) this.cache.drop(row.pool_address);
    for (const row of rows.dex_trades ?? [])
      this.#change(row.pool_address, row.block_number, (state) => withTrade(state, row));
    for (const row of rows.logs ?? []) this.#addLog(row);
    for (const row of rows.token_balances ?? [])
      this.#change(row.wallet_address, row.block_number, (state) => withBalance(state, row));
    for (const row of rows.singleton_logs ?? [])
      this.#change(row.topic_1, row.block_number, (state) => withSingletonLog(state, row));
  }

  /**
   * Forgets all states if the logged singletons change, because another version of Quarry may have stored the
   * block without logs that the states depend on.
   */
  #noteSingletons({ logged_singletons: named }: RowOf<"blocks">): void {
    if (named !== this.#loggedSingletons) this.cache.clear();
    this.#loggedSingletons = named;
  }

  #addLog(row: RowOf<"logs">): void {
    if (isSync(row)) this.#addSync(row);
    // Only the store shows whether these reserves are amounts.
    if (isTridentSync(row)) this.cache.drop(row.address);
    // If Quarry does not know the new fee controller, the balances of all pools of the Vault are unknown.
    if (row.topic_0 === FEE_CONTROLLER_CHANGED && this.#vaults.includes(row.address)) this.cache.clear();
    const pool = vaultPoolOf(row);
    if (pool !== null) this.#change(pool, row.block_number, (state) => withLogOfVault(state, row));
  }

  #addSync(row: RowOf<"logs">): void {
    this.#change(row.address, row.block_number, (state) =>
      state.family === "uniswap-v2" ? withReserves(state, row) : state,
    );
  }

  #change(pool: string, block: number, change: (state: PoolState) => PoolState): void {
    this.cache.update(pool, block, (known) => known && change(known));
  }
}

function bytesOf({ tokens, underlying, singleton, inVault }: PoolState): number {
  const addresses = tokens.length + underlying.length + (inVault?.byToken.size ?? 0);
  return STATE_BYTES + TOKEN_BYTES * addresses + (singleton?.liquidity.bytes ?? 0);
}
