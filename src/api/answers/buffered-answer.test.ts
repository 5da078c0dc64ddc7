import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { bufferFiles, canListOpenFiles } from "../support/open-files.ts";
import { bufferAnswer, bufferedBytes } from "./buffered-answer.ts";

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield Buffer.from(`${i},`);
}

const expected = (count: number) => Array.from({ length: count }, (_, i) => `${i},`).join("");
/** A single answer may use half of the memory. */
const limits = { answerMemoryBytes: 200, answerBytes: 1e6 };

describe("bufferAnswer", () => {
  it.each([0, 3, 30, 1000])("returns what it collected, in memory or not: %i pieces", async (count) => {
    expect(await text(await bufferAnswer(pieces(count), limits))).toBe(expected(count));
  });

  it("rejects an answer beyond its limit", async () => {
    const result = bufferAnswer(pieces(100_000), { answerMemoryBytes: 10, answerBytes: 2 ** 14 });
    await expect(result).rejects.toMatchObject({ code: "too-large" });
  });
});

describe("the memory of buffered answers", () => {
  const MIB = 2 ** 20;
  const part = Buffer.alloc(16 * MIB);
  async function* parts(count: number): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < count; i++) yield part;
  }
  const roomy = { answerMemoryBytes: 128 * MIB, answerBytes: 512 * MIB };

  it("holds the start of an answer, and is freed when the answer is read or dropped", async () => {
    const answer = await bufferAnswer(pieces(1000), limits);
    // As many whole pieces as fit.
    expect(bufferedBytes()).toBe(98);
    expect(await text(answer)).toBe(expected(1000));
    const dropped = await bufferAnswer(pieces(1000), limits);
    dropped.destroy();
    await expect(
      bufferAnswer(pieces(100_000), { answerMemoryBytes: 10, answerBytes: 2 ** 14 }),
    ).rejects.toThrow("larger");
    expect(bufferedBytes()).toBe(0);
  });

  it("is limited for all answers together, each of which leaves half of the free memory", async () => {
    const held: number[] = [];
    const answers: Readable[] = [];
    for (const count of [5, 5, 1, 1]) {
      answers.push(await bufferAnswer(parts(count), roomy));
      held.push(bufferedBytes() / MIB);
    }
    expect(held).toEqual([64, 96, 112, 112]);
    let bytes = 0;
    for (const answer of answers) for await (const chunk of answer) bytes += chunk.length;
    expect([bytes, bufferedBytes()]).toEqual([12 * part.length, 0]);
  });
});

describe.skipIf(!canListOpenFiles)("files of buffered answers", () => {
  it("are used only for large answers, and closed when read", async () => {
    const small = await bufferAnswer(pieces(3), limits);
    expect(bufferFiles()).toBe(0);
    const large = await bufferAnswer(pieces(1000), limits);
    expect(bufferFiles()).toBe(1);
    await Promise.all([text(small), text(large)]);
    await expect.poll(bufferFiles).toBe(0);
  });

  it("are closed when the answer is dropped, and when it fails", async () => {
    (await bufferAnswer(pieces(1000), limits)).destroy();
    await expect(
      bufferAnswer(pieces(100_000), { answerMemoryBytes: 10, answerBytes: 2 ** 14 }),
    ).rejects.toThrow("larger");
    await expect.poll(bufferFiles).toBe(0);
  });
});
