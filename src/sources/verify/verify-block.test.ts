import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bundlesArePresent, MAINNET, readGzLines } from "../../../test/support/bundles.ts";
import { fromBytes, type Hex, toBytes } from "../../lib/hex.ts";
import { toBlock } from "../rpc/convert.ts";
import { RpcFormatError } from "../rpc/rpc-fields.ts";
import { parseBlock, parseReceipts } from "../rpc/rpc-parse.ts";
import { keccakHex } from "./encoding.ts";
import { headerHash } from "./header.ts";
import { orderedRoot } from "./ordered-root.ts";
import { encodeReceipt } from "./receipt.ts";
import { encodeTransaction } from "./transaction.ts";
import { type Problem, verifyBlock, verifyLink } from "./verify-block.ts";

type Json = Record<string, unknown>;
interface Pair {
  block: Json & { transactions: Json[] };
  receipts: (Json & { logs: (Json & { topics: Hex[] })[] })[];
}

function recorded(): Pair[] {
  if (!bundlesArePresent) return [];
  const receipts = readGzLines(MAINNET, "receipts.ndjson.gz");
  return readGzLines(MAINNET, "blocks.ndjson.gz").map((line, i) => ({
    block: JSON.parse(line),
    receipts: JSON.parse(receipts[i] ?? "[]"),
  }));
}

function verdict({ block, receipts }: Pair, chainId = 1): Problem | null {
  const number = Number(block.number);
  return verifyBlock(parseBlock(block, number), parseReceipts(receipts, number), chainId);
}

const pairs = recorded();

describe.skipIf(!bundlesArePresent)("verifyBlock, on real blocks", () => {
  it.each(pairs.map((pair) => [Number(pair.block.number), pair] as const))(
    "proves block %i",
    (_number, pair) => {
      expect(verdict(pair)).toBeNull();
    },
  );

  it("links each block to the one before, and to no other", () => {
    const blocks = pairs.map(({ block, receipts }) => {
      const number = Number(block.number);
      return toBlock(parseBlock(block, number), parseReceipts(receipts, number), "proven");
    });
    blocks.slice(1).forEach((block, i) => {
      expect(verifyLink(blocks[i]!, block)).toBeNull();
    });
    expect(verifyLink(blocks[0]!, blocks[2]!)).toMatchObject({ kind: "torn", message: /parent hash/ });
  });

  const expectWord = (change: (pair: Pair) => void, word: RegExp) => {
    const pair = structuredClone(pairs[0]!);
    change(pair);
    expect(verdict(pair)?.message).toMatch(word);
  };
  const logsOf = (pair: Pair) => pair.receipts.flatMap((receipt) => receipt.logs);

  it("names the header when a header field is wrong", () => {
    for (const field of [
      "stateRoot",
      "timestamp",
      "gasUsed",
      "miner",
      "baseFeePerGas",
      "extraData",
      "withdrawalsRoot",
    ]) {
      expectWord(({ block }) => {
        block[field] = flipped(block[field] as Hex, 7);
      }, /block hash .* is not that of its header/);
    }
  });

  it("names the receipts when a log is missing, doubled, changed or moved", () => {
    const receipts = /receipts root/;
    expectWord((pair) => pair.receipts.find(({ logs }) => logs.length > 0)?.logs.pop(), receipts);
    expectWord((pair) => {
      const logs = pair.receipts.find((receipt) => receipt.logs.length > 0)?.logs;
      logs?.push(logs[0]!);
    }, receipts);
    expectWord((pair) => {
      const log = logsOf(pair)[3]!;
      log.data = flipped(log.data as Hex, 11);
    }, receipts);
    expectWord((pair) => logsOf(pair)[3]?.topics.reverse(), receipts);
    expectWord((pair) => pair.receipts.find(({ logs }) => logs.length > 1)?.logs.reverse(), receipts);
  });

  it("names the receipts when a status, a bloom or cumulative gas is wrong", () => {
    expectWord(({ receipts }) => {
      receipts[5]!.status = "0x0";
    }, /receipts root/);
    expectWord(({ receipts }) => {
      receipts[5]!.cumulativeGasUsed = "0x1";
    }, /receipts root/);
    expectWord(({ receipts }) => {
      receipts[5]!.logsBloom = flipped(receipts[5]!.logsBloom as Hex, 3);
    }, /receipts root/);
  });

  it("names the transaction when its content is not what was signed", () => {
    for (const field of ["value", "nonce", "gas", "input", "to", "r", "s"]) {
      expectWord(({ block }) => {
        const tx = block.transactions.find(
          (item) => item.to !== null && item.input !== "0x" && item.value !== "0x0",
        )!;
        tx[field] = flipped(tx[field] as Hex, 5);
      }, /transaction \d+: hash .* is not that of its content/);
    }
  });

  it("names the transactions root when a transaction is left out with its receipt", () => {
    expectWord((pair) => {
      pair.block.transactions.splice(4, 1);
      pair.receipts.splice(4, 1);
    }, /transactions root/);
  });

  it("counts receipts and takes none of another transaction", () => {
    expectWord((pair) => pair.receipts.pop(), /178 receipts for 179 transactions/);
    expectWord((pair) => pair.receipts.reverse(), /receipt 0 is of another transaction/);
  });

  it("calls receipts of another block's hash torn, not false", () => {
    const pair = { ...pairs[0]!, receipts: structuredClone(pairs[0]!.receipts) };
    for (const receipt of pair.receipts) receipt.blockHash = pairs[1]!.block.hash;
    expect(verdict(pair)).toMatchObject({ kind: "torn" });
  });

  it("recomputes blooms that the endpoint left out", () => {
    const pair = structuredClone(pairs[0]!);
    for (const receipt of pair.receipts) delete receipt.logsBloom;
    expect(verdict(pair)).toBeNull();
  });

  it("explains a hash that does not match by header fields that it does not know", () => {
    const pair = structuredClone(pairs[0]!);
    pair.block.blockAccessListHash = pair.block.stateRoot;
    expect(verdict(pair)).toBeNull();
    pair.block.hash = pairs[1]!.block.hash;
    expect(verdict(pair)).toMatchObject({ kind: "unknown", message: /blockAccessListHash/ });
  });

  it("finds every change anywhere, or the change has no effect on what is stored", () => {
    const stored = (pair: Pair) => {
      const number = Number(pair.block.number);
      return toBlock(parseBlock(pair.block, number), parseReceipts(pair.receipts, number), "proven");
    };
    const truth = stored(pairs[3]!);
    const places = hexPlaces(pairs[3]!).filter(({ name }) => !NOT_PROVABLE.has(name));
    fc.assert(
      fc.property(fc.nat(places.length - 1), fc.nat(), (at, bit) => {
        const pair = structuredClone(pairs[3]!);
        const { path, name } = places[at]!;
        const owner = path.reduce(
          (node, key) => node[key] as never,
          pair as unknown as Record<string, unknown>,
        );
        owner[name] = flipped(owner[name] as Hex, bit);
        const problem = verdictOrFormatError(pair);
        if (problem === null) expect(stored(pair)).toEqual(truth);
      }),
      { numRuns: 150 },
    );
  });
});

