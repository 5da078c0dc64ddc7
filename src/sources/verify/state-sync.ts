import type { Hex } from "../../lib/hex.ts";
import { toBytes } from "../../lib/hex.ts";
import type { RpcBlock, RpcTransaction } from "../wire/rpc-block.ts";
import { keccakHex } from "./encoding.ts";

/** Type of Polygon's state-sync transaction since the Madhugiri fork (PIP-74). */
export const STATE_SYNC_TYPE = 0x7f;

/**
 * First block of Madhugiri, by chain id, for chains that run Bor, Polygon's node (`madhugiriBlock` in bor's
 * builder/files/genesis-mainnet-v1.json and genesis-amoy.json). State-sync transactions outside the roots are
 * accepted only on these chains and only before this block. Anywhere else, an endpoint could use them to hide
 * invented logs.
 */
const INSIDE_SINCE = new Map([
  [137, 80_084_800],
  [80002, 28_899_616],
]);

/**
 * Polygon's deposits from Ethereum arrive in a block's last transaction, the state-sync transaction.
 *
 * - `none`: the block has none.
 * - `outside`: before Madhugiri. The transaction goes from the zero address to the zero address, and its hash
 *   derives from the block's number and hash. Neither the transactions root nor the receipts root covers it,
 *   and the header's bloom does not cover its logs, so they cannot be verified. A later block with such a
 *   transaction is rejected, because the transaction's hash does not match its content.
 * - `inside`: since Madhugiri. Both roots cover it. Endpoints do not return its body, so the transactions
 *   root cannot be recomputed. Its receipt is verified like any other.
 */
export type StateSync = "none" | "outside" | "inside";

export function stateSyncOf(block: RpcBlock, chainId: number): StateSync {
  const last = block.transactions.at(-1);
  const insideSince = INSIDE_SINCE.get(chainId);
  if (last === undefined || insideSince === undefined) return "none";
  if (last.type === STATE_SYNC_TYPE) return "inside";
  return Number(block.number) < insideSince && isOutside(last, block) ? "outside" : "none";
}

function isOutside(tx: RpcTransaction, block: RpcBlock): boolean {
  return tx.hash === derivedHash(block.number, block.hash);
}

function derivedHash(number: Hex, hash: Hex): Hex {
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(BigInt(number));
  return keccakHex(Buffer.concat([Buffer.from("matic-bor-receipt-"), place, toBytes(hash)]));
}
