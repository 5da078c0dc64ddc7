import { describe, expect, it } from "vitest";
import { ARBITRUM, readGzLines } from "../../../test/support/nodes/bundles.ts";
import { toBlock } from "../conversion/convert.ts";
import { parseBlock, parseReceipts } from "../wire/parse.ts";
import type { RpcTransaction } from "../wire/rpc-block.ts";
import { keccakHex } from "./encoding.ts";
import { encodeTransaction } from "./transaction.ts";
import { verifyBlock } from "./verify-block.ts";

const NUMBER = 150_000_000;
const ONE = 42_161;

type Json = Record<string, unknown>;
const recorded = (file: string) => JSON.parse(readGzLines(ARBITRUM, file)[0] ?? "null");
const blockJson = (): Json & { transactions: Json[] } => recorded("blocks.ndjson.gz");
const receipts = parseReceipts(recorded("receipts.ndjson.gz"), NUMBER);
const address = (digit: string) => `0x${digit.repeat(40)}`;
const hash = (digit: string) => `0x${digit.repeat(64)}`;

function parsed(fields: Json): RpcTransaction {
  const transactions = [{ ...blockJson().transactions[0], ...fields }];
  const [tx] = parseBlock({ ...blockJson(), transactions }, NUMBER).transactions;
  if (tx === undefined) throw new Error("no transaction");
  return tx;
}

const CALL = { from: address("1"), to: address("2"), nonce: "0x0" };
const SUBMIT = {
  ...{ type: "0x69", gasPrice: "0x12c", gas: "0x61a80", from: address("1"), requestId: hash("a") },
  ...{ l1BaseFee: "0x64", depositValue: "0xc8", retryTo: address("2"), retryValue: "0x32" },
  ...{
    beneficiary: address("4"),
    maxSubmissionFee: "0x258",
    refundTo: address("5"),
    retryData: "0x01020304",
  },
};

/** Values and hashes from the tests of nuntax/arb-alloy, which were made with Nitro's Go code. */
const VECTORS: [string, Json, string][] = [
  [
    "deposit",
    { ...CALL, type: "0x64", requestId: hash("c"), value: "0x7b" },
    "0xd53dd73b1b2534d4023508fa3c26f4c7ea74b923c0f190a8874dd689a2c1cd21",
  ],
  [
    "unsigned",
    {
      ...CALL,
      type: "0x65",
      nonce: "0x7",
      gasPrice: "0x3039",
      gas: "0x5208",
      value: "0x64",
      input: "0xdeadbeef",
    },
    "0x815fe243a019e4903168fa746b13bc64eeb677d3f9f87ce40ff8ce95fe25eae4",
  ],
  [
    "contract",
    {
      ...{ ...CALL, type: "0x66", requestId: hash("a"), maxFeePerGas: "0x3039" },
      ...{ gas: "0xc350", value: "0x1", input: "0xabcdef" },
    },
    "0xb05db1de136f0945ec6ba3bdee8d432a02ba7a2b760501fbcfb2f32cef2e7825",
  ],
  [
    "retry",
    {
      ...{ ...CALL, type: "0x68", nonce: "0x3", maxFeePerGas: "0x22b", gas: "0x13880", value: "0x5" },
      ...{ input: "0x0102", ticketId: hash("b"), refundTo: address("3") },
      ...{ maxRefund: "0x3e8", submissionFeeRefund: "0x7d0" },
    },
    "0x365cb4747eec1a5703fde8496018afffc055ba835361159935bdefd051510bd5",
  ],
  ["submit retryable", SUBMIT, "0x7c21633a95b29d2af5bf71d2efe4f36352e5aa8cf1980c968245d4b1069ad95e"],
  [
    "internal",
    { type: "0x6a", input: "0x1122334455" },
    "0x5546c6af5de10e9bcaf1943ac8feddeb2ba2bb1f4252fddd69b16763fb454ab4",
  ],
];

describe("encodeTransaction, on Arbitrum's types", () => {
  it.each(VECTORS)("computes the hash of Nitro: %s", (_, fields, expected) => {
    expect(keccakHex(encodeTransaction(parsed(fields), ONE))).toBe(expected);
  });

  it("names a field that the endpoint omits", () => {
    const { maxSubmissionFee: _, ...without } = SUBMIT;
    expect(() => encodeTransaction(parsed(without), ONE)).toThrow(/type 0x69 has no maxSubmissionFee/);
  });

  it("says what to do about Arbitrum Classic", () => {
    expect(() => encodeTransaction(parsed({ type: "0x78" }), ONE)).toThrow(
      /^transaction type 0x78 is from Arbitrum Classic.*22207818.*--no-verify/,
    );
  });
});

describe("block 150,000,000 of Arbitrum One", () => {
  it("is verified wholly", () => {
    expect(verifyBlock(parseBlock(blockJson(), NUMBER), receipts, ONE)).toBeNull();
  });

  it("is called invalid, not unsupported, when its header is wrong", () => {
    const block = parseBlock({ ...blockJson(), gasUsed: "0x1" }, NUMBER);
    expect(verifyBlock(block, receipts, ONE)?.kind).toBe("invalid");
  });

  it("is rejected when its internal transaction is changed", () => {
    const json = blockJson();
    Object.assign(json.transactions[0] ?? {}, { input: "0x6bf6a42d" });
    expect(verifyBlock(parseBlock(json, NUMBER), receipts, ONE)?.message).toMatch(/transaction 0: hash/);
  });

  it("has the gas prices and fees of its receipts: the base fee, whatever the sender offers", () => {
    const { transactions } = toBlock(parseBlock(blockJson(), NUMBER), receipts, "proven");
    expect(transactions.map(({ gasPrice }) => gasPrice)).toEqual(
      receipts.map(({ effectiveGasPrice }) => BigInt(effectiveGasPrice ?? 0)),
    );
    expect(transactions[1]?.fee).toBe(2_078_856n * 100_000_000n);
  });

  it("has the senders' prices where ArbOS collects tips", () => {
    const mixHash = `0x${"00".repeat(25)}01${"00".repeat(6)}`;
    const block = parseBlock({ ...blockJson(), mixHash }, NUMBER);
    expect(toBlock(block, receipts, "proven").transactions[1]?.gasPrice).toBe(0xcd0a3c0n);
  });
});
