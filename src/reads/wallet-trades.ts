import type { Hex } from "../lib/hex.ts";
import { hexBytesArray, integer, join, type Sql, sql } from "../lib/sql-text.ts";
import { answerExpression } from "../schema/engine-type.ts";
import type { Snapshot } from "./snapshot.ts";
import { addTrade, emptyPosition, type Position } from "./wallet-performance.ts";

/** Positions of a wallet by token. */
export type Positions = Map<Hex, Position>;

/** How many trades each wallet has; those without any are left out. */
export async function countTrades(snapshot: Snapshot, wallets: readonly Hex[]): Promise<Map<Hex, number>> {
  const rows = await snapshot.query<{ wallet: Hex; trades: number }>(
    sql`SELECT ${answerExpression("address", sql`trader_address`, "rest")} AS wallet, count() AS trades
      FROM ${tradesOf(snapshot, wallets)} GROUP BY trader_address`,
  );
  return new Map(rows.map(({ wallet, trades }) => [wallet, trades]));
}

/** The positions of wallets, after all their trades; wallets without any are left out. */
export async function readPositions(
  snapshot: Snapshot,
  wallets: readonly Hex[],
): Promise<Map<Hex, Positions>> {
  return positionsOf(await rowsOf(snapshot, tradesOf(snapshot, wallets)));
}

/** The positions of one wallet after its newest trades, and how many trades these were. */
export async function readNewestPositions(
  snapshot: Snapshot,
  { wallet, maxTrades }: { wallet: Hex; maxTrades: number },
): Promise<{ positions: Positions; trades: number }> {
  const newest = sql`SELECT * FROM ${tradesOf(snapshot, [wallet])}
    ORDER BY trader_address DESC, record_index DESC LIMIT ${integer(maxTrades)}`;
  const rows = await rowsOf(snapshot, sql`(${newest})`);
  const positions = positionsOf(rows).get(wallet) ?? new Map();
  return { positions, trades: rows.length / ROW_BYTES };
}

function tradesOf(snapshot: Snapshot, wallets: readonly Hex[]): Sql {
  const among = sql`trader_address IN (SELECT arrayJoin(${hexBytesArray(wallets, 20)}))`;
  return sql`${snapshot.table("wallet_trades")} WHERE ${among} AND block_number <= ${integer(snapshot.commit.blockNumber)}`;
}

/** Of one length, so that they are read where they stand: an amount that is not known is NaN. */
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

async function rowsOf(snapshot: Snapshot, trades: Sql): Promise<Buffer> {
  const inOrder = sql`ORDER BY trader_address, token_address, record_index`;
  const pieces: Uint8Array[] = [];
  for await (const piece of snapshot.binary(sql`SELECT ${ROW} FROM ${trades} ${inOrder}`)) pieces.push(piece);
  return Buffer.concat(pieces);
}

function positionsOf(rows: Buffer): Map<Hex, Positions> {
  const wallets = new Map<Hex, Positions>();
  let position = emptyPosition();
  for (let at = 0; at < rows.length; at += ROW_BYTES) {
    const key = rows.subarray(at, at + AT.isBuy);
    const isNext = at === 0 || key.compare(rows, at - ROW_BYTES, at - ROW_BYTES + AT.isBuy) !== 0;
    if (isNext) {
      position = emptyPosition();
      const wallet: Hex = `0x${key.toString("hex", 0, AT.token)}`;
      const positions = wallets.get(wallet) ?? new Map();
      wallets.set(wallet, positions.set(`0x${key.toString("hex", AT.token)}`, position));
    }
    addTrade(position, {
      side: rows[at + AT.isBuy] === 1 ? "buy" : "sell",
      timestamp: rows.readUInt32LE(at + AT.timestamp),
      amountToken: known(rows.readDoubleLE(at + AT.amountToken)),
      amountUsd: known(rows.readDoubleLE(at + AT.amountUsd)),
    });
  }
  return wallets;
}

function known(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
