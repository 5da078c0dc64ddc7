import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChunkJoiner } from "./chunk-joiner.ts";

const BODY_END = "0\r\n\r\n";
const chunk = (data: string, extension = "") => `${data.length.toString(16)}${extension}\r\n${data}\r\n`;

/** Joins a body that arrives in the given parts. */
function join(...parts: string[]): string[] {
  const joiner = new ChunkJoiner();
  return parts.map((part) => joiner.push(Buffer.from(part, "latin1")).toString("latin1"));
}

/** Splits a string at the given positions, which may be beyond its end. */
function splitAt(text: string, places: number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...ends].map((start, i) => text.slice(start, ends[i]));
}

/** Returns the data of joined chunks, and the bytes after the last one. */
function read(text: string): { data: string; rest: string } {
  let data = "";
  for (let at = 0; ; ) {
    const lineEnd = text.indexOf("\r\n", at);
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    const start = lineEnd + 2;
    if (size === 0) return { data, rest: text.slice(start) };
    data += text.slice(start, start + size);
    at = start + size + 2;
  }
}

describe("chunks that arrive together", () => {
  it("become one", () => {
    expect(join(`${chunk("a").repeat(20)}${BODY_END}`)).toEqual([`${chunk("a".repeat(20))}${BODY_END}`]);
  });

  it("become one for each part of the body that arrives, without delay", () => {
    expect(join("2\r\nab", "\r\n1\r\nc\r\n1\r\nd", "\r\n", "0\r", "\n\r\n")).toEqual([
      chunk("ab"),
      chunk("cd"),
      "",
      "",
      BODY_END,
    ]);
  });

  it("keep what follows the body", () => {
    const next = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n";
    const text = `${chunk("a")}0\r\nTrailer: x\r\n\r\n`;
    expect(join(text + next, next)).toEqual([text + next, next]);
  });

  it("lose their extensions", () => {
    expect(join(`${chunk("ab", ";a=1")}${chunk("c", ';b="\t x"')}0;end\r\n\r\n`)).toEqual([
      `${chunk("abc")}${BODY_END}`,
    ]);
  });

  it("keep their data, however they are divided and arrive", () => {
    const pieces = fc.array(fc.string({ minLength: 1, maxLength: 80, unit: "binary-ascii" }));
    fc.assert(
      fc.property(pieces, fc.array(fc.nat()), (datas, places) => {
        const text = `${datas.map((data) => chunk(data)).join("")}0\r\nA: b\r\n\r\nGET /`;
        const joined = join(...splitAt(text, places)).join("");
        expect(read(joined)).toEqual({ data: datas.join(""), rest: "A: b\r\n\r\nGET /" });
      }),
    );
  });
});

describe("malformed chunks", () => {
  const malformed = "-\r\n";

  it.each([
    ["a size that is no number", "g\r\n"],
    ["no size", "\r\n"],
    ["a size of more than 2^53", "fffffffffffffff\r\n"],
    ["a blank after the size", "1 \r\na\r\n"],
    ["a size whose line ends without CR", "1\na\r\n"],
    ["a size whose line ends without LF", "1\ra\r\n"],
    ["an extension whose line ends without CR", "1;a\na\r\n"],
    ["more data than announced", "1\r\nab\r\n"],
    ["data without LF behind it", "1\r\na\rb"],
  ])("stay malformed, and nothing after them is read: %s", (_case, text) => {
    const [first = "", second] = join(text, chunk("x"));
    expect(first.endsWith(malformed)).toBe(true);
    expect(second).toBe(malformed);
  });

  it("include chunks with extensions of more than 16 KiB in all", () => {
    const extended = chunk("a", `;${"x".repeat(1_000)}`);
    expect(join(extended.repeat(16))).toEqual([chunk("a".repeat(16))]);
    expect(join(extended.repeat(17))).toEqual([chunk("a".repeat(16)) + malformed]);
  });
});
