import { describe, expect, it } from "vitest";
import { MAINNET, readGzLines, USDC_WETH } from "../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../test/support/nodes/recording.ts";
import type { Block } from "../../schema/block.ts";
import { parseBlock, parseReceipts } from "../wire/parse.ts";
import { type Trust, toBlock } from "./convert.ts";

const ADDRESS = `0x${"a1".repeat(20)}`;
const HASH = `0x${"ab".repeat(32)}`;

const TX = {
  hash: HASH,
  from: ADDRESS,
  to: ADDRESS,
  nonce: "0x1",
  value: "0x0",
  gas: "0x5208",
  input: "0x",
  gasPrice: "0x9",
};
const RECEIPT = {
  transactionHash: HASH,
  blockHash: HASH,
  status: "0x1",
  cumulativeGasUsed: "0x5208",
  gasUsed: "0x5208",
  logs: [],
};
const BLOCK = {
  number: "0x7",
  hash: HASH,
  parentHash: HASH,
  timestamp: "0x1",
  miner: ADDRESS,
  gasLimit: "0x10",
  gasUsed: "0x10",
  extraData: "0x",
};

interface Fields {
  block?: object;
  tx?: object;
  receipt?: object;
  trust?: Trust;
}

function converted({ block, tx, receipt, trust = "proven" }: Fields): Block {
  const rpc = parseBlock({ ...BLOCK, transactions: [{ ...TX, ...tx }], ...block }, 7);
  return toBlock(rpc, parseReceipts([{ ...RECEIPT, ...receipt }], 7), trust);
}

const first = (fields: Fields) => converted(fields).transactions[0];

describe("toBlock, on recorded blocks", () => {
  const read = (bundle: string, trust: Trust) => {
    const receipts = readGzLines(bundle, "receipts.ndjson.gz");
    return readGzLines(bundle, "blocks.ndjson.gz").map((line, i) => {
      const block = JSON.parse(line);
      const number = Number(block.number);
      return toBlock(
        parseBlock(block, number),
        parseReceipts(JSON.parse(receipts[i] ?? "[]"), number),
        trust,
      );
    });
  };

  it("computes the values of recorded real blocks from verified fields", () => {
    expect(read(MAINNET, "proven")).toEqual(recordedBlocks(MAINNET));
  });

  it("keeps indexes as sent when nothing is verified", () => {
    expect(read(USDC_WETH, "given")).toEqual(recordedBlocks(USDC_WETH, "none"));
  });
});

