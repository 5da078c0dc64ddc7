import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, expect, it } from "vitest";
import { DecodeClient } from "./decode-client.ts";

const ROWS = 1_000;
const folder = mkdtempSync(join(tmpdir(), "quarry-decode-"));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Writes a file with one column of up to 256 distinct values, so the index of a row's value takes one byte.
 * Returns its path.
 */
function written(name: string): string {
  const path = join(folder, name);
  const data = Array.from({ length: ROWS }, (_, row) => Buffer.from([row % 256, 1]));
  const columnData = [{ name: "value", data, type: "BYTE_ARRAY" as const }];
  writeFileSync(path, Buffer.from(parquetWriteBuffer({ columnData, codec: "UNCOMPRESSED" })));
  return path;
}

/** Writes a file with one column, whose rows all have the same text. Returns its path. */
function writtenText(name: string, text: string): string {
  const path = join(folder, name);
  const columnData = [{ name: "value", data: Array<string>(ROWS).fill(text), type: "STRING" as const }];
  writeFileSync(path, Buffer.from(parquetWriteBuffer({ columnData })));
  return path;
}

const GROUP = { start: 0, rows: ROWS };
/** Size of the values of `written`: the bytes, their ends, and the rows. */
const SIZE = 2 * 256 + 4 * 256 + 4 * ROWS;
const VALUES = { column: "value", maxBytes: 1_000_000 };

it("decodes columns in another process", async () => {
  const client = new DecodeClient();
  const { file, layout } = await client.open(written("intact.parquet"));
  expect(layout).toEqual({ columns: ["value"], roundedColumns: [], groups: [GROUP] });
  const { values, bytes } = await client.cells(file, GROUP, VALUES);
  expect(bytes).toBe(SIZE);
  const rows = Array.from({ length: ROWS }, (_, row) => row);
  expect(rows.map((row) => [...(values.at(row) as Uint8Array)])).toEqual(rows.map((row) => [row % 256, 1]));
  await client.close(file);
});

it("refuses a file that would take any memory, and decodes the next one", async () => {
  const path = written("endless.parquet");
  const bytes = readFileSync(path);
  // The indices of the values are the last bytes before the footer. The two bytes before them say how many
  // there are.
  const footer = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  const run = footer - ROWS - 2;
  expect([...bytes.subarray(run - 1, run + 4)]).toEqual([8, 0xfb, 0x01, 0, 1]);
  // Claims that one value is repeated two billion times.
  bytes.set([0xfe, 0xff, 0xff, 0xff, 0x0f], run);
  writeFileSync(path, bytes);
  const client = new DecodeClient({ heapMiB: 200 });
  const { file } = await client.open(path);
  await expect(client.cells(file, GROUP, VALUES)).rejects.toThrow(
    "endless.parquet, rows 1 to 1000, column value: it cannot be decoded with 200 MiB of heap and 4096 MiB of memory. Replace the file",
  );
  await client.close(file);
  const intact = await client.open(written("intact.parquet"));
  expect((await client.cells(intact.file, GROUP, VALUES)).values).toHaveLength(ROWS);
  await client.close(intact.file);
});

it("refuses a small file whose pages would take any memory", async () => {
  const path = join(folder, "bomb.parquet");
  const data = [new Uint8Array(400 * 2 ** 20)];
  const compressors = { GZIP: (page: Uint8Array) => Uint8Array.from(gzipSync(page, { level: 1 })) };
  const columnData = [{ name: "value", data, type: "BYTE_ARRAY" as const }];
  writeFileSync(
    path,
    Buffer.from(parquetWriteBuffer({ columnData, codec: "GZIP", compressors, statistics: false })),
  );
  expect(statSync(path).size).toBeLessThan(4 * 2 ** 20);
  const client = new DecodeClient({ memoryMiB: 400 });
  const { file } = await client.open(path);
  const group = { start: 0, rows: 1 };
  await expect(client.cells(file, group, { column: "value", maxBytes: 2 ** 30 })).rejects.toThrow(
    "bomb.parquet, rows 1 to 1, column value: it cannot be decoded with 2048 MiB of heap and 400 MiB of memory",
  );
  await client.close(file);
}, 60_000);

it("sends no values that exceed the size that is left for their row group", async () => {
  const client = new DecodeClient();
  const { file } = await client.open(written("wide.parquet"));
  await expect(client.cells(file, GROUP, { column: "value", maxBytes: SIZE - 1 })).rejects.toThrow(
    "wide.parquet, rows 1 to 1000: the values take more than 1073741824 bytes of memory",
  );
  expect((await client.cells(file, GROUP, { column: "value", maxBytes: SIZE })).values).toHaveLength(ROWS);
  await client.close(file);
});

it("sends a text that a file has only once, in a dictionary, only once", async () => {
  const client = new DecodeClient();
  const path = writtenText("texts.parquet", "a".repeat(10_000));
  expect(statSync(path).size).toBeLessThan(10_000);
  const { file } = await client.open(path);
  const { values, bytes } = await client.cells(file, GROUP, { column: "value", maxBytes: 20_000 });
  expect(bytes).toBe(10_000 + 4 + 4 * ROWS);
  expect(values.at(ROWS - 1)).toBe("a".repeat(10_000));
  await client.close(file);
});

/** Returns the ids of the processes that this process has started to decode files. */
function decoders(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readOr(`/proc/${pid}/cmdline`).includes("decode-process"))
    .filter((pid) => readOr(`/proc/${pid}/stat`).split(") ")[1]?.split(" ")[1] === String(process.pid))
    .map(Number);
}

/** Returns the text of a file in /proc, or an empty string if its process has ended. */
function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

it("goes on with another process if its own is killed, and not at a signal of the terminal", async () => {
  // Processes of earlier tests end when they have been idle for a while.
  const others = decoders();
  const own = () => decoders().filter((pid) => !others.includes(pid));
  const client = new DecodeClient();
  const { file } = await client.open(written("killed.parquet"));
  const before = own();
  expect(before.length).toBeGreaterThan(0);
  for (const pid of before) process.kill(pid, "SIGINT");
  expect((await client.cells(file, GROUP, VALUES)).values).toHaveLength(ROWS);
  expect(own()).toEqual(before);
  for (const pid of before) process.kill(pid, "SIGKILL");
  expect((await client.cells(file, GROUP, VALUES)).values).toHaveLength(ROWS);
  expect(own().filter((pid) => before.includes(pid))).toEqual([]);
  await client.close(file);
});

it("refuses a file that takes too long", async () => {
  const client = new DecodeClient({ timeoutMs: 1 });
  await expect(client.open(written("slow.parquet"))).rejects.toThrow(
    "slow.parquet, footer: it cannot be decoded within 0.001 s",
  );
});
