import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { wholeOf } from "../../../lib/async/whole-of.ts";
import { AnswerMemory, ReceivedAnswer } from "./received-answer.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "quarry-answer-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const PIECE = 1_000;

/** Makes pieces of 1,000 bytes, each of another letter. */
async function* pieces(count: number) {
  for (let i = 0; i < count; i++) yield new Uint8Array(PIECE).fill(97 + (i % 26));
}

async function received(count: number, memory: AnswerMemory) {
  const path = join(folder, `${Math.random()}.out`);
  const answer = new ReceivedAnswer(path, memory);
  await answer.receive(pieces(count));
  return { answer, path };
}

it("keeps a small answer in memory", async () => {
  const memory = new AnswerMemory(10 * PIECE);
  const { answer, path } = await received(3, memory);
  expect([existsSync(path), memory.used]).toEqual([false, 3 * PIECE]);
  expect(await wholeOf(answer.read())).toEqual(await wholeOf(pieces(3)));
  expect(memory.used).toBe(0);
});

it("writes what exceeds half of the free memory to a file, which it removes", async () => {
  const memory = new AnswerMemory(10 * PIECE);
  const { answer, path } = await received(30, memory);
  expect([existsSync(path), memory.used]).toEqual([true, 5 * PIECE]);
  const { answer: next } = await received(30, memory);
  expect(memory.used).toBe(7 * PIECE);
  expect(await wholeOf(answer.read())).toEqual(await wholeOf(pieces(30)));
  expect([existsSync(path), memory.used]).toEqual([false, 2 * PIECE]);
  await next.discard();
  expect(memory.used).toBe(0);
});

it("frees memory and file if the reader stops early, or an error comes first", async () => {
  const memory = new AnswerMemory(10 * PIECE);
  const { answer, path } = await received(30, memory);
  for await (const piece of answer.read()) {
    expect(piece).toHaveLength(PIECE);
    break;
  }
  expect([existsSync(path), memory.used]).toEqual([false, 0]);
  const failing = new ReceivedAnswer(join(folder, "failing.out"), memory);
  const broken = async function* () {
    yield* pieces(30);
    throw new Error("the engine has stopped");
  };
  await expect(failing.receive(broken())).rejects.toThrow("has stopped");
  await failing.discard();
  expect([existsSync(join(folder, "failing.out")), memory.used]).toEqual([false, 0]);
});
