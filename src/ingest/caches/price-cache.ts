import type { Chain } from "../../chains/chain.ts";
import type { DecodedTransaction } from "../../decode/blocks/decode-block.ts";
import type { Hex } from "../../lib/hex.ts";
import type { HistoryLimits } from "../../pricing/histories/token-histories.ts";
import { PriceBook, type PricedBlock } from "../../pricing/price-book.ts";
import type { Block } from "../../schema/block.ts";
import type { Token } from "../../schema/swap.ts";
import type { Engine } from "../../storage/store.ts";
import type { BlockScopedCache, BlockTime } from "./block-scoped-cache.ts";
import { loadReferenceHistory, loadTradeHistory } from "./trade-history.ts";

/** The trade histories from which prices are derived: a cache over `dex_trades`. */
export class PriceCache implements BlockScopedCache {
  /** Always false, because advanceTo() keeps the cache within its limits. */
  readonly isFull = false;
  readonly #chain: Chain;
  readonly #book: PriceBook;

  constructor(chain: Chain, limits?: HistoryLimits) {
    this.#chain = chain;
    this.#book = new PriceBook(chain, limits);
  }

  /**
   * Adds the data for pricing these tokens, from the rows of blocks up to `committed`; null: no block is
   * committed.
   */
  async load(engine: Engine, tokens: Iterable<Hex>, committed: BlockTime | null): Promise<void> {
    if (this.#book.needsReference()) {
      this.#book.restoreReference(
        committed === null
          ? { native: [], stable: [] }
          : await loadReferenceHistory(engine, this.#chain, committed),
      );
    }
    const missing = this.#book.missing(tokens);
    const histories =
      committed === null || missing.length === 0
        ? null
        : await loadTradeHistory(engine, this.#chain, missing, committed);
    for (const token of missing)
      this.#book.restore(token, histories?.get(token) ?? [], committed?.timestamp ?? 0);
  }

  /** Prices the next block, whose tokens must be loaded. Adds its trades to the histories. */
  price(
    block: Block,
    transactions: readonly DecodedTransaction[],
    tokenAt: (address: Hex) => Token,
  ): PricedBlock {
    return this.#book.price(block, transactions, tokenAt);
  }

  advanceTo(_lastBlock: number, committedBlock: number): void {
    this.#book.evict(committedBlock);
  }

  rollbackTo(block: BlockTime): void {
    this.#book.rollbackTo(block);
  }

  clear(): void {
    this.#book.clear();
  }
}
