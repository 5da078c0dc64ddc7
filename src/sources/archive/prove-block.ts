import { BaseError } from "../../lib/error.ts";
import { fromBytes, type Hex } from "../../lib/hex.ts";
import type { StoredBlock } from "../e2store/era-file.ts";
import { unionOf } from "../verify/bloom.ts";
import { keccakHex, rlp } from "../verify/encoding.ts";
import { orderedRoot } from "../verify/ordered-root.ts";
import type { RpcBlock, RpcReceipt, RpcTransaction, RpcWithdrawal } from "../wire/rpc-block.ts";
import { type ArchivedHeader, decodeHeader } from "./archived-header.ts";
import { type ArchivedReceipt, decodeReceipts, rpcReceipt } from "./archived-receipts.ts";
import { type ArchivedTransaction, decodeTransaction } from "./archived-transaction.ts";
import { blobGasPrice } from "./blob-schedule.ts";
import { ADDRESS_BYTES, decodeRlp, type RlpFields } from "./rlp-fields.ts";

/** A proven block whose senders have not been recovered yet. */
export interface ProvenBlock {
  header: ArchivedHeader;
  transactions: readonly ArchivedTransaction[];
  /** The other fields of the block, in the form of JSON-RPC. */
  rest: Omit<RpcBlock, "transactions">;
  receipts: RpcReceipt[];
}

/**
 * Decodes a stored block and checks it against its header: number, transactions root, hash of the uncles,
 * withdrawals root, receipts root and logs bloom. The caller must use the header's hash to prove which chain
 * the block belongs to.
 *
 * @throws InvalidBlock, MalformedRlp, UnknownFormat
 */
export function proveBlock(stored: StoredBlock, form: "full" | "slim", chainId: number): ProvenBlock {
  const header = decodeHeader(stored.header);
  if (header.number !== stored.number) throw new InvalidBlock(`its header is of block ${header.number}`);
  const body = decodeRlp(stored.body, "the body");
  body.requireLength(header.fields.has("withdrawalsRoot") ? 3 : 2);
  const transactions = body.fields(0, "transactions").items.map(decodeTransaction);
  const receipts = decodeReceipts(stored.receipts, form);
  proveRoots(header, body, transactions);
  proveReceipts(header, transactions, receipts);
  requireChain(transactions, chainId);
  return {
    header,
    transactions,
    rest: { ...headerFields(header), ...bodyFields(body), size: sizeOf(stored) },
    receipts: rpcReceipts(header, transactions, receipts, chainId),
  };
}

/** Adds the senders, and returns the block in the form of JSON-RPC. */
export function withSenders({ transactions, rest }: ProvenBlock, senders: readonly Hex[]): RpcBlock {
  const signed = transactions.map(({ fields }, i): RpcTransaction => {
    const from = senders[i];
    if (from === undefined) throw new InvalidBlock(`transaction ${i} has no sender`);
    return { ...fields, from };
  });
  return { ...rest, transactions: signed };
}

function proveRoots(
  { fields }: ArchivedHeader,
  body: RlpFields,
  transactions: readonly ArchivedTransaction[],
): void {
  check(
    fields.get("transactionsRoot") === orderedRoot(transactions.map(({ encoded }) => encoded)),
    "transactions root does not match the transactions",
  );
  check(
    fields.get("sha3Uncles") === keccakHex(rlp([...body.fields(1, "uncles").items])),
    "hash of the uncles does not match the uncles",
  );
  if (!fields.has("withdrawalsRoot")) return;
  const withdrawals = body.fields(2, "withdrawals").items.map((item) => rlp(item));
  check(
    fields.get("withdrawalsRoot") === orderedRoot(withdrawals),
    "withdrawals root does not match the withdrawals",
  );
}

