import { join, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { blankTrade, type WindowTrade } from "../../serving/window/trade-rows.ts";

/** The columns of a trade in RowBinary, as the decoder expects them. */
export const TRADE_COLUMNS = join([
  sql`toUnixTimestamp(timestamp)`,
  sql`block_number`,
  sql`ifNull(price_token_usd_tick_1, nan)`,
  sql`ifNull(price_token_usd_robust_tick_1, nan)`,
  sql`ifNull(price_token_eth, nan)`,
  sql`ifNull(amount_token, nan)`,
  sql`ifNull(amount_usd, nan)`,
  sql`token_address`,
  sql`transaction_hash`,
  sql`pool_address`,
]);

const AT = {
  timestamp: 0,
  block: 4,
  tickPrice: 12,
  robustPrice: 20,
  priceEth: 28,
  amountToken: 36,
  amountUsd: 44,
  token: 52,
  hash: 72,
  poolLength: 104,
  pool: 105,
};
const TOKEN_BYTES = 20;

/** Decodes rows of `TRADE_COLUMNS` that arrive in pieces. */
export class TradeDecoder {
  #rest: Buffer = Buffer.alloc(0);
  readonly #trade = blankTrade();

  /** Calls `add` with each complete trade; the same object is reused for all trades. */
  decode(piece: Uint8Array, add: (trade: WindowTrade) => void): void {
    const rows = Buffer.concat([this.#rest, piece]);
    // All rows are converted to hex at once, which is ten times faster than row by row.
    const hex = rows.toString("hex");
    let at = 0;
    while (at + AT.pool <= rows.length) {
      // A pool has 20 or 32 bytes, so its length takes one byte.
      const end = at + AT.pool + (rows[at + AT.poolLength] as number);
      if (end > rows.length) break;
      this.#read(rows, hex, at, end);
      add(this.#trade);
      at = end;
    }
    this.#rest = rows.subarray(at);
  }

  #read(rows: Buffer, hex: string, at: number, end: number): void {
    const trade = this.#trade;
    trade.timestamp = rows.readUInt32LE(at + AT.timestamp);
    trade.blockNumber = Number(rows.readBigUInt64LE(at + AT.block));
    trade.tickPrice = rows.readDoubleLE(at + AT.tickPrice);
    trade.robustPrice = rows.readDoubleLE(at + AT.robustPrice);
    trade.priceEth = rows.readDoubleLE(at + AT.priceEth);
    trade.amountToken = rows.readDoubleLE(at + AT.amountToken);
    trade.amountUsd = rows.readDoubleLE(at + AT.amountUsd);
    trade.token = hexBetween(hex, at + AT.token, at + AT.token + TOKEN_BYTES);
    trade.pool = hexBetween(hex, at + AT.pool, end);
    trade.bytes = rows;
    trade.hashAt = at + AT.hash;
  }
}

function hexBetween(hex: string, start: number, end: number): Hex {
  return `0x${hex.slice(2 * start, 2 * end)}`;
}
