import { ethereum } from "../../../src/chains/ethereum.ts";
import { fromBytes, type Hex, toQuantity } from "../../../src/lib/hex.ts";
import { bloomOf, unionOf } from "../../../src/sources/verify/bloom.ts";
import { keccakHex } from "../../../src/sources/verify/encoding.ts";
import { headerHash } from "../../../src/sources/verify/header.ts";
import { orderedRoot } from "../../../src/sources/verify/ordered-root.ts";
import { bloomOfReceipt, encodeReceipt } from "../../../src/sources/verify/receipt.ts";
import { encodeTransaction } from "../../../src/sources/verify/transaction.ts";
import { parseBlock, parseReceipts } from "../../../src/sources/wire/parse.ts";
import type { RpcLog } from "../../../src/sources/wire/rpc-block.ts";

type Positioned = Record<string, unknown>;
export type JsonLog = Positioned & RpcLog;

interface JsonReceipt extends Positioned {
  logs: JsonLog[];
}

/** A block, parsed from a node's JSON. */
interface JsonBlock extends Positioned {
  transactions: Positioned[];
}

/** A block with its receipts, as a node sends them. */
export interface ProvableBlock {
  hash: Hex;
  block: JsonBlock;
  receipts: JsonReceipt[];
}

/**
 * Recomputes the hashes, roots and blooms of a block of the endless chain, because its changed addresses have
 * invalidated them. Afterwards, the block passes the full proof and links to its parent.
 *
 * @param parentHash null for the first block, whose parent is not served
 */
export function makeProvable(
  json: { block: string; receipts: string },
  number: number,
  parentHash: Hex | null,
): ProvableBlock {
  const block: JsonBlock = JSON.parse(json.block);
  const receipts: JsonReceipt[] = JSON.parse(json.receipts);
  if (parentHash !== null) block.parentHash = parentHash;
  addTransactionHashes(block, receipts, number);
  addReceiptRoots(block, receipts, number);
  return addBlockHash(block, receipts, number);
}

/** Returns a block without transactions, whose number is above another block's. It is not provable yet. */
export function emptyBlock(after: ProvableBlock, number: number): { block: string; receipts: string } {
  const seconds = ((number - Number(after.block.number)) * ethereum.blockTimeMs) / 1_000;
  const changed = {
    number: toQuantity(number),
    timestamp: toQuantity(Number(after.block.timestamp) + seconds),
    transactions: [],
    gasUsed: "0x0",
  };
  return { block: JSON.stringify({ ...after.block, ...changed }), receipts: "[]" };
}

function addTransactionHashes(block: JsonBlock, receipts: readonly JsonReceipt[], number: number): void {
  const encoded = parseBlock(block, number).transactions.map((tx) => encodeTransaction(tx, ethereum.chainId));
  block.transactionsRoot = orderedRoot(encoded);
  for (const [i, bytes] of encoded.entries()) {
    const hash = keccakHex(bytes);
    const receipt = receipts[i];
    Object.assign(block.transactions[i] ?? {}, { hash });
    Object.assign(receipt ?? {}, { transactionHash: hash });
    for (const log of receipt?.logs ?? []) log.transactionHash = hash;
  }
}

function addReceiptRoots(block: JsonBlock, receipts: readonly JsonReceipt[], number: number): void {
  for (const receipt of receipts) receipt.logsBloom = fromBytes(bloomOf(receipt.logs));
  const parsed = parseReceipts(receipts, number);
  block.receiptsRoot = orderedRoot(parsed.map((receipt) => encodeReceipt(receipt, receipt.type ?? 0)));
  block.logsBloom = fromBytes(unionOf(parsed.map(bloomOfReceipt)));
}

function addBlockHash(block: JsonBlock, receipts: JsonReceipt[], number: number): ProvableBlock {
  const hash = headerHash(parseBlock(block, number));
  if (hash === null) throw new RangeError(`block ${number} has an incomplete header`);
  block.hash = hash;
  const logs = receipts.flatMap((receipt) => receipt.logs);
  for (const part of [...block.transactions, ...receipts, ...logs]) part.blockHash = hash;
  return { hash, block, receipts };
}
