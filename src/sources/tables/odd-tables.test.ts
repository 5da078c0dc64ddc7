import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, describe, expect, it } from "vitest";
import { encodeHeader } from "../../../test/support/era-files/encoded-block.ts";
import { wholeBlocks } from "../../../test/support/era-files/whole-blocks.ts";
import { cryoTables } from "../../../test/support/table-files/cryo-tables.ts";
import { etlTables } from "../../../test/support/table-files/etl-tables.ts";
import { headerNode } from "../../../test/support/table-files/header-node.ts";
import type { JsonBlock, TableColumns, TableOfFile } from "../../../test/support/table-files/table-rows.ts";
import { csvOf, jsonOf, parquetOf, writeTables } from "../../../test/support/table-files/write-tables.ts";
import { BaseError } from "../../lib/error.ts";
import type { Block } from "../../schema/block.ts";
import { Prover } from "../prover/prover.ts";
import { keccakHex } from "../verify/encoding.ts";
import { orderedRoot } from "../verify/ordered-root.ts";
import { parseBlock } from "../wire/parse.ts";
import { ParquetFile } from "./parquet/parquet-file.ts";
import { openTables, tableFilesAt } from "./table-files.ts";
import { openTableSource, type TableSourceOptions } from "./table-source.ts";

const json = wholeBlocks(1) as unknown as JsonBlock[];
const FIRST = Number(json[0]?.block.number);
const folder = mkdtempSync(join(tmpdir(), "quarry-odd-"));
const prover = new Prover(0);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await prover.close();
});

let folders = 0;

function written(
  tables: TableOfFile,
  write: (table: TableColumns) => Buffer = parquetOf,
  extension = "parquet",
): string {
  const nameOf = (kind: string) => `${kind}.${extension}`;
  return writeTables(join(folder, String(folders++)), tables, { write, nameOf });
}

async function read(
  path: string,
  options: Partial<TableSourceOptions> = {},
  from?: number,
): Promise<Block[]> {
  const tables = await openTables(await tableFilesAt(path));
  const base = { tables, chainId: 1, node: null, anchor: null, allowUnproven: true, stored: null, prover };
  const source = await openTableSource({ ...base, ...options });
  const blocks: Block[] = [];
  const range = { from: from ?? source.range.from, to: source.range.to };
  for await (const block of source.blocks(range, new AbortController().signal)) blocks.push(block);
  return blocks;
}

/** Returns the tables with one column of one kind of file replaced. */
function withColumn(
  tables: TableOfFile,
  kind: keyof TableOfFile,
  name: string,
  column: TableColumns[string],
) {
  return { ...tables, [kind]: { ...tables[kind], [name]: column } };
}

const cellsOf = (tables: TableOfFile, kind: keyof TableOfFile, name: string) => [
  ...(tables[kind]?.[name]?.cells ?? []),
];

/** Returns the block with some fields changed, and with the hash that results from them. */
function changedBlock(one: JsonBlock, change: Record<string, unknown>, receipts = one.receipts): JsonBlock {
  const block = { ...one.block, ...change } as JsonBlock["block"];
  block.hash = keccakHex(encodeHeader(parseBlock(block, Number(block.number))));
  return { block, receipts };
}

const NOTHING = orderedRoot([]);
const empty = changedBlock(
  json[0] as JsonBlock,
  {
    transactions: [],
    gasUsed: "0x0",
    logsBloom: `0x${"0".repeat(512)}`,
    ...{ transactionsRoot: NOTHING, receiptsRoot: NOTHING },
  },
  [],
);

