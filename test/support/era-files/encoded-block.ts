import { RLP } from "@ethereumjs/rlp";
import { toBytes } from "../../../src/lib/hex.ts";
import { EMPTY, keccakHex, quantityBytes, type RlpItem, rlp } from "../../../src/sources/verify/encoding.ts";
import { headerFieldNames } from "../../../src/sources/verify/header.ts";
import { encodeReceipt } from "../../../src/sources/verify/receipt.ts";
import { encodeTransaction } from "../../../src/sources/verify/transaction.ts";
import { parseBlock, parseReceipts } from "../../../src/sources/wire/parse.ts";
import type { RpcBlock, RpcReceipt } from "../../../src/sources/wire/rpc-block.ts";

/** A block as era files store it, before compression. */
export interface EncodedBlock {
  number: number;
  hash: Uint8Array;
  difficulty: bigint;
  header: Uint8Array;
  body: Uint8Array;
  fullReceipts: Uint8Array;
  slimReceipts: Uint8Array;
}

/** Encodes a block and its receipts as returned by JSON-RPC. */
export function encodeBlock(blockJson: unknown, receiptsJson: unknown, chainId = 1): EncodedBlock {
  const number = Number((blockJson as { number: string }).number);
  const block = parseBlock(blockJson, number);
  const receipts = parseReceipts(receiptsJson, number);
  const header = encodeHeader(block);
  if (keccakHex(header) !== block.hash) throw new Error(`block ${number} cannot be encoded`);
  const typeOf = (i: number) => block.transactions[i]?.type ?? 0;
  return {
    number,
    hash: toBytes(block.hash),
    difficulty: BigInt(block.header.get("difficulty") ?? "0x0"),
    header,
    body: encodeBody(block, chainId),
    fullReceipts: rlp(receipts.map((receipt, i) => inList(encodeReceipt(receipt, typeOf(i)), typeOf(i)))),
    slimReceipts: rlp(receipts.map((receipt, i) => slim(receipt, typeOf(i)))),
  };
}

/** Encodes the header fields, up to the last one that the block has. */
export function encodeHeader(block: RpcBlock): Uint8Array {
  const names = headerFieldNames();
  const count = names.findLastIndex(({ name }) => block.header.has(name)) + 1;
  return rlp(
    names.slice(0, count).map(({ name, isQuantity }) => {
      const value = block.header.get(name) ?? "0x";
      return isQuantity ? quantityBytes(value) : toBytes(value);
    }),
  );
}

function encodeBody(block: RpcBlock, chainId: number): Uint8Array {
  const transactions = block.transactions.map((tx) => inList(encodeTransaction(tx, chainId), tx.type));
  if (block.withdrawalsRoot === null) return rlp([transactions, []]);
  const withdrawals = (block.withdrawals ?? []).map(
    (one): RlpItem => [
      quantityBytes(one.index),
      quantityBytes(one.validatorIndex),
      toBytes(one.address),
      quantityBytes(one.amount),
    ],
  );
  return rlp([transactions, [], withdrawals]);
}

/**
 * Converts an encoded transaction or receipt to an item of a list: a nested list for the legacy type, and the
 * bytes of its envelope for any other type.
 */
function inList(encoded: Uint8Array, type: number): RlpItem {
  return type === 0 ? (RLP.decode(encoded) as RlpItem) : encoded;
}

function slim(receipt: RpcReceipt, type: number): RlpItem {
  return [
    type === 0 ? EMPTY : Uint8Array.of(type),
    receipt.root === null ? quantityBytes(receipt.status) : toBytes(receipt.root),
    quantityBytes(receipt.cumulativeGasUsed),
    receipt.logs.map((log) => [toBytes(log.address), log.topics.map(toBytes), toBytes(log.data)]),
  ];
}
