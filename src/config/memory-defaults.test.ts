import { expect, it } from "vitest";
import { memoryDefaults } from "./memory-defaults.ts";

const GIB = 2 ** 30;

it.each([
  [0.5, { servingMemory: 64, engineMemory: 512, queryMemory: 256 }],
  [1, { servingMemory: 128, engineMemory: 512, queryMemory: 256 }],
  [4, { servingMemory: 512, engineMemory: 1638, queryMemory: 819 }],
  [8, { servingMemory: 1024, engineMemory: 5324, queryMemory: 2048 }],
  [64, { servingMemory: 1024, engineMemory: 56934, queryMemory: 2048 }],
])("%s GiB are divided between the engine, a query and answers from memory", (gib, expected) => {
  expect(memoryDefaults(gib * GIB, true)).toEqual(expected);
});

it("a server's memory is not known here", () => {
  expect(memoryDefaults(GIB, false)).toEqual({ servingMemory: 128 });
});
