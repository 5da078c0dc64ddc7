import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, it } from "vitest";
import { wholeBlocks } from "../../../test/support/era-files/whole-blocks.ts";
import { CRYO_DEFAULT, cryoTables } from "../../../test/support/table-files/cryo-tables.ts";
import { awsTables, etlTables } from "../../../test/support/table-files/etl-tables.ts";
import { headerNode } from "../../../test/support/table-files/header-node.ts";
import type { JsonBlock, TableColumns, TableOfFile } from "../../../test/support/table-files/table-rows.ts";
import {
  csvOf,
  jsonOf,
  parquetOf,
  withColumns,
  writeTables,
} from "../../../test/support/table-files/write-tables.ts";
import { toQuantity } from "../../lib/hex.ts";
import type { Block } from "../../schema/block.ts";
import { toBlock } from "../conversion/convert.ts";
import { Prover } from "../prover/prover.ts";
import { orderedRoot } from "../verify/ordered-root.ts";
import { encodeReceipt } from "../verify/receipt.ts";
import { parseBlock, parseReceipts } from "../wire/parse.ts";
import { openTables, tableFilesAt } from "./table-files.ts";
import { openTableSource, type TableSourceOptions } from "./table-source.ts";

const json = wholeBlocks(4) as unknown as JsonBlock[];
const FIRST = Number(json[0]?.block.number);
const ANCHOR = json.at(-1)?.block.hash as `0x${string}`;
const expected = json.map(({ block, receipts }) => {
  const number = Number(block.number);
  return toBlock(parseBlock(block, number), parseReceipts(receipts, number), "proven");
});

/** A prover that counts the blocks that threads have proven. */
class CountingProver extends Prover {
  proven = 0;

  override async rows(...task: Parameters<Prover["rows"]>) {
    const found = await super.rows(...task);
    if (found !== null) this.proven++;
    return found;
  }
}

const folder = mkdtempSync(join(tmpdir(), "quarry-tables-"));
const prover = new CountingProver(1);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await prover.close();
});

const node = headerNode(json);

type Options = Partial<TableSourceOptions>;
let folders = 0;

type Written = { write: (table: TableColumns) => Buffer; nameOf: (kind: string) => string };
const CRYO: Written = {
  write: parquetOf,
  nameOf: (kind) => `ethereum__${kind}__17686110_to_17686113.parquet`,
};
const ETL: Written = { write: csvOf, nameOf: (kind) => `${kind}/${kind}.csv` };
const AWS: Written = { write: parquetOf, nameOf: (kind) => `${kind}/date=2023-07-13/part-0.snappy.parquet` };

function written(tables: TableOfFile, how: Written): string {
  return writeTables(join(folder, String(folders++)), tables, how);
}

async function read(path: string, options: Options = {}, from?: number): Promise<Block[]> {
  const tables = await openTables(await tableFilesAt(path));
  const base = { tables, chainId: 1, node: null, anchor: null, allowUnproven: false, stored: null, prover };
  const source = await openTableSource({ ...base, ...options });
  const blocks: Block[] = [];
  const range = { from: from ?? source.range.from, to: source.range.to };
  for await (const block of source.blocks(range, new AbortController().signal)) blocks.push(block);
  return blocks;
}

const as = (proof: Block["proof"], origin: Block["origin"]) =>
  expected.map((block) => ({ ...block, proof, origin }));

/**
 * No transaction in these two blocks has an access list, so cryo's files have everything that the
 * transactions roots cover.
 */
const fromCryo = as("receipts", "cryo").map((block, i) =>
  i % 2 === 1 ? { ...block, proof: "block" as const } : block,
);

describe("files of cryo", () => {
  it("give the blocks of an endpoint, in binary and hex, with an anchor and with headers of a node", async () => {
    const binary = written(cryoTables(json), CRYO);
    expect(await read(binary, { anchor: ANCHOR })).toEqual(fromCryo);
    expect(await read(binary, { node })).toEqual(fromCryo);
    expect(await read(binary, { allowUnproven: true })).toEqual(as("file", "cryo"));
    const hex = written(cryoTables(json), { ...CRYO, write: (table) => parquetOf(table, { isHex: true }) });
    expect(await read(hex, { anchor: ANCHOR }, FIRST + 2)).toEqual(fromCryo.slice(2));
  });

  it("with default columns need the headers of a node", async () => {
    const tables = cryoTables(json);
    const few = Object.fromEntries(
      Object.entries(tables).map(([kind, table]) => [
        kind,
        withColumns(table, CRYO_DEFAULT[kind as keyof TableOfFile]),
      ]),
    ) as unknown as TableOfFile;
    const path = written(few, CRYO);
    expect(await read(path, { node })).toEqual(as("receipts", "cryo"));
    await expect(read(path, { allowUnproven: true })).rejects.toThrow(
      /the files lack the header fields parentHash, gasLimit. Pass a node with --rpc/,
    );
    await expect(read(path)).rejects.toThrow(/these files cannot be proven/);
  });
});