describe("folders of files", () => {
  it("may have a byte order mark before JSON lines", async () => {
    const marked = (table: TableColumns) => Buffer.concat([Buffer.from("\uFEFF"), jsonOf(table)]);
    const expected = await read(written(etlTables(json), jsonOf, "json"));
    expect(await read(written(etlTables(json), marked, "json"))).toEqual(expected);
  });

  it("may have names in capitals, links, and a byte order mark", async () => {
    const expected = await read(written(etlTables(json), csvOf, "csv"));
    expect(await read(written(etlTables(json), csvOf, "CSV"))).toEqual(expected);
    const marked = (table: TableColumns) => Buffer.concat([Buffer.from("\uFEFF"), csvOf(table)]);
    expect(await read(written(etlTables(json), marked, "csv"))).toEqual(expected);
    const real = written(etlTables(json), jsonOf, "json");
    const links = join(folder, "links");
    mkdirSync(links);
    for (const kind of ["blocks", "transactions", "receipts", "logs"]) {
      symlinkSync(join(real, `${kind}.json`), join(links, `${kind}.json`));
    }
    expect(await read(links)).toEqual(expected);
  });

  it("may have other files, also hidden ones and those without a line break", async () => {
    const path = written(etlTables(json), csvOf, "csv");
    writeFileSync(join(path, "manifest.json"), '{"files": 4}');
    writeFileSync(join(path, "package.json"), '{\n  "name": "export"\n}');
    writeFileSync(join(path, "._blocks.csv"), "\0\0\0\x05");
    writeFileSync(join(path, "token_transfers.csv"), "token_address,value\n0x11,1\n");
    expect(await read(path)).toHaveLength(1);
  });

  it("name what they lack, and files whose columns are not known", async () => {
    const tables = etlTables(json);
    const capitals = Object.fromEntries(
      Object.entries(tables.logs).map(([name, column]) => [name.toUpperCase(), column]),
    );
    await expect(read(written({ ...tables, logs: capitals }, csvOf, "csv"))).rejects.toThrow(
      /no ethereum-etl file has logs\..*These files have unknown columns: logs\.csv/,
    );
  });

  it("of blocks without transactions need no rows of them", async () => {
    const [only] = await read(written(cryoTables([empty])));
    expect(only?.transactions).toEqual([]);
    expect(await read(written(etlTables([empty]), csvOf, "csv"))).toHaveLength(1);
    expect(await read(written(etlTables([empty]), jsonOf, "json"))).toHaveLength(1);
  });

  it("name their first block if an earlier one is wanted", async () => {
    await expect(read(written(cryoTables(json)), {}, FIRST - 5)).rejects.toThrow(
      `the files begin with block ${FIRST}, but block ${FIRST - 5} is needed`,
    );
  });

  it("must lead to the anchor, also with a node", async () => {
    const anchor: `0x${string}` = `0x${"12".repeat(32)}`;
    await expect(read(written(cryoTables(json)), { node: headerNode(json), anchor })).rejects.toThrow(
      /the last block of the files has the hash 0x[0-9a-f]{64}, but --anchor is 0x1212/,
    );
  });
});

describe("odd cells of Parquet files", () => {
  const tables = cryoTables(json);
  const path = (
    kind: keyof TableOfFile,
    name: string,
    cells: unknown[],
    type: TableColumns[string]["type"],
  ) => written(withColumn(tables, kind, name, { type, cells }));
  const changed = (kind: keyof TableOfFile, name: string, row: number, cell: unknown) =>
    cellsOf(tables, kind, name).with(row, cell);

  it.each([
    ["transactions", "gas_used", "text", "21000.5", /column gas_used: the value is not a number/],
    ["transactions", "gas_used", "text", "-1", /column gas_used: the value is not a number/],
    ["transactions", "nonce", "text", "1e18", /column nonce: the value is not a number/],
    [
      "transactions",
      "value_binary",
      "text",
      "9".repeat(78),
      /column value_binary: the value is not a number/,
    ],
    ["transactions", "from_address", "text", "0x11", /column from_address: the value is not 20 bytes/],
    ["transactions", "success", "text", "maybe", /column success: the value is not true or false/],
    ["logs", "topic0", "text", `0x${"1".repeat(62)}`, /column topic0: the value is not 32 bytes/],
    [
      "logs",
      "block_number",
      "text",
      null,
      /logs\.parquet, row 11, column block_number: the value is missing/,
    ],
  ] as const)("of %s, %s as %s with %j are named and refused", async (kind, name, type, cell, message) => {
    const text = cellsOf(tables, kind, name).map((one) => (one === null ? null : String(one)));
    const run = read(path(kind, name, text.with(10, cell), type));
    await expect(run).rejects.toThrow(message);
    await expect(run).rejects.toThrow(/row 11/);
  });

  it("that are text instead of bytes and numbers give the same block", async () => {
    const text = cellsOf(tables, "transactions", "gas_used").map(String);
    expect(await read(path("transactions", "gas_used", text, "text"))).toEqual(await read(written(tables)));
  });

  it("that are rounded are not read", async () => {
    const doubles = cellsOf(tables, "transactions", "gas_used").map(Number);
    await expect(read(path("transactions", "gas_used", doubles, "double"))).rejects.toThrow(
      /column gas_used: the value is missing/,
    );
    await expect(
      read(path("transactions", "gas_used", changed("transactions", "gas_used", 3, null), "u64")),
    ).rejects.toThrow(/row 4, column gas_used: the value is missing/);
  });

  it("are not read as whole numbers if they are decimals", async () => {
    const file = join(folder, "decimal.parquet");
    const schema = [
      { name: "root", num_children: 1 },
      {
        ...{ name: "value", type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, repetition_type: "REQUIRED" },
        logical_type: { type: "DECIMAL", precision: 38, scale: 2 },
      },
    ] as NonNullable<Parameters<typeof parquetWriteBuffer>[0]["schema"]>;
    const columnData = [{ name: "value", data: [Buffer.alloc(16, 1)] }] as never;
    writeFileSync(file, Buffer.from(parquetWriteBuffer({ columnData, schema })));
    const opened = await ParquetFile.open(file);
    expect([...opened.roundedColumns]).toEqual(["value"]);
    await opened.close();
  });
});

