import { describe, expect, it } from "vitest";
import { fromBytes, type Hex, toBytes, toQuantity } from "../../lib/hex.ts";
import { toBlock } from "../conversion/convert.ts";
import { parseBlock, parseReceipts } from "../wire/parse.ts";
import { bloomOf } from "./bloom.ts";
import { keccakHex } from "./encoding.ts";
import { headerHash } from "./header.ts";
import { orderedRoot } from "./ordered-root.ts";
import { encodeReceipt } from "./receipt.ts";
import { encodeTransaction } from "./transaction.ts";
import { type Problem, verifyBlock } from "./verify-block.ts";

type Json = Record<string, unknown>;
interface Pair {
  block: Json & { transactions: Json[] };
  receipts: (Json & { logs: Json[] })[];
}

function verdict({ block, receipts }: Pair, chainId = 1): Problem | null {
  const number = Number(block.number);
  return verifyBlock(parseBlock(block, number), parseReceipts(receipts, number), chainId);
}

const ADDRESS = `0x${"0".repeat(40)}` as const;
const HASH = `0x${"ab".repeat(32)}` as const;
const NO_BLOOM = `0x${"00".repeat(256)}` as const;
const SENDER = `0x${"12".repeat(20)}` as const;

/**
 * Builds a block whose header commits to its content. Tests on real blocks verify the encoders that it uses.
 */
function blockWithHeader(
  transactions: Json[],
  receipts: Json[],
  options: { proven: number; header?: Json },
): Pair {
  const block: Json & { transactions: Json[] } = {
    number: "0x4c4b40",
    hash: HASH,
    parentHash: HASH,
    sha3Uncles: HASH,
    miner: ADDRESS,
    stateRoot: HASH,
    transactionsRoot: HASH,
    receiptsRoot: HASH,
    logsBloom: NO_BLOOM,
    difficulty: "0x1",
    gasLimit: "0x1c9c380",
    gasUsed: "0x5208",
    timestamp: "0x65974697",
    extraData: "0xd682",
    mixHash: HASH,
    nonce: "0x0000000000000000",
    baseFeePerGas: "0x7",
    ...options.header,
    transactions: transactions.map((tx) => ({ hash: HASH, from: SENDER, ...tx })),
  };
  const full = receipts.map((receipt) => ({
    blockHash: HASH,
    transactionHash: HASH,
    logs: [],
    logsBloom: NO_BLOOM,
    ...receipt,
  }));
  const number = Number(block.number);
  const rpc = parseBlock(block, number);
  const rpcReceipts = parseReceipts(full, number);
  const encoded = rpc.transactions.slice(0, options.proven).map((tx) => encodeTransaction(tx, 137));
  block.transactionsRoot = orderedRoot(encoded);
  block.receiptsRoot = orderedRoot(
    rpcReceipts
      .slice(0, options.proven)
      .map((receipt, i) => encodeReceipt(receipt, rpc.transactions[i]?.type ?? 0)),
  );
  block.hash = headerHash(parseBlock(block, number));
  encoded.forEach((bytes, i) => {
    block.transactions[i]!.hash = keccakHex(bytes);
  });
  block.transactions.forEach((tx, i) => {
    Object.assign(full[i]!, { transactionHash: tx.hash, blockHash: block.hash });
  });
  return { block, receipts: full as Pair["receipts"] };
}

const TRANSFER = {
  type: "0x0",
  nonce: "0x1",
  to: ADDRESS,
  value: "0x1",
  gas: "0x5208",
  gasPrice: "0x9",
  input: "0x",
  v: "0x1b",
  r: "0x1",
  s: "0x2",
};
const RECEIPT = { status: "0x1", cumulativeGasUsed: "0x5208", gasUsed: "0x5208", type: "0x0" };
const SYNC = {
  type: "0x0",
  nonce: "0x0",
  from: ADDRESS,
  to: ADDRESS,
  value: "0x0",
  gas: "0x0",
  gasPrice: "0x0",
  input: "0x",
  v: "0x0",
  r: "0x0",
  s: "0x0",
};
const SYNC_LOG = { address: `0x${"00".repeat(18)}1001`, topics: [HASH], data: "0x", logIndex: "0x0" };
const SYNC_RECEIPT = {
  status: "0x1",
  cumulativeGasUsed: "0x0",
  gasUsed: "0x0",
  type: "0x0",
  logs: [SYNC_LOG],
};

function withStateSync(at = 5_000_000): Pair {
  const header = { number: toQuantity(at) };
  const pair = blockWithHeader([TRANSFER, SYNC], [RECEIPT, SYNC_RECEIPT], { proven: 1, header });
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(at));
  const key = Buffer.concat([Buffer.from("matic-bor-receipt-"), number, toBytes(pair.block.hash as Hex)]);
  pair.block.transactions[1]!.hash = keccakHex(key);
  pair.receipts[1]!.transactionHash = pair.block.transactions[1]!.hash;
  return pair;
}

