import { numberingOf } from "../../chains/chain.ts";
import { answerExpression } from "../../engine-sql/column-types.ts";
import { hexBytesArray, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { wholeOf } from "../../lib/async/whole-of.ts";
import type { Hex } from "../../lib/hex.ts";
import { firstRecordIndex } from "../../schema/record-index.ts";
import { addTrade, emptyPosition, type Position, type WalletTrade } from "../../serving/wallets/position.ts";
import { MAX_WALLET_TRADES, WalletPositions } from "../../serving/wallets/wallet-positions.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** Reads the number of trades of each wallet; wallets without trades are left out. */
export async function countTrades(snapshot: Snapshot, wallets: readonly Hex[]): Promise<Map<Hex, number>> {
  const rows = await snapshot.query<{ wallet: Hex; trades: number }>(
    sql`SELECT ${answerExpression("address", sql`trader_address`, "rest")} AS wallet, count() AS trades
      FROM ${tradesOf(snapshot, wallets)} GROUP BY trader_address`,
  );
  return new Map(rows.map(({ wallet, trades }) => [wallet, trades]));
}

/**
 * Reads the positions of wallets after all their trades; wallets without trades are left out. Null if there
 * are more than `maxTrades` trades in total.
 */
export async function readPositions(
  snapshot: Snapshot,
  wallets: readonly Hex[],
  maxTrades: number,
): Promise<Map<Hex, WalletPositions> | null> {
  const all = sql`SELECT * FROM ${tradesOf(snapshot, wallets)} LIMIT ${integer(maxTrades + 1)}`;
  const rows = await rowsOf(snapshot, all);
  return rows.length > maxTrades * ROW_BYTES ? null : positionsOf(rows);
}

/**
 * Reads the positions of wallets after all their trades; wallets without trades are left out. If a wallet has
 * too many trades for an answer, the result has only their number. Null if there are too many trades to read
 * at once.
 */
export async function readAllPositions(
  snapshot: Snapshot,
  wallets: readonly Hex[],
): Promise<Map<Hex, WalletPositions> | null> {
  // Nearly always, all trades fit. They are counted only if they do not.
  const all = await readPositions(snapshot, wallets, MAX_WALLET_TRADES);
  if (all !== null) return all;
  const counts = await countTrades(snapshot, wallets);
  const tooLarge = [...counts].filter(([, trades]) => trades > MAX_WALLET_TRADES);
  const others = wallets.filter((wallet) => (counts.get(wallet) ?? 0) <= MAX_WALLET_TRADES);
  const positions = await readPositions(snapshot, others, MAX_WALLET_TRADES);
  for (const [wallet, trades] of tooLarge) positions?.set(wallet, WalletPositions.tooLarge(trades));
  return positions;
}

/** Reads the positions of one wallet that result from its newest trades alone; earlier trades are ignored. */
export async function readNewestPositions(
  snapshot: Snapshot,
  wallet: Hex,
  maxTrades: number,
): Promise<WalletPositions> {
  const newest = sql`SELECT * FROM ${tradesOf(snapshot, [wallet])}
    ORDER BY trader_address DESC, record_index DESC LIMIT ${integer(maxTrades)}`;
  return positionsOf(await rowsOf(snapshot, newest)).get(wallet) ?? new WalletPositions();
}

/**
 * Prints FROM and WHERE of the wallets' trades. Bounds rows by record index instead of block, which saves
 * reading a column.
 */
function tradesOf(snapshot: Snapshot, wallets: readonly Hex[]): Sql {
  const among = sql`trader_address IN (SELECT arrayJoin(${hexBytesArray(wallets, 20)}))`;
  const end = firstRecordIndex(numberingOf(snapshot.chain), snapshot.commit.blockNumber + 1);
  return sql`${snapshot.table("wallet_trades")} WHERE ${among} AND record_index < ${integer(end)}`;
}

/** Rows of fixed length, which are decoded in place: an unknown amount is NaN. */
const ROW = join([
  sql`trader_address`,
  sql`token_address`,
  sql`toUInt8(side = 'buy')`,
  sql`toUnixTimestamp(timestamp)`,
  sql`ifNull(amount_token, nan)`,
  sql`ifNull(amount_usd, nan)`,
]);

const AT = { token: 20, isBuy: 40, timestamp: 41, amountToken: 45, amountUsd: 53 };
const ROW_BYTES = 61;
const ADDRESS_BYTES = 20;

async function rowsOf(snapshot: Snapshot, trades: Sql): Promise<Buffer> {
  const inOrder = sql`ORDER BY trader_address, token_address, record_index`;
  return wholeOf(snapshot.binary(sql`SELECT ${ROW} FROM (${trades}) ${inOrder}`));
}

/**
 * Returns the positions of wallets, decoded from rows that are ordered by wallet and token. All rows are
 * converted to hex at once, which is ten times faster than row by row.
 */
function positionsOf(rows: Buffer): Map<Hex, WalletPositions> {
  const wallets = new Map<Hex, WalletPositions>();
  const hex = rows.toString("hex");
  const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
  for (let at = 0; at < rows.length; ) {
    const wallet = hexAt(hex, at);
    const positions = new WalletPositions();
    wallets.set(`0x${wallet}`, positions);
    while (at < rows.length && hexAt(hex, at) === wallet) {
      const end = endOfGroup(hex, at, AT.token + ADDRESS_BYTES);
      positions.append(`0x${hexAt(hex, at + AT.token)}`, positionAfter(view, at, end));
      at = end;
    }
    positions.trim();
  }
  return wallets;
}

/**
 * Returns the byte offset of the first row after `at` whose first `bytes` bytes differ from those at `at`.
 */
function endOfGroup(hex: string, at: number, bytes: number): number {
  const group = hex.slice(2 * at, 2 * (at + bytes));
  let end = at + ROW_BYTES;
  while (hex.startsWith(group, 2 * end)) end += ROW_BYTES;
  return end;
}

function positionAfter(view: DataView, first: number, end: number): Position {
  const position = emptyPosition();
  for (let at = first; at < end; at += ROW_BYTES) addTrade(position, tradeAt(view, at));
  return position;
}

function hexAt(hex: string, at: number): string {
  return hex.slice(2 * at, 2 * (at + ADDRESS_BYTES));
}

function tradeAt(view: DataView, at: number): WalletTrade {
  return {
    side: view.getUint8(at + AT.isBuy) === 1 ? "buy" : "sell",
    timestamp: view.getUint32(at + AT.timestamp, true),
    amountToken: known(view.getFloat64(at + AT.amountToken, true)),
    amountUsd: known(view.getFloat64(at + AT.amountUsd, true)),
  };
}

function known(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
