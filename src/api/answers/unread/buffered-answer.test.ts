import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { bufferFiles, canListOpenFiles } from "../../support/open-files.ts";
import { answerDiskBytes } from "./answer-disk.ts";
import { bufferAnswer, bufferedBytes } from "./buffered-answer.ts";

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield Buffer.from(`${i},`);
}

const expected = (count: number) => Array.from({ length: count }, (_, i) => `${i},`).join("");
const DISK = { answerDiskBytes: 2 ** 30, clientDiskBytes: 2 ** 30 };
/** A single answer may use half of the memory. */
const limits = { ...DISK, answerMemoryBytes: 200, answerBytes: 1e6 };

describe("bufferAnswer", () => {
  it.each([0, 3, 30, 1000])("returns what it collected, in memory or not: %i pieces", async (count) => {
    expect(await text(await bufferAnswer(pieces(count), limits, "a"))).toBe(expected(count));
  });

  it("rejects an answer beyond its limit", async () => {
    const result = bufferAnswer(
      pieces(100_000),
      { ...DISK, answerMemoryBytes: 10, answerBytes: 2 ** 14 },
      "a",
    );
    await expect(result).rejects.toMatchObject({ code: "too-large" });
  });
});

it("passes over empty pieces", async () => {
  async function* some(): AsyncGenerator<Uint8Array> {
    for (const part of ["", "a", "", "b", ""]) yield Buffer.from(part);
  }
  // A few small pieces are joined; pieces larger than a chunk stay as they are.
  expect(await text(await bufferAnswer(some(), limits, "a"))).toBe("ab");
  async function* large(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(2 ** 20);
    yield Buffer.alloc(0);
    yield Buffer.alloc(3);
  }
  const roomy = { ...DISK, answerMemoryBytes: 2 ** 24, answerBytes: 2 ** 24 };
  expect(await text(await bufferAnswer(large(), roomy, "a"))).toHaveLength(2 ** 20 + 3);
});

it("accepts a small answer, however much memory and disk the answers of other clients take", async () => {
  const MIB = 2 ** 20;
  const full = {
    ...{ answerMemoryBytes: 32 * MIB, answerBytes: 32 * MIB },
    ...{ answerDiskBytes: 32 * MIB, clientDiskBytes: 16 * MIB },
  };
  async function* zeros(bytes: number): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < bytes; i += 2 ** 15) yield Buffer.alloc(Math.min(2 ** 15, bytes - i));
  }
  const held: Readable[] = [];
  for (let client = 0; client < 40; client++) {
    for (let bytes = 32 * MIB; bytes >= 32; bytes /= 2) {
      const answer = await bufferAnswer(zeros(bytes), full, `client ${client}`).catch(() => null);
      if (answer !== null) held.push(answer);
    }
  }
  const large = bufferAnswer(zeros(MIB), full, "another");
  await expect(large).rejects.toMatchObject({ code: "disk-full" });
  const small = await bufferAnswer(pieces(1000), full, "another");
  expect(await text(small)).toBe(expected(1000));
  for (const answer of held) answer.destroy();
  await expect.poll(answerDiskBytes).toBe(0);
});

describe("the memory of buffered answers", () => {
  const MIB = 2 ** 20;
  const part = Buffer.alloc(16 * MIB);
  async function* parts(count: number): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < count; i++) yield part;
  }
  const roomy = { ...DISK, answerMemoryBytes: 128 * MIB, answerBytes: 512 * MIB };

  it("holds the start of an answer, and is freed when the answer is read or dropped", async () => {
    const answer = await bufferAnswer(pieces(1000), limits, "a");
    // Memory holds as many whole pieces as fit.
    expect(bufferedBytes()).toBe(98);
    expect(await text(answer)).toBe(expected(1000));
    const dropped = await bufferAnswer(pieces(1000), limits, "a");
    dropped.destroy();
    await expect(
      bufferAnswer(pieces(100_000), { ...DISK, answerMemoryBytes: 10, answerBytes: 2 ** 14 }, "a"),
    ).rejects.toThrow("larger");
    expect(bufferedBytes()).toBe(0);
  });

  it("is shared by the readers of one answer until the last of them ends", async () => {
    const first = await bufferAnswer(pieces(1000), limits, "a");
    const [second, third] = [first.copy("b"), first.copy("c")];
    expect([second.bytes, bufferedBytes()]).toEqual([first.bytes, 98]);
    third.destroy();
    expect(await text(first)).toBe(expected(1000));
    expect(bufferedBytes()).toBe(98);
    expect(await text(second)).toBe(expected(1000));
    expect(bufferedBytes()).toBe(0);
  });

  it("is limited for all answers together, each of which leaves half of the free memory", async () => {
    const held: number[] = [];
    const answers: Readable[] = [];
    for (const count of [5, 5, 1, 1]) {
      answers.push(await bufferAnswer(parts(count), roomy, "a"));
      held.push(bufferedBytes() / MIB);
    }
    expect(held).toEqual([64, 96, 112, 112]);
    let bytes = 0;
    for (const answer of answers) for await (const chunk of answer) bytes += chunk.length;
    expect([bytes, bufferedBytes()]).toEqual([12 * part.length, 0]);
  });
});

describe("the temporary files of buffered answers", () => {
  const size = expected(1000).length - 98;

  it("are limited for each client, and for all clients together, until the answers are closed", async () => {
    const tight = { ...limits, clientDiskBytes: size * 1.2, answerDiskBytes: size * 3.5 };
    const small = { ...tight, answerMemoryBytes: 0 };
    const held = [await bufferAnswer(pieces(1000), tight, "a"), await bufferAnswer(pieces(900), tight, "b")];
    const before = answerDiskBytes();
    expect(before).toBeGreaterThan(size);
    await expect(bufferAnswer(pieces(1000), small, "a")).rejects.toMatchObject({ code: "busy" });
    await expect(bufferAnswer(pieces(1000), small, "c")).rejects.toMatchObject({ code: "disk-full" });
    expect(answerDiskBytes()).toBe(before);
    await held[0]?.discard();
    const again = await bufferAnswer(pieces(1000), small, "a");
    expect(await text(again)).toBe(expected(1000));
    await held[1]?.discard();
    await expect.poll(answerDiskBytes).toBe(0);
  });
});

describe.skipIf(!canListOpenFiles)("files of buffered answers", () => {
  it("are used only for large answers, and closed when read", async () => {
    const small = await bufferAnswer(pieces(3), limits, "a");
    expect(bufferFiles()).toBe(0);
    const large = await bufferAnswer(pieces(1000), limits, "a");
    expect(bufferFiles()).toBe(1);
    await Promise.all([text(small), text(large)]);
    await expect.poll(bufferFiles).toBe(0);
  });

  it("may be dropped several times", async () => {
    const answer = await bufferAnswer(pieces(1000), limits, "a");
    await Promise.all([answer.discard(), answer.discard()]);
    await answer.discard();
    expect(bufferFiles()).toBe(0);
  });

  it("are closed when the answer is dropped, and when it fails", async () => {
    (await bufferAnswer(pieces(1000), limits, "a")).destroy();
    await expect(
      bufferAnswer(pieces(100_000), { ...DISK, answerMemoryBytes: 10, answerBytes: 2 ** 14 }, "a"),
    ).rejects.toThrow("larger");
    await expect.poll(bufferFiles).toBe(0);
  });
});