describe("verifyBlock, on Polygon's state sync", () => {
  it("excludes the transaction from both roots and keeps its logs", () => {
    const pair = withStateSync();
    expect(verdict(pair, 137)).toBeNull();
    const block = toBlock(
      parseBlock(pair.block, 5_000_000),
      parseReceipts(pair.receipts, 5_000_000),
      "proven",
    );
    expect(block.transactions[1]).toMatchObject({ gasUsed: 0, fee: 0n, status: 1, logs: [{ logIndex: 0 }] });
  });

  it("rejects such a transaction on another chain or with another hash", () => {
    expect(verdict(withStateSync(), 1)?.message).toMatch(/hash .* does not match its content/);
    const pair = withStateSync();
    pair.block.transactions[1]!.hash = HASH;
    pair.receipts[1]!.transactionHash = HASH;
    expect(verdict(pair, 137)?.message).toMatch(/hash .* does not match its content/);
  });

  it.each([
    [137, 80_084_800],
    [80002, 28_899_616],
  ])("rejects such a transaction on chain %i from block %i on", (chainId, since) => {
    const of = (number: number) => verdict(withStateSync(number), chainId);
    expect(of(since - 1)).toBeNull();
    expect(of(since)?.message).toMatch(/transaction 1: hash .* does not match its content/);
    expect(of(since + 1)?.message).toMatch(/transaction 1: hash/);
  });

  it("verifies the receipts also when the transaction is in the body, which endpoints do not return in full", () => {
    const inside = { ...SYNC, type: "0x7f" };
    const pair = blockWithHeader([TRANSFER, inside], [RECEIPT, { ...SYNC_RECEIPT, type: "0x7f" }], {
      proven: 1,
    });
    const logs = parseReceipts(pair.receipts, 5_000_000).flatMap((receipt) => receipt.logs);
    pair.block.transactionsRoot = HASH;
    pair.block.logsBloom = fromBytes(bloomOf(logs));
    Object.assign(pair.receipts[1]!, { logsBloom: pair.block.logsBloom });
    const again = parseReceipts(pair.receipts, 5_000_000);
    pair.block.receiptsRoot = orderedRoot([encodeReceipt(again[0]!, 0), encodeReceipt(again[1]!, 0x7f)]);
    pair.block.hash = headerHash(parseBlock(pair.block, 5_000_000));
    for (const receipt of pair.receipts) receipt.blockHash = pair.block.hash;
    expect(verdict(pair, 137)).toBeNull();
    pair.receipts[1]!.logs[0]!.data = "0x01";
    expect(verdict(pair, 137)?.message).toMatch(/receipts root/);
  });
});

const DEPOSIT = {
  type: "0x7e",
  nonce: "0x7",
  to: ADDRESS,
  value: "0x0",
  gas: "0xf4240",
  gasPrice: "0x0",
  input: "0x440a5e20",
  sourceHash: HASH,
  mint: "0x0",
};

describe("verifyBlock, on OP-stack blocks", () => {
  const receipt = { ...RECEIPT, type: "0x7e", depositNonce: "0x7" };
  const isthmus = {
    withdrawalsRoot: HASH,
    blobGasUsed: "0x0",
    excessBlobGas: "0x0",
    parentBeaconBlockRoot: HASH,
    requestsHash: HASH,
    withdrawals: [],
  };

  it("verifies deposits with nonce and version under an Isthmus header, whose withdrawals root is a storage root", () => {
    const pair = blockWithHeader([DEPOSIT], [{ ...receipt, depositReceiptVersion: "0x1" }], {
      proven: 1,
      header: isthmus,
    });
    expect(verdict(pair, 8453)).toBeNull();
    pair.receipts[0]!.depositNonce = "0x8";
    expect(verdict(pair, 8453)?.message).toMatch(/receipts root/);
  });

  it("excludes the nonce from receipts without a version, as between Regolith and Canyon", () => {
    const pair = blockWithHeader([DEPOSIT], [receipt], { proven: 1 });
    pair.receipts[0]!.depositNonce = "0x9";
    expect(verdict(pair, 8453)).toBeNull();
  });

  it("verifies the sender of a deposit", () => {
    const pair = blockWithHeader([DEPOSIT], [receipt], { proven: 1 });
    pair.block.transactions[0]!.from = ADDRESS;
    expect(verdict(pair, 8453)?.message).toMatch(/transaction 0: hash/);
  });

  it("names an unknown transaction type", () => {
    const pair = blockWithHeader([DEPOSIT], [receipt], { proven: 1 });
    pair.block.transactions[0]!.type = "0x6b";
    expect(verdict(pair, 8453)).toMatchObject({ kind: "unsupported", message: /type 0x6b/ });
  });
});

describe("verifyBlock, before Byzantium", () => {
  it("expects the state root in place of the status", () => {
    const { status: _, ...early } = RECEIPT;
    const pair = blockWithHeader([TRANSFER], [{ ...early, root: HASH }], { proven: 1 });
    expect(verdict(pair)).toBeNull();
    pair.receipts[0]!.root = `0x${"cd".repeat(32)}`;
    expect(verdict(pair)?.message).toMatch(/receipts root/);
  });
});
