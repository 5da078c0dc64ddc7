import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAINNET, readGzLines } from "../../../test/support/nodes/bundles.ts";
import type { Hex } from "../../lib/hex.ts";
import { toBlock } from "../conversion/convert.ts";
import { RpcFormatError } from "../rpc/field-reader.ts";
import { parseBlock, parseReceipts } from "../wire/parse.ts";
import { type Problem, verifyBlock, verifyLink } from "./verify-block.ts";

type Json = Record<string, unknown>;
interface Pair {
  block: Json & { transactions: Json[] };
  receipts: (Json & { logs: (Json & { topics: Hex[] })[] })[];
}

function recorded(): Pair[] {
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

describe("verifyBlock, on real blocks", () => {
  it.each(pairs.map((pair) => [Number(pair.block.number), pair] as const))(
    "verifies block %i",
    (_number, pair) => {
      expect(verdict(pair)).toBeNull();
    },
  );

  it("links each block to its parent, and to no other block", () => {
    const blocks = pairs.map(({ block, receipts }) => {
      const number = Number(block.number);
      return toBlock(parseBlock(block, number), parseReceipts(receipts, number), "proven");
    });
    blocks.slice(1).forEach((block, i) => {
      expect(verifyLink(blocks[i]!, block)).toBeNull();
    });
    expect(verifyLink(blocks[0]!, blocks[2]!)).toMatchObject({
      kind: "inconsistent",
      message: /parent hash/,
    });
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
      }, /block hash .* does not match the hash of its header/);
    }
  });

  it("names the receipts when a log is missing, duplicated, changed or moved", () => {
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

  it("names the transaction when its content was changed", () => {
    for (const field of ["value", "nonce", "gas", "input", "to", "r", "s"]) {
      expectWord(({ block }) => {
        const tx = block.transactions.find(
          (item) => item.to !== null && item.input !== "0x" && item.value !== "0x0",
        )!;
        tx[field] = flipped(tx[field] as Hex, 5);
      }, /transaction \d+: hash .* does not match its content/);
    }
  });

  it("names the transactions root when a transaction and its receipt are missing", () => {
    expectWord((pair) => {
      pair.block.transactions.splice(4, 1);
      pair.receipts.splice(4, 1);
    }, /transactions root/);
  });

  it("rejects a missing receipt and one of another transaction", () => {
    const transactions = pairs[0]!.block.transactions.length;
    expectWord(
      (pair) => pair.receipts.pop(),
      new RegExp(`${transactions - 1} receipts for ${transactions} transactions`),
    );
    expectWord((pair) => pair.receipts.reverse(), /receipt 0 belongs to another transaction/);
  });

  it("calls receipts of another block's hash inconsistent, not invalid", () => {
    const pair = { ...pairs[0]!, receipts: structuredClone(pairs[0]!.receipts) };
    for (const receipt of pair.receipts) receipt.blockHash = pairs[1]!.block.hash;
    expect(verdict(pair)).toMatchObject({ kind: "inconsistent" });
  });

  it("recomputes blooms that the endpoint omits", () => {
    const pair = structuredClone(pairs[0]!);
    for (const receipt of pair.receipts) delete receipt.logsBloom;
    expect(verdict(pair)).toBeNull();
  });

  it("explains a mismatched hash by unknown header fields", () => {
    const pair = structuredClone(pairs[0]!);
    pair.block.blockAccessListHash = pair.block.stateRoot;
    expect(verdict(pair)).toBeNull();
    pair.block.hash = pairs[1]!.block.hash;
    expect(verdict(pair)).toMatchObject({ kind: "unsupported", message: /blockAccessListHash/ });
  });

  it("finds every change anywhere, unless it has no effect on the stored block", () => {
    const stored = (pair: Pair) => {
      const number = Number(pair.block.number);
      return toBlock(parseBlock(pair.block, number), parseReceipts(pair.receipts, number), "proven");
    };
    const truth = stored(pairs[3]!);
    const fields = hexFieldsOf(pairs[3]!).filter(({ name }) => !NOT_PROVABLE.has(name));
    fc.assert(
      fc.property(fc.nat(fields.length - 1), fc.nat(), (at, bit) => {
        const pair = structuredClone(pairs[3]!);
        const { path, name } = fields[at]!;
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

/** Values that a block does not prove (see `verifyBlock`). */
const NOT_PROVABLE = new Set(["from", "size"]);

function verdictOrFormatError(pair: Pair): Problem | null {
  try {
    return verdict(pair);
  } catch (error) {
    if (error instanceof RpcFormatError) return { kind: "invalid", message: error.message };
    throw error;
  }
}

interface HexField {
  path: string[];
  name: string;
}

function hexFieldsOf(node: unknown, path: string[] = []): HexField[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (typeof value === "string" && /^0x[0-9a-f]+$/.test(value)) return [{ path, name: key }];
    return hexFieldsOf(value, [...path, key]);
  });
}

/** Returns the text with one bit of one hex digit flipped. */
function flipped(hex: Hex, bit: number): Hex {
  const at = 2 + (bit % (hex.length - 2));
  const digit = Number.parseInt(hex[at] ?? "0", 16) ^ (1 << (bit % 4));
  return `${hex.slice(0, at)}${digit.toString(16)}${hex.slice(at + 1)}` as Hex;
}
