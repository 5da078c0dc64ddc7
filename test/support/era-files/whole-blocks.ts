import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { RLP } from "@ethereumjs/rlp";
import { toBytes } from "../../../src/lib/hex.ts";
import { keccakHex, quantityBytes, rlp } from "../../../src/sources/verify/encoding.ts";
import { orderedRoot } from "../../../src/sources/verify/ordered-root.ts";
import { parseBlock } from "../../../src/sources/wire/parse.ts";
import { MAINNET, readGzLines } from "../nodes/bundles.ts";
import { type EncodedBlock, encodeBlock, encodeHeader } from "./encoded-block.ts";

interface JsonReceipt {
  blockHash: string;
  logs: { blockHash: string }[];
}

interface JsonBlock {
  number: string;
  hash: string;
  parentHash: string;
  size: string;
  withdrawalsRoot: string;
  withdrawals: object[];
  transactions: { blockHash: string }[];
}

export interface WholeBlock {
  block: JsonBlock;
  receipts: JsonReceipt[];
  encoded: EncodedBlock;
}

const WITHDRAWALS = [
  { index: "0x0", validatorIndex: "0x7", address: `0x${"11".repeat(20)}`, amount: "0x5f5e100" },
  { index: "0x1", validatorIndex: "0x0", address: `0x${"22".repeat(20)}`, amount: "0x1" },
];

/**
 * Returns real Ethereum blocks with all their parts. The recording lacks withdrawals, so these are made up.
 * The blocks therefore have new hashes, parents and sizes.
 */
export function wholeBlocks(count: number): WholeBlock[] {
  const blocks = readGzLines(MAINNET, "blocks.ndjson.gz").slice(0, count);
  const receipts = readGzLines(MAINNET, "receipts.ndjson.gz");
  let parentHash: string | null = null;
  return blocks.map((line, i) => {
    const whole = completed(JSON.parse(line), JSON.parse(receipts[i] ?? "[]"), parentHash);
    parentHash = whole.block.hash;
    return whole;
  });
}

function completed(recorded: JsonBlock, receipts: JsonReceipt[], parentHash: string | null): WholeBlock {
  const block = {
    ...recorded,
    parentHash: parentHash ?? recorded.parentHash,
    withdrawals: WITHDRAWALS,
    withdrawalsRoot: orderedRoot(
      WITHDRAWALS.map((one) =>
        rlp([
          quantityBytes(one.index as "0x0"),
          quantityBytes(one.validatorIndex as "0x0"),
          toBytes(one.address),
          quantityBytes(one.amount as "0x0"),
        ]),
      ),
    ),
  };
  block.hash = keccakHex(encodeHeader(parseBlock(block, Number(block.number))));
  for (const tx of block.transactions) tx.blockHash = block.hash;
  for (const receipt of receipts) {
    receipt.blockHash = block.hash;
    for (const log of receipt.logs) log.blockHash = block.hash;
  }
  const encoded = encodeBlock(block, receipts);
  const body = RLP.decode(encoded.body) as Uint8Array[];
  block.size = `0x${rlp([RLP.decode(encoded.header) as Uint8Array[], ...body]).length.toString(16)}`;
  return { block, receipts, encoded };
}

/** Writes a bundle of these blocks that a replay node can serve. */
export function writeBundle(folder: string, blocks: readonly WholeBlock[]): string {
  const bundle = join(folder, "bundle");
  mkdirSync(bundle);
  const lines = (items: readonly unknown[]) => gzipSync(items.map((item) => JSON.stringify(item)).join("\n"));
  writeFileSync(join(bundle, "blocks.ndjson.gz"), lines(blocks.map(({ block }) => block)));
  writeFileSync(join(bundle, "receipts.ndjson.gz"), lines(blocks.map(({ receipts }) => receipts)));
  symlinkSync(join(MAINNET, "calls.json"), join(bundle, "calls.json"));
  return bundle;
}

/** Repeats the recorded blocks as a chain of any length, with new numbers, times, parents and hashes. */
export function repeatedBlocks(count: number): EncodedBlock[] {
  const recorded = wholeBlocks(12).map(({ encoded }) => encoded);
  const start = recorded[0]?.number ?? 0;
  const chain: EncodedBlock[] = [];
  for (let i = 0; i < count; i++) {
    const block = recorded[i % recorded.length];
    if (block === undefined) throw new Error("there is no recorded block");
    chain.push(renumbered(block, start + i, chain.at(-1)));
  }
  return chain;
}

const [PARENT_FIELD, NUMBER_FIELD, TIME_FIELD] = [0, 8, 11];
const FIRST_TIME = 1_689_300_000;
const BLOCK_SECONDS = 12;

function renumbered(block: EncodedBlock, number: number, parent: EncodedBlock | undefined): EncodedBlock {
  const fields = RLP.decode(block.header) as Uint8Array[];
  if (parent !== undefined) fields[PARENT_FIELD] = parent.hash;
  const time = FIRST_TIME + (number % 1_000_000) * BLOCK_SECONDS;
  fields[NUMBER_FIELD] = quantityBytes(`0x${number.toString(16)}`);
  fields[TIME_FIELD] = quantityBytes(`0x${time.toString(16)}`);
  const header = rlp(fields);
  return { ...block, number, header, hash: toBytes(keccakHex(header)) };
}
