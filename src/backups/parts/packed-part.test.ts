import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import { InvalidPart, packedBytes, packPart, unpackPart } from "./packed-part.ts";
import { partFiles } from "./part-files.ts";

let folder: ReturnType<typeof temporaryFolder>;
let part: string;

const FILES: Record<string, string> = {
  "checksums.txt": "checksums of a.bin and count.txt",
  "a.bin": "0123456789".repeat(1_000),
  "amount%2Dusd.cmrk2": "\n{}\n",
  "empty.bin": "",
  "by_wallet.proj/a.bin": "projection",
  "by_wallet.proj/checksums.txt": "checksums",
};

beforeEach(() => {
  folder = temporaryFolder();
  part = writePart("part", FILES);
});
afterEach(() => folder.remove());

function writePart(name: string, files: Record<string, string>): string {
  const path = join(folder.path, name);
  mkdirSync(join(path, "by_wallet.proj"), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

function filesIn(path: string): Record<string, string> {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((file) => [file.slice(path.length + 1), readFileSync(file, "utf8")]));
}

async function packed(): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of packPart(await partFiles(part))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Yields bytes in chunks of these sizes, and then the rest. */
async function* cut(bytes: Buffer, sizes: readonly number[]) {
  let from = 0;
  for (const size of sizes) {
    yield bytes.subarray(from, from + size);
    from += size;
  }
  yield bytes.subarray(from);
}

it("packs a part into one file, and unpacks it however the file arrives", async () => {
  const bytes = await packed();
  expect(bytes.length).toBe(packedBytes(await partFiles(part)));
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(300), { maxLength: 80 }), async (sizes) => {
      const into = join(folder.path, `into-${run++}`);
      await unpackPart(cut(bytes, sizes), into);
      expect(filesIn(into)).toEqual(FILES);
    }),
    { numRuns: 30 },
  );
});

it("refuses a file that is cut off, too long, or not a part", async () => {
  const bytes = await packed();
  const damaged = [
    bytes.subarray(0, -1),
    bytes.subarray(0, 20),
    Buffer.concat([bytes, Buffer.from("x")]),
    Buffer.from("text"),
    Buffer.from('{"files":[["a.bin",-1]]}\n'),
    Buffer.alloc(5 * 1024 ** 2, "x"),
  ];
  for (const [i, content] of damaged.entries())
    await expect(unpackPart(cut(content, []), join(folder.path, `bad-${i}`))).rejects.toThrow(InvalidPart);
});

it("writes no file outside its folder", async () => {
  for (const path of ["../a.bin", "/a.bin", "a/../../b", "a/b/c", "..", "a//b", "a\\b", ""]) {
    const header = Buffer.from(`${JSON.stringify({ files: [[path, 1]] })}\nx`);
    await expect(unpackPart(cut(header, []), join(folder.path, "out", "deep"))).rejects.toThrow(InvalidPart);
  }
  expect(readdirSync(folder.path)).toEqual(["part"]);
});

it("identifies a part by its descriptions and the sizes of its files, wherever it is", async () => {
  const { id } = await partFiles(part);
  expect((await partFiles(writePart("same", FILES))).id).toBe(id);
  const others = [
    { ...FILES, "checksums.txt": "checksums of b.bin and count.txt" },
    { ...FILES, "by_wallet.proj/checksums.txt": "checksumz" },
    { ...FILES, "a.bin": "012" },
    { ...FILES, "b.bin": "" },
  ];
  for (const [i, files] of others.entries())
    expect((await partFiles(writePart(`other-${i}`, files))).id).not.toBe(id);
});