describe("files of ethereum-etl", () => {
  it("give the blocks of an endpoint, as csv and as JSON lines", async () => {
    const csv = written(etlTables(json), ETL);
    expect(await read(csv, { node })).toEqual(as("receipts", "ethereum-etl"));
    expect(await read(csv, { allowUnproven: true })).toEqual(as("file", "ethereum-etl"));
    const lines = written(etlTables(json), { write: jsonOf, nameOf: (kind) => `${kind}.json` });
    expect(await read(lines, { node })).toEqual(as("receipts", "ethereum-etl"));
  });
});

const BLOB = 131_072n;

/**
 * Returns blocks after the last known change to the blob parameters. The second and the last have a blob
 * transaction.
 */
function withBlobs(excess: readonly bigint[]): JsonBlock[] {
  return structuredClone(json).map(({ block, receipts }, i) => {
    const isBlob = i % 2 === 1;
    const changed = {
      ...{ ...block, timestamp: toQuantity(1_800_000_000 + 12 * i), baseFeePerGas: "0x1" },
      ...{ excessBlobGas: toQuantity(excess[i] ?? 0n), blobGasUsed: toQuantity(isBlob ? 3n * BLOB : 0n) },
    };
    const [first] = changed.transactions;
    if (isBlob && first !== undefined) {
      Object.assign(first, { type: "0x3", blobVersionedHashes: Array(3).fill(`0x01${"0".repeat(62)}`) });
      Object.assign(first, { maxFeePerGas: "0x9", maxPriorityFeePerGas: "0x1", accessList: [] });
    }
    const number = Number(block.number);
    const types = parseBlock(changed, number).transactions.map(({ type }) => type);
    const encoded = parseReceipts(receipts, number).map((one, at) => encodeReceipt(one, types[at] ?? 0));
    return { block: { ...changed, receiptsRoot: orderedRoot(encoded) }, receipts };
  });
}

describe("fees of blobs", () => {
  /** Excess blob gas of the first block. The target is 14 blobs. */
  const START = 200_000_000n;

  /** Returns the price of blob gas that the first transaction of each block paid. */
  async function pricesOf(blocks: JsonBlock[], from?: number): Promise<number[]> {
    const path = written(etlTables(blocks), ETL);
    const found = await read(path, { node: headerNode(blocks) }, from);
    return found.flatMap(({ transactions: [first] }) =>
      first === undefined
        ? []
        : Number(first.fee - BigInt(first.gasUsed) * first.gasPrice) / Number(3n * BLOB),
    );
  }

  it("follow from the header and the parameters that its excess blob gas confirms", async () => {
    const excess = [0n, 14n, 25n, 39n].map((blobs) => START - blobs * BLOB);
    const priceAt = (i: number) => Math.floor(Math.exp(Number(excess[i]) / 11_684_671));
    expect(await pricesOf(withBlobs(excess))).toEqual([0, priceAt(1), 0, priceAt(3)]);
  });

  it("are refused after a fork with other parameters, but blocks without blobs are not", async () => {
    const excess = [0n, 14n, 11n, 32n].map((blobs) => START - blobs * BLOB);
    const unknown = /block 17686113: the blob parameters of this block are not supported by this version/;
    await expect(pricesOf(withBlobs(excess))).rejects.toThrow(unknown);
    // The block is also refused if it is the first block that is read.
    await expect(pricesOf(withBlobs(excess), FIRST + 3)).rejects.toThrow(unknown);
    const withoutLast = withBlobs(excess).slice(0, 3);
    expect(await pricesOf(withoutLast)).toHaveLength(3);
  });
});

describe("files of the AWS dataset", () => {
  it("give the blocks of an endpoint if a node provides the transactions, and are refused without one", async () => {
    const path = written(awsTables(json), AWS);
    expect(await read(path, { node })).toEqual(as("block", "aws"));
    await expect(read(path, { allowUnproven: true })).rejects.toThrow(
      /the aws files lack exact transaction values. Pass any full node with --rpc/,
    );
  });
});

describe("blocks of tables", () => {
  it.each([
    ["cryo", cryoTables, CRYO],
    ["ethereum-etl", etlTables, ETL],
    ["AWS", awsTables, AWS],
  ] as const)("of %s are the same from a thread and from the main thread", async (_name, tables, how) => {
    const path = written(tables(json), how);
    const before = prover.proven;
    const blocks = await read(path, { node });
    expect(prover.proven - before).toBe(json.length);
    expect(await read(path, { node, prover: new Prover(0) })).toEqual(blocks);
  });

  it("end with the reason of an abort while a thread works", async () => {
    const idle = `require("node:worker_threads").parentPort.on("message", () => {})`;
    let started = () => {};
    const hasStarted = new Promise<void>((resolve) => {
      started = resolve;
    });
    const busy = new Prover(1, () => {
      started();
      return new Worker(idle, { eval: true });
    });
    const tables = await openTables(await tableFilesAt(written(cryoTables(json), CRYO)));
    const base = { chainId: 1, anchor: null, allowUnproven: false, stored: null, prover: busy };
    const source = await openTableSource({ ...base, tables, node });
    const stop = new AbortController();
    const reading = (async () => {
      for await (const _ of source.blocks(source.range, stop.signal));
    })();
    await hasStarted;
    stop.abort(new RangeError("enough"));
    await expect(reading).rejects.toThrow("enough");
    await busy.close();
  });
});