describe("toBlock", () => {
  it("adds up gas, blob gas and the L1 fee", () => {
    const tx = { type: "0x3", blobVersionedHashes: [HASH, HASH], maxFeePerGas: "0x9" };
    const receipt = { blobGasUsed: "0x40000", blobGasPrice: "0x3", l1Fee: "0x64" };
    const block = { baseFeePerGas: "0x9" };
    expect(first({ block, tx, receipt })?.fee).toBe(21_000n * 9n + 2n * 131_072n * 3n + 100n);
  });

  it("ignores the data footprint that receipts of OP-stack chains have in place of blob gas since Jovian", () => {
    const receipt = { blobGasUsed: "0xffff", blobGasPrice: "0x1", daFootprintGasScalar: "0x190" };
    expect(first({ receipt })?.fee).toBe(189_000n);
  });

  it("adds the operator fee of an OP-stack chain, by the formulas of Isthmus and Jovian", () => {
    const receipt = { operatorFeeScalar: "0x7d0", operatorFeeConstant: "0x5" };
    expect(first({ receipt })?.fee).toBe(189_000n + 42n + 5n);
    const jovian = { ...receipt, daFootprintGasScalar: "0x190" };
    expect(first({ receipt: jovian })?.fee).toBe(189_000n + 21_000n * 2_000n * 100n + 5n);
  });

  it("charges nothing for deposits from L1", () => {
    const receipt = { l1Fee: "0x64", operatorFeeConstant: "0x5" };
    expect(first({ tx: { type: "0x7e" }, receipt })?.fee).toBe(0n);
  });

  it("infers a transaction's type from its fields when the node omits it", () => {
    const types = [
      {},
      { accessList: [] },
      { accessList: [], maxFeePerGas: "0x1" },
      { maxFeePerGas: "0x1", blobVersionedHashes: [HASH] },
      { maxFeePerGas: "0x1", authorizationList: [] },
    ].map((tx) => first({ tx })?.type);
    expect(types).toEqual([0, 1, 2, 3, 4]);
  });

  it.each(["0x", "0x01", `0x${"00".repeat(32)}`])("does not treat %s as a state root", (root) => {
    expect(first({ receipt: { root } })?.status).toBe(1);
  });

  it("computes the effective gas price: base fee plus tip, at most the maximum", () => {
    const block = { baseFeePerGas: "0x64" };
    const tx = { type: "0x2", gasPrice: "0xffff", maxPriorityFeePerGas: "0x5", maxFeePerGas: "0xc8" };
    expect(first({ block, tx })?.gasPrice).toBe(105n);
    expect(first({ block, tx: { ...tx, maxFeePerGas: "0x66" } })?.gasPrice).toBe(102n);
  });

  it("keeps fee caps and tips only of types whose hash covers them", () => {
    const fees = { maxFeePerGas: "0xc8", maxPriorityFeePerGas: "0x5" };
    const sent = { maxFeePerGas: 200n, maxPriorityFeePerGas: 5n };
    const none = { maxFeePerGas: null, maxPriorityFeePerGas: null };
    const of = (type: string, trust: Trust = "proven") => first({ tx: { ...fees, type }, trust });
    for (const type of ["0x2", "0x3", "0x4"]) expect(of(type)).toMatchObject(sent);
    for (const type of ["0x0", "0x1", "0x64", "0x6a", "0x7e", "0x7f"]) expect(of(type)).toMatchObject(none);
    for (const type of ["0x65", "0x66", "0x68", "0x69"])
      expect(of(type)).toMatchObject({ ...sent, maxPriorityFeePerGas: null });
    expect(of("0x0", "given")).toMatchObject(sent);
  });

  it("ignores a sent price, index or gas that follows from verified fields", () => {
    const log = { address: ADDRESS, topics: [], data: "0x", logIndex: "0x63" };
    const receipt = { effectiveGasPrice: "0xffff", gasUsed: "0x1", logs: [log, log] };
    expect(first({ tx: { transactionIndex: "0x8" }, receipt })).toMatchObject({
      transactionIndex: 0,
      gasUsed: 21_000,
      gasPrice: 9n,
      logs: [{ logIndex: 0 }, { logIndex: 1 }],
    });
  });

  it("uses the transaction's price when an old receipt has none, and null as the status", () => {
    const receipt = { status: undefined, root: HASH };
    expect(first({ receipt, trust: "given" })).toMatchObject({ gasPrice: 9n, status: null, fee: 189_000n });
  });

  it("derives the address of a created contract", () => {
    const tx = { from: "0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0", nonce: "0x0", to: null };
    expect(first({ tx })?.contractAddress).toBe("0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d");
    expect(first({ tx, receipt: { status: "0x0" } })?.contractAddress).toBeNull();
    expect(first({})?.contractAddress).toBeNull();
  });

  it("returns 0 for an absent size, and lower-case hex", () => {
    const block = converted({ block: { miner: ADDRESS.toUpperCase().replace("X", "x") } });
    expect(block).toMatchObject({ size: 0, miner: ADDRESS });
  });

  it("reads gas limits of 64 bits", () => {
    const gas = "0xffffffffffffffff";
    const block = converted({ tx: { gas }, block: { gasLimit: gas } });
    expect([block.gasLimit, block.transactions[0]?.gasLimit]).toEqual([2n ** 64n - 1n, 2n ** 64n - 1n]);
  });

  it("names the block and the field that it cannot read", () => {
    expect(() => converted({ tx: { gas: "0x10000000000000000" } })).toThrow(
      "block 7, transactions[0]: gas is 0x10000000000000000, which is 2^64 or more",
    );
    expect(() => converted({ block: { gasLimit: "0x10000000000000000" } })).toThrow(
      "block 7: gasLimit is 0x10000000000000000, which is 2^64 or more",
    );
    expect(() => converted({ tx: { nonce: "0x20000000000000" } })).toThrow(
      "block 7, transactions[0]: nonce is 0x20000000000000, which is 2^53 or more",
    );
    expect(() => converted({ block: { hash: "0x12" } })).toThrow(
      'block 7: hash is "0x12", expected 32 bytes in hex',
    );
    const odd = { logs: [{ address: ADDRESS, topics: [HASH], data: "0x123", logIndex: "0x0" }] };
    expect(() => converted({ receipt: odd })).toThrow(
      'block 7, receipts[0], logs[0]: data is "0x123", expected bytes in hex',
    );
    expect(() => converted({ block: { number: "0x8" } })).toThrow(
      /block 7: number is "0x8", expected 7, the requested block/,
    );
    expect(() => converted({ block: { timestamp: undefined } })).toThrow("block 7: timestamp is missing");
    expect(() => converted({ receipt: { transactionHash: `0x${"cd".repeat(32)}` }, trust: "given" })).toThrow(
      "block 7, transactions[0]: its receipt is missing",
    );
  });
});
