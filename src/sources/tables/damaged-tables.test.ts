import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { wholeBlocks } from "../../../test/support/era-files/whole-blocks.ts";
import { seeded } from "../../../test/support/seeded.ts";
import { cryoTables } from "../../../test/support/table-files/cryo-tables.ts";
import { awsTables, etlTables } from "../../../test/support/table-files/etl-tables.ts";
import { headerNode } from "../../../test/support/table-files/header-node.ts";
import type { JsonBlock, TableColumns, TableOfFile } from "../../../test/support/table-files/table-rows.ts";
import { csvOf, jsonOf, parquetOf, writeTables } from "../../../test/support/table-files/write-tables.ts";
import { BaseError } from "../../lib/error.ts";
import type { Block } from "../../schema/block.ts";
import { Prover } from "../prover/prover.ts";
import { openTables, tableFilesAt } from "./table-files.ts";
import { openTableSource } from "./table-source.ts";

const json = wholeBlocks(2) as unknown as JsonBlock[];
const ANCHOR = json.at(-1)?.block.hash as `0x${string}`;
const folder = mkdtempSync(join(tmpdir(), "quarry-damaged-"));
const prover = new Prover(1);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await prover.close();
});

type Kind = "blocks" | "transactions" | "logs" | "receipts";

interface Format {
  tables: TableOfFile;
  write: (table: TableColumns) => Buffer;
  nameOf: (kind: string) => string;
  anchor: `0x${string}` | null;
  node?: ReturnType<typeof headerNode>;
}

const CRYO: Format = {
  tables: cryoTables(json),
  write: (table) => parquetOf(table, { rowGroupSize: 100 }),
  nameOf: (kind) => `ethereum__${kind}__17686110_to_17686111.parquet`,
  anchor: ANCHOR,
};
const CSV: Format = { tables: etlTables(json), write: csvOf, nameOf: (kind) => `${kind}.csv`, anchor: null };
const JSON_LINES: Format = { ...CSV, write: jsonOf, nameOf: (kind) => `${kind}.json` };
const AWS: Format = {
  tables: awsTables(json),
  write: (table) => parquetOf(table, { rowGroupSize: 100 }),
  nameOf: (kind) => `${kind}.parquet`,
  anchor: null,
  node: headerNode(json),
};

let folders = 0;

async function read(
  { tables, anchor, node, ...how }: Format,
  change: (path: string) => void = () => {},
  by: Prover = prover,
): Promise<Block[]> {
  const path = writeTables(join(folder, String(folders++)), tables, how);
  change(path);
  const source = await openTableSource({
    tables: await openTables(await tableFilesAt(path)),
    ...{
      chainId: 1,
      node: node ?? null,
      anchor,
      allowUnproven: anchor === null && node === undefined,
      stored: null,
      prover: by,
    },
  });
  const blocks: Block[] = [];
  for await (const block of source.blocks(source.range, new AbortController().signal)) blocks.push(block);
  rmSync(path, { recursive: true });
  return blocks;
}

/** Returns the format with the rows of one kind changed. */
function withRows(format: Format, kind: Kind, change: (cells: unknown[]) => unknown[]): Format {
  const columns = Object.entries(format.tables[kind] as TableColumns);
  const changed = columns.map(([name, { type, cells }]) => [name, { type, cells: change([...cells]) }]);
  return { ...format, tables: { ...format.tables, [kind]: Object.fromEntries(changed) } };
}

async function errorOf(reading: Promise<Block[]>): Promise<string> {
  return reading.then(
    () => "no error",
    (error: Error) => error.message,
  );
}

const without = (row: number) => (cells: unknown[]) => cells.toSpliced(row, 1);
const twice = (row: number) => (cells: unknown[]) => cells.toSpliced(row, 0, cells[row]);
const swapped = (row: number) => (cells: unknown[]) => cells.toSpliced(row, 2, cells[row + 1], cells[row]);

describe.each([
  ["cryo", CRYO],
  ["csv", CSV],
  ["JSON lines", JSON_LINES],
  ["AWS", AWS],
] as const)("changed rows in %s", (_name, format) => {
  const file = (kind: string) => format.nameOf(kind).replaceAll(".", "\\.");

  it.each([
    ["logs", "removed", without(200)],
    ["logs", "repeated", twice(200)],
    ["logs", "swapped", swapped(200)],
    ["transactions", "removed", without(30)],
    ["transactions", "repeated", twice(30)],
    ["transactions", "swapped", swapped(30)],
    ["blocks", "repeated", twice(0)],
    ["blocks", "swapped", swapped(0)],
  ] as const)("of %s that are %s are named and refused", async (kind, _what, change) => {
    const changed = withRows(format, kind, change);
    const error = await errorOf(read(changed));
    expect(error).toMatch(new RegExp(`${file(kind)}.*(row|block|begin)`));
    expect(error).toBe(await errorOf(read(changed, () => {}, new Prover(0))));
  });

  it("without the last rows are refused", async () => {
    const cut = (cells: unknown[]) => cells.slice(0, -1);
    await expect(read(withRows(format, "logs", cut))).rejects.toThrow(
      new RegExp(`^${file("logs")} or (.*), block \\d+: receipts root does not match`),
    );
    await expect(read(withRows(format, "transactions", cut))).rejects.toThrow(/expected|gas|transaction/);
  });
});