/** What a block does not prove, as `verifyBlock` says. */
const NOT_PROVABLE = new Set(["from", "size"]);

function verdictOrFormatError(pair: Pair): Problem | null {
  try {
    return verdict(pair);
  } catch (error) {
    if (error instanceof RpcFormatError) return { kind: "false", message: error.message };
    throw error;
  }
}

interface Place {
  path: string[];
  name: string;
}

function hexPlaces(node: unknown, path: string[] = []): Place[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (typeof value === "string" && /^0x[0-9a-f]+$/.test(value)) return [{ path, name: key }];
    return hexPlaces(value, [...path, key]);
  });
}

/** The text with one bit of one hex digit changed. */
function flipped(hex: Hex, bit: number): Hex {
  const at = 2 + (bit % (hex.length - 2));
  const digit = Number.parseInt(hex[at] ?? "0", 16) ^ (1 << (bit % 4));
  return `${hex.slice(0, at)}${digit.toString(16)}${hex.slice(at + 1)}` as Hex;
}

const ADDRESS = `0x${"0".repeat(40)}` as const;
const HASH = `0x${"ab".repeat(32)}` as const;
const NO_BLOOM = `0x${"00".repeat(256)}` as const;
const SENDER = `0x${"12".repeat(20)}` as const;

/** A block whose header commits to its content, built from the encoders that real blocks have proven. */
function sealed(transactions: Json[], receipts: Json[], options: { proven: number; header?: Json }): Pair {
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
  const rpc = parseBlock(block, 5_000_000);
  const rpcReceipts = parseReceipts(full, 5_000_000);
  const encoded = rpc.transactions.slice(0, options.proven).map((tx) => encodeTransaction(tx, 137));
  block.transactionsRoot = orderedRoot(encoded);
  block.receiptsRoot = orderedRoot(
    rpcReceipts
      .slice(0, options.proven)
      .map((receipt, i) => encodeReceipt(receipt, rpc.transactions[i]?.type ?? 0)),
  );
  block.hash = headerHash(parseBlock(block, 5_000_000));
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

function withStateSync(): Pair {
  const pair = sealed([TRANSFER, SYNC], [RECEIPT, SYNC_RECEIPT], { proven: 1 });
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(5_000_000n);
  const key = Buffer.concat([Buffer.from("matic-bor-receipt-"), number, toBytes(pair.block.hash as Hex)]);
  pair.block.transactions[1]!.hash = keccakHex(key);
  pair.receipts[1]!.transactionHash = pair.block.transactions[1]!.hash;
  return pair;
}

describe("verifyBlock, on Polygon's state sync", () => {
  it("leaves the transaction out of both roots and keeps its logs", () => {
    const pair = withStateSync();
    expect(verdict(pair, 137)).toBeNull();
    const block = toBlock(
      parseBlock(pair.block, 5_000_000),
      parseReceipts(pair.receipts, 5_000_000),
      "proven",
    );
    expect(block.transactions[1]).toMatchObject({ gasUsed: 0, fee: 0n, status: 1, logs: [{ logIndex: 0 }] });
  });

  it("allows no such transaction on another chain, nor one with another hash", () => {
    expect(verdict(withStateSync(), 1)?.message).toMatch(/hash .* is not that of its content/);
    const pair = withStateSync();
    pair.block.transactions[1]!.hash = HASH;
    pair.receipts[1]!.transactionHash = HASH;
    expect(verdict(pair, 137)?.message).toMatch(/hash .* is not that of its content/);
  });

  it("still proves the receipts where the transaction is in the body, which endpoints do not show in full", () => {
    const inside = { ...SYNC, type: "0x7f" };
    const pair = sealed([TRANSFER, inside], [RECEIPT, { ...SYNC_RECEIPT, type: "0x7f" }], { proven: 1 });
    const rpc = parseReceipts(pair.receipts, 5_000_000);
    pair.block.receiptsRoot = orderedRoot([encodeReceipt(rpc[0]!, 0), encodeReceipt(rpc[1]!, 0x7f)]);
    pair.block.transactionsRoot = HASH;
    const bloom = Buffer.alloc(256);
    for (const entry of [SYNC_LOG.address, HASH]) {
      const hash = toBytes(keccakHex(toBytes(entry)));
      for (const at of [0, 2, 4]) {
        const bit = hash.readUInt16BE(at) & 2047;
        bloom[255 - (bit >> 3)]! |= 1 << (bit & 7);
      }
    }
    pair.block.logsBloom = fromBytes(bloom);
    for (const receipt of pair.receipts.slice(1)) receipt.logsBloom = pair.block.logsBloom;
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

  it("proves deposits with nonce and version in an Isthmus header, whose withdrawals root is a storage root", () => {
    const pair = sealed([DEPOSIT], [{ ...receipt, depositReceiptVersion: "0x1" }], {
      proven: 1,
      header: isthmus,
    });
    expect(verdict(pair, 8453)).toBeNull();
    pair.receipts[0]!.depositNonce = "0x8";
    expect(verdict(pair, 8453)?.message).toMatch(/receipts root/);
  });

  it("leaves the nonce out of receipts without version, as between Regolith and Canyon", () => {
    const pair = sealed([DEPOSIT], [receipt], { proven: 1 });
    pair.receipts[0]!.depositNonce = "0x9";
    expect(verdict(pair, 8453)).toBeNull();
  });

  it("proves the sender of a deposit", () => {
    const pair = sealed([DEPOSIT], [receipt], { proven: 1 });
    pair.block.transactions[0]!.from = ADDRESS;
    expect(verdict(pair, 8453)?.message).toMatch(/transaction 0: hash/);
  });

  it("says which transaction type it does not know", () => {
    const pair = sealed([DEPOSIT], [receipt], { proven: 1 });
    pair.block.transactions[0]!.type = "0x6a";
    expect(verdict(pair, 8453)).toMatchObject({ kind: "unknown", message: /type 0x6a/ });
  });
});

describe("verifyBlock, before Byzantium", () => {
  it("takes the state root in the place of the status", () => {
    const { status: _, ...early } = RECEIPT;
    const pair = sealed([TRANSFER], [{ ...early, root: HASH }], { proven: 1 });
    expect(verdict(pair)).toBeNull();
    pair.receipts[0]!.root = `0x${"cd".repeat(32)}`;
    expect(verdict(pair)?.message).toMatch(/receipts root/);
  });
});
