import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { canListOpenFiles, spooledAnswers } from "../support/open-files.ts";
import { heldAnswerBytes, spool } from "./buffered-answer.ts";

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield Buffer.from(`${i},`);
}

const expected = (count: number) => Array.from({ length: count }, (_, i) => `${i},`).join("");
/** Of the memory a lone answer gets half. */
const limits = { answerMemoryBytes: 200, answerBytes: 1e6 };

describe("spool", () => {
  it.each([0, 3, 30, 1000])("gives back what it collected, in memory or not: %i pieces", async (count) => {
    expect(await text(await spool(pieces(count), limits))).toBe(expected(count));
  });

  it("refuses more than its bound", async () => {
    const result = spool(pieces(100_000), { answerMemoryBytes: 10, answerBytes: 2 ** 14 });
    await expect(result).rejects.toMatchObject({ code: "too-large" });
  });
});

describe("the memory of spooled answers", () => {
  const MIB = 2 ** 20;
  const part = Buffer.alloc(16 * MIB);
  async function* parts(count: number): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < count; i++) yield part;
  }
  const roomy = { answerMemoryBytes: 128 * MIB, answerBytes: 512 * MIB };

  it("holds an answer's beginning, and is given back when that is read or dropped", async () => {
    const answer = await spool(pieces(1000), limits);
    // Whole pieces, as many as fit.
    expect(heldAnswerBytes()).toBe(98);
    expect(await text(answer)).toBe(expected(1000));
    const dropped = await spool(pieces(1000), limits);
    dropped.destroy();
    await expect(spool(pieces(100_000), { answerMemoryBytes: 10, answerBytes: 2 ** 14 })).rejects.toThrow(
      "larger",
    );
    expect(heldAnswerBytes()).toBe(0);
  });

  it("is bounded over all answers together, each of which leaves half of what is free", async () => {
    const held: number[] = [];
    const answers: Readable[] = [];
    for (const count of [5, 5, 1, 1]) {
      answers.push(await spool(parts(count), roomy));
      held.push(heldAnswerBytes() / MIB);
    }
    expect(held).toEqual([64, 96, 112, 112]);
    let bytes = 0;
    for (const answer of answers) for await (const chunk of answer) bytes += chunk.length;
    expect([bytes, heldAnswerBytes()]).toEqual([12 * part.length, 0]);
  });
});

describe.skipIf(!canListOpenFiles)("files of spooled answers", () => {
  it("are used for large answers only, and closed when read", async () => {
    const small = await spool(pieces(3), limits);
    expect(spooledAnswers()).toBe(0);
    const large = await spool(pieces(1000), limits);
    expect(spooledAnswers()).toBe(1);
    await Promise.all([text(small), text(large)]);
    await expect.poll(spooledAnswers).toBe(0);
  });

  it("are closed when nobody reads the answer, and when it fails", async () => {
    (await spool(pieces(1000), limits)).destroy();
    await expect(spool(pieces(100_000), { answerMemoryBytes: 10, answerBytes: 2 ** 14 })).rejects.toThrow(
      "larger",
    );
    await expect.poll(spooledAnswers).toBe(0);
  });
});