describe("damaged files", () => {
  /** Flips one byte of a file. Returns the blocks, or null if the file was refused. */
  async function flipped(format: Format, kind: Kind, place: number): Promise<Block[] | null> {
    try {
      return await read(format, (path) => {
        const file = join(path, format.nameOf(kind));
        const bytes = readFileSync(file);
        const at = Math.floor(place * bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (Math.floor(place * 1e6) % 8));
        writeFileSync(file, bytes);
      });
    } catch (error) {
      expect(error).toBeInstanceOf(BaseError);
      expect((error as Error).message).toMatch(/\.(parquet|csv|json)|no file/);
      return null;
    }
  }

  it.each([
    ["cryo, logs", CRYO, "logs", 3],
    ["cryo, blocks", CRYO, "blocks", 3],
    ["csv, logs", CSV, "logs", 3],
    ["csv, receipts", CSV, "receipts", 3],
    ["JSON lines, logs", JSON_LINES, "logs", 3],
    // Most of these columns are not read, because the node's transactions replace them.
    ["AWS, transactions", AWS, "transactions", 1],
  ] as const)(
    "%s, with any byte flipped, give the same blocks or are refused",
    async (_name, format, kind, leastRefused) => {
      const intact = await read(format);
      const random = seeded(7);
      let refused = 0;
      for (let i = 0; i < 12; i++) {
        const blocks = await flipped(format, kind, random());
        if (blocks === null) refused++;
        else expect(blocks).toEqual(intact);
      }
      expect(refused).toBeGreaterThanOrEqual(leastRefused);
    },
  );

  it("with flipped bytes in transactions give correct logs, and transactions that nothing proves", async () => {
    const intact = await read(CRYO);
    const random = seeded(11);
    for (let i = 0; i < 12; i++) {
      const blocks = await flipped(CRYO, "transactions", random());
      for (const [at, block] of (blocks ?? []).entries()) {
        const logs = (one: Block | undefined) => one?.transactions.map((transaction) => transaction.logs);
        expect(logs(block)).toEqual(logs(intact[at]));
        if (block.proof === "block") expect(block).toEqual(intact[at]);
      }
    }
  });

  it.each([
    ["logs", CRYO],
    ["transactions", CRYO],
    ["logs", CSV],
    ["blocks", JSON_LINES],
    ["transactions", AWS],
  ] as const)("of %s that are truncated are refused", async (kind, format) => {
    for (const part of [0.1, 0.5, 0.999]) {
      const run = read(format, (path) => {
        const file = join(path, format.nameOf(kind));
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.subarray(0, Math.floor(part * bytes.length)));
      });
      await expect(run).rejects.toThrow(new RegExp(format.nameOf(kind).replaceAll(".", "\\.")));
    }
  });
});

describe.each([
  ["cryo", CRYO, cryoTables],
  ["csv", CSV, etlTables],
  ["AWS", AWS, awsTables],
] as const)("several files of %s", (_name, format, tablesOf) => {
  /** Writes a file of one kind for each group of blocks, and a single file for each other kind. */
  function split(kind: Kind, groups: readonly (readonly number[])[]): Promise<Block[]> {
    return read({ ...format, nameOf: (one) => `${one}.${extension}` }, (path) => {
      rmSync(join(path, `${kind}.${extension}`));
      for (const [i, numbers] of groups.entries()) {
        const table = tablesOf(json.filter((_, at) => numbers.includes(at)))[kind] as TableColumns;
        writeFileSync(join(path, `${kind}-${i}.${extension}`), format.write(table));
      }
    });
  }
  const extension = format === CSV ? "csv" : "parquet";
  const [first, second] = json.map(({ block }) => Number(block.number));

  it("are read in order", async () => {
    expect(await split("transactions", [[1], [0]])).toEqual(await read(format));
  });

  it.each(["blocks", "transactions", "logs"] as const)(
    "with a block of %s in two files are refused",
    async (kind) => {
      const overlap = split(kind, [[0, 1], [1]]);
      await expect(overlap).rejects.toThrow(
        `${kind}-0.${extension} has block ${second}, but ${kind}-1.${extension} begins with block ${second}. Give each`,
      );
    },
  );

  it("without those of a block are refused, and the error names what is missing", async () => {
    await expect(split("transactions", [[0]])).rejects.toThrow(
      new RegExp(
        `block ${second}, row \\d+: .*(transactions of this block in the files is 0|the files of transactions lack)`,
      ),
    );
    await expect(split("logs", [[1]])).rejects.toThrow(
      new RegExp(`^(receipts|transactions)\\.${extension}, block ${first}: receipts root does not match`),
    );
    await expect(split("blocks", [[1]])).rejects.toThrow(
      `transactions.${extension}, block ${first}, row 1: block ${first} is missing from the files of blocks`,
    );
  });
});
