import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstLines, firstOfArray, jsonArray } from "./json-rows.ts";

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function arrayOf(lines: string[], { maxRows, size }: { maxRows: number; size: number }) {
  const seen = { rows: 0, truncated: false };
  const parts: Uint8Array[] = [];
  const text = lines.map((line) => `${line}\n`).join("");
  for await (const part of jsonArray(pieces(text, size), maxRows, seen)) parts.push(part);
  return { json: JSON.parse(Buffer.concat(parts).toString()), seen };
}

describe("jsonArray", () => {
  it("joins rows into one array however the bytes are split, and reports truncation", async () => {
    const rows = fc.array(
      fc.record({ a: fc.string(), b: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
    );
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (list, size, maxRows) => {
          const lines = list.map((row) => JSON.stringify(row));
          const { json, seen } = await arrayOf(lines, { maxRows, size });
          expect(json).toEqual(lines.slice(0, maxRows).map((line) => JSON.parse(line)));
          expect(seen).toEqual({ rows: Math.min(maxRows, list.length), truncated: list.length > maxRows });
        },
      ),
    );
  });

  it("makes an empty array of no rows", async () => {
    expect(await arrayOf([], { maxRows: 5, size: 1 })).toEqual({
      json: [],
      seen: { rows: 0, truncated: false },
    });
  });

  it("stops reading at the first row beyond the limit", async () => {
    let chunksRead = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        chunksRead++;
        yield Buffer.from('{"a":1}\n');
      }
    }
    const seen = { rows: 0, truncated: false };
    for await (const _ of jsonArray(endless(), 3, seen));
    expect(chunksRead).toBe(4);
    expect(seen).toEqual({ rows: 3, truncated: true });
  });
});

const ROWS = fc.array(fc.record({ a: fc.string(), b: fc.integer() }), { maxLength: 12 });
const CUTS = [ROWS, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 9 })] as const;

async function cutBy(
  cut: typeof firstLines,
  text: string,
  { maxRows, size }: { maxRows: number; size: number },
) {
  const seen = { rows: 0, truncated: false };
  const parts: Uint8Array[] = [];
  for await (const part of cut(pieces(text, size), maxRows, seen)) parts.push(Buffer.from(part));
  return { passed: Buffer.concat(parts).toString(), truncated: seen.truncated };
}

describe("firstOfArray", () => {
  it("passes on the first rows however the bytes are split, and reports truncation", async () => {
    await fc.assert(
      fc.asyncProperty(...CUTS, async (list, size, maxRows) => {
        const text = `[\n${list.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`;
        const { passed, truncated } = await cutBy(firstOfArray, text, { maxRows, size });
        expect(JSON.parse(passed)).toEqual(list.slice(0, maxRows));
        expect(truncated).toBe(list.length > maxRows);
        if (!truncated) expect(passed).toBe(text);
      }),
    );
  });
});

describe("firstLines", () => {
  it("passes on the first lines however the bytes are split, and reports truncation", async () => {
    await fc.assert(
      fc.asyncProperty(...CUTS, async (list, size, maxRows) => {
        const lines = list.map((row) => `${JSON.stringify(row)}\n`);
        const { passed, truncated } = await cutBy(firstLines, lines.join(""), { maxRows, size });
        expect(passed).toBe(lines.slice(0, maxRows).join(""));
        expect(truncated).toBe(list.length > maxRows);
      }),
    );
  });
});

describe.each([
  ["firstOfArray", firstOfArray, '[\n{"a":1}', ',\n{"a":1}', "\n]\n"],
  ["firstLines", firstLines, '{"a":1}\n', '{"a":1}\n', ""],
] as const)("%s", (_, cut, first, next, end) => {
  it("reads its input to the end, so that the engine need not be stopped", async () => {
    let isAtEnd = false;
    async function* rows() {
      for (const text of [first, next, next, next, end]) yield Buffer.from(text);
      isAtEnd = true;
    }
    const seen = { rows: 0, truncated: false };
    for await (const _ of cut(rows(), 2, seen));
    expect([isAtEnd, seen.truncated]).toEqual([true, true]);
  });
});
