import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { spool } from "./spool.ts";

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield Buffer.from(`${i},`);
}

const files = () =>
  readdirSync(tmpdir())
    .filter((name) => name.startsWith("quarry-answer-"))
    .sort();
const expected = (count: number) => Array.from({ length: count }, (_, i) => `${i},`).join("");
const closed = (stream: NodeJS.ReadableStream) => new Promise((resolve) => stream.once("close", resolve));
const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

describe("spool", () => {
  it.each([0, 3, 1000])("gives back what it collected, in memory or not: %i pieces", async (count) => {
    const before = files();
    const stream = await spool(pieces(count), { memoryBytes: 100, maxBytes: 1e6 });
    expect(files()).toHaveLength(before.length + (count === 1000 ? 1 : 0));
    expect(await text(stream)).toBe(expected(count));
    await settled();
    expect(files()).toEqual(before);
  });

  it("removes its file when nobody reads it", async () => {
    const before = files();
    const stream = await spool(pieces(1000), { memoryBytes: 100, maxBytes: 1e6 });
    const end = closed(stream);
    stream.destroy();
    await end;
    await settled();
    expect(files()).toEqual(before);
  });

  it("refuses more than its bound and leaves no file", async () => {
    const before = files();
    const result = spool(pieces(100_000), { memoryBytes: 10, maxBytes: 2 ** 14 });
    await expect(result).rejects.toMatchObject({ code: "too-large" });
    expect(files()).toEqual(before);
  });
});
