import type { RowOf, Rows } from "../../schema/tables.ts";
import { KeyedCache } from "../cache/keyed-cache.ts";
import type { Fold } from "../fold.ts";
import type { WalletTrade } from "./position.ts";
import { WalletPositions } from "./wallet-positions.ts";

/** Positions by wallet. They are changed in place, because a copy for each trade would cost too much. */
export class Wallets implements Fold {
  readonly cache: KeyedCache<WalletPositions>;

  constructor(maxBytes: number) {
    this.cache = new KeyedCache(maxBytes, (positions) => positions.bytes);
  }

  extend({ dex_trades = [] }: Rows): void {
    for (const trade of dex_trades) this.#add(trade);
  }

  #add(row: RowOf<"dex_trades">): void {
    this.cache.update(row.trader_address, row.block_number, (known) => {
      const positions = known ?? new WalletPositions();
      positions.add(row.token_address, tradeOf(row));
      return positions;
    });
  }
}

function tradeOf(row: RowOf<"dex_trades">): WalletTrade {
  return {
    side: row.side === "buy" ? "buy" : "sell",
    timestamp: row.timestamp,
    amountToken: row.amount_token,
    amountUsd: row.amount_usd,
  };
}
