import { BaseError } from "../../lib/error.ts";
import { fromBytes } from "../../lib/hex.ts";
import type { StoredBlock } from "../e2store/era-file.ts";
import { unionOf } from "../verify/bloom.ts";
import { keccakHex } from "../verify/encoding.ts";
import { orderedRoot } from "../verify/ordered-root.ts";
import { type ArchivedHeader, decodeHeader } from "./archived-header.ts";
import { type ArchivedReceipt, decodeReceipts } from "./archived-receipts.ts";
import { type ArchivedTransaction, decodeTransaction } from "./archived-transaction.ts";
import { RlpList } from "./rlp-list.ts";

/** A proven block whose senders have not been recovered yet. */
export interface ProvenBlock {
  header: ArchivedHeader;
  transactions: readonly ArchivedTransaction[];
  /** One per transaction, in the same order. */
  receipts: readonly ArchivedReceipt[];
  /** Size of the whole block in bytes, as nodes report it. */
  size: number;
}

/**
 * Decodes a stored block and checks it against its header: number, transactions root, hash of the uncles,
 * withdrawals root, receipts root and logs bloom. Also checks the chain id of its transactions. Whether the
 * block is part of the chain follows only from the header's hash, which the caller must check.
 *
 * @throws InvalidBlock, MalformedRlp, UnknownFormat
 */
export function proveBlock(stored: StoredBlock, form: "full" | "slim", chainId: number): ProvenBlock {
  const header = decodeHeader(stored.header);
  if (header.number !== stored.number) throw new InvalidBlock(`its header belongs to block ${header.number}`);
  const body = RlpList.decode(stored.body, "the body");
  body.requireLength(header.fields.has("withdrawalsRoot") ? 3 : 2);
  const transactions = readTransactions(body.list(0, "transactions"));
  proveRoots(header, body, transactions);
  const receipts = decodeReceipts(stored.receipts, form, transactions.length);
  proveReceipts(header, receipts);
  requireChain(transactions, chainId);
  return { header, transactions, receipts, size: sizeOf(stored) };
}

/** In the body, a typed transaction is a byte string, and a legacy one is a list. */
function readTransactions(list: RlpList): ArchivedTransaction[] {
  return list.map((i) => decodeTransaction(list.isList(i) ? list.encodings(i) : list.bytes(i), i));
}

function proveRoots(
  { fields }: ArchivedHeader,
  body: RlpList,
  transactions: readonly ArchivedTransaction[],
): void {
  check(
    fields.get("transactionsRoot") === orderedRoot(transactions.map(({ encoded }) => encoded)),
    "transactions root does not match the transactions",
  );
  check(
    fields.get("sha3Uncles") === keccakHex(body.list(1, "uncles").encoding),
    "uncles hash does not match the uncles",
  );
  if (!fields.has("withdrawalsRoot")) return;
  const withdrawals = body.list(2, "withdrawals");
  check(
    fields.get("withdrawalsRoot") === orderedRoot(withdrawals.map((i) => withdrawals.encodings(i))),
    "withdrawals root does not match the withdrawals",
  );
}

function proveReceipts({ fields }: ArchivedHeader, receipts: readonly ArchivedReceipt[]): void {
  check(
    fields.get("receiptsRoot") === orderedRoot(receipts.map(({ encoded }) => encoded)),
    "receipts root does not match the receipts and their logs",
  );
  check(
    fields.get("logsBloom") === fromBytes(unionOf(receipts.map(({ bloom }) => bloom))),
    "logs bloom of the header does not match the logs",
  );
}

/**
 * Checks that all transactions are from this chain. Accepts a transaction without a chain id: only legacy
 * transactions without EIP-155 have none.
 */
function requireChain(transactions: readonly ArchivedTransaction[], chainId: number): void {
  const expected = BigInt(chainId);
  for (const { chainId: found } of transactions) {
    if (found === null || found === expected) continue;
    throw new InvalidBlock(`it belongs to the chain with id ${found}, not ${chainId}`);
  }
}

/**
 * Returns the length of the block's RLP, which nodes report as its size. The RLP is one list that holds the
 * header and the items of the body.
 */
function sizeOf({ header, body }: StoredBlock): number {
  const content = header.length + body.length - listPrefixBytes(body[0] ?? 0);
  return prefixBytesOf(content) + content;
}

/**
 * Returns the length of a list's prefix, given the list's first byte. The first byte of a long list encodes
 * how many bytes its length takes. The prefix of a short list has one byte.
 */
function listPrefixBytes(first: number): number {
  return first > 0xf7 ? 1 + first - 0xf7 : 1;
}

const MAX_SHORT_LIST = 55;

function prefixBytesOf(content: number): number {
  return content <= MAX_SHORT_LIST ? 1 : 1 + Math.ceil(content.toString(16).length / 2);
}

function check(holds: boolean, problem: string): void {
  if (!holds) throw new InvalidBlock(problem);
}

/**
 * A stored block that contradicts its own header, belongs to another chain, or has a number that is too
 * large.
 */
export class InvalidBlock extends BaseError {
  constructor(problem: string) {
    super("verification", problem);
  }
}