it("a small file that repeats long values in a block is refused", async () => {
  const tables = cryoTables(json);
  const long = ["0x11", "0x22"].map((text) => text.padEnd(4 * 2 ** 20, "0"));
  const cells = cellsOf(tables, "logs", "data").map((_, row) => long[row % 2]);
  const path = written(withColumn(tables, "logs", "data", { type: "text", cells }));
  expect(statSync(join(path, "logs.parquet")).size).toBeLessThan(2 ** 24);
  await expect(read(path)).rejects.toThrow(
    `logs.parquet, block ${FIRST}, row 1: the block's values take more than 536870912 bytes of memory`,
  );
});

describe("every byte of the footer of a Parquet file", () => {
  /** Reads all rows of a file. Returns their number. */
  async function rowsOf(path: string): Promise<number> {
    const file = await ParquetFile.open(path);
    let rows = 0;
    try {
      const read = { columns: file.columns, blockColumn: "block_number", fromBlock: 0 };
      for await (const batch of file.batches(read)) rows += batch.rows;
      return rows;
    } finally {
      await file.close();
    }
  }

  it("may have a flipped bit: the rows are read, or the error names the file", async () => {
    const table = {
      block_number: { type: "u32", cells: [1n, 2n] },
      data: { type: "bytes", cells: ["0x", "0x11"] },
    };
    const bytes = parquetOf(table as TableColumns);
    const path = join(folder, "flipped.parquet");
    const footer = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
    let refused = 0;
    for (let bit = 8 * footer; bit < 8 * bytes.length; bit += 5) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(path, flipped);
      const error = await rowsOf(path).then(
        () => null,
        (cause: unknown) => cause,
      );
      if (error === null) continue;
      refused++;
      expect(error).toBeInstanceOf(BaseError);
      expect((error as Error).message).toContain("flipped.parquet");
    }
    expect(refused).toBeGreaterThan(100);
  });
});

describe("blocks before Byzantium in files of cryo, whose receipts nothing proves", () => {
  const number = "0x1e8480";
  const one = json[0] as JsonBlock;
  const transactions = one.block.transactions.map((row) => ({ ...row, blockNumber: number }));
  const old = changedBlock(one, { number, transactions });
  for (const row of transactions) Object.assign(row, { blockHash: old.block.hash });

  it("are refused without their last log, which the bloom of the header has", async () => {
    const tables = cryoTables([old]);
    expect((await read(written(tables)))[0]?.proof).toBe("none");
    const cut = Object.fromEntries(
      Object.entries(tables.logs).map(([name, { type, cells }]) => [
        name,
        { type, cells: cells.slice(0, -1) },
      ]),
    );
    await expect(read(written({ ...tables, logs: cut }))).rejects.toThrow(
      /logs\.parquet, block 2000000: logs bloom of the header does not match the logs/,
    );
  });
});