function proveReceipts(
  { fields }: ArchivedHeader,
  transactions: readonly ArchivedTransaction[],
  receipts: readonly ArchivedReceipt[],
): void {
  check(
    receipts.length === transactions.length,
    `${receipts.length} receipts for ${transactions.length} transactions`,
  );
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
 * Checks that all transactions are from this chain. Only legacy transactions without EIP-155 have no chain
 * id.
 */
function requireChain(transactions: readonly ArchivedTransaction[], chainId: number): void {
  for (const { fields } of transactions) {
    if (fields.chainId === null || Number(fields.chainId) === chainId) continue;
    throw new InvalidBlock(`it is of the chain with id ${Number(fields.chainId)}, not ${chainId}`);
  }
}

function headerFields(header: ArchivedHeader): Omit<RpcBlock, "transactions" | "withdrawals" | "size"> {
  const { fields, hash, parentHash } = header;
  const always = (name: string): Hex => fields.get(name) ?? "0x";
  return {
    number: always("number"),
    hash,
    parentHash,
    transactionsRoot: always("transactionsRoot"),
    receiptsRoot: always("receiptsRoot"),
    withdrawalsRoot: fields.get("withdrawalsRoot") ?? null,
    logsBloom: always("logsBloom"),
    timestamp: always("timestamp"),
    miner: always("miner"),
    gasLimit: always("gasLimit"),
    gasUsed: always("gasUsed"),
    baseFeePerGas: fields.get("baseFeePerGas") ?? null,
    extraData: always("extraData"),
    header: fields,
  };
}

function bodyFields(body: RlpFields): Pick<RpcBlock, "withdrawals"> {
  if (body.items.length < 3) return { withdrawals: null };
  return { withdrawals: body.map(2, "withdrawal", readWithdrawal) };
}

function readWithdrawal(item: RlpFields): RpcWithdrawal {
  item.requireLength(4);
  return {
    index: item.quantity(0),
    validatorIndex: item.quantity(1),
    address: item.bytes(2, ADDRESS_BYTES),
    amount: item.quantity(3),
  };
}

/**
 * Returns the length of the block's RLP, which nodes report as its size. The RLP is one list that holds the
 * header and the items of the body.
 */
function sizeOf({ header, body }: StoredBlock): Hex {
  const content = header.length + body.length - listPrefixBytes(body[0] ?? 0);
  return `0x${(prefixBytesOf(content) + content).toString(16)}`;
}

/**
 * Returns the length of a list's prefix. The first byte of a long list encodes how many bytes its length
 * takes. The prefix of a short list has one byte.
 */
function listPrefixBytes(first: number): number {
  return first > 0xf7 ? 1 + first - 0xf7 : 1;
}

const MAX_SHORT_LIST = 55;

function prefixBytesOf(content: number): number {
  return content <= MAX_SHORT_LIST ? 1 : 1 + Math.ceil(content.toString(16).length / 2);
}

function rpcReceipts(
  { hash, fields }: ArchivedHeader,
  transactions: readonly ArchivedTransaction[],
  receipts: readonly ArchivedReceipt[],
  chainId: number,
): RpcReceipt[] {
  const hasBlobs = transactions.some(({ fields: { blobVersionedHashes } }) => blobVersionedHashes.length > 0);
  const blobPrice: Hex | null = hasBlobs ? `0x${blobGasPrice(fields, chainId).toString(16)}` : null;
  return receipts.map((receipt, i) => {
    const tx = transactions[i]?.fields;
    if (tx === undefined) throw new InvalidBlock(`receipt ${i} has no transaction`);
    return rpcReceipt(receipt, {
      blockHash: hash,
      transactionHash: tx.hash,
      gasUsed: "0x0",
      blobGasPrice: tx.blobVersionedHashes.length > 0 ? blobPrice : null,
      contractAddress: tx.to === null ? ANY_ADDRESS : null,
    });
  });
}

/**
 * Placeholder: the actual address is computed from sender and nonce. Nodes report one even for a failed
 * creation.
 */
const ANY_ADDRESS: Hex = `0x${"0".repeat(40)}`;

function check(holds: boolean, problem: string): void {
  if (!holds) throw new InvalidBlock(problem);
}

/** A stored block that contradicts its own header. */
class InvalidBlock extends BaseError {
  constructor(problem: string) {
    super("verification", problem);
  }
}
