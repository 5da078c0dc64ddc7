import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstRecordIndex, type RecordNumbering, recordIndexOf } from "./record-index.ts";

const NUMBERINGS: RecordNumbering[] = ["narrow", "wide"];
/** Blocks of a chain with a block every 0.15 s from 2020 until 2100. */
const MOST_BLOCKS = Math.floor((80 * 365.25 * 86_400) / 0.15);

const capacityOf = (numbering: RecordNumbering, block: number) =>
  firstRecordIndex(numbering, block + 1) - firstRecordIndex(numbering, block);

describe.each(NUMBERINGS)("record indexes, %s", (numbering) => {
  it("ascend from block to block and stay below 2^53", () => {
    const anyBlock = fc.oneof(
      fc.integer({ min: 0, max: MOST_BLOCKS }),
      fc.integer({ min: 2 ** 30 - 2, max: 2 ** 30 + 2 }),
    );
    fc.assert(
      fc.property(anyBlock, (block) => {
        const capacity = capacityOf(numbering, block);
        expect(capacity).toBeGreaterThanOrEqual(2 ** 18);
        const last = recordIndexOf(numbering, block, capacity - 1);
        expect(last).toBe(recordIndexOf(numbering, block + 1, 0) - 1);
        expect(last).toBeLessThan(2 ** 53);
        expect(Number.isSafeInteger(last)).toBe(true);
      }),
    );
  });
});

it("indexes of earlier versions have 2^19 rows per block, new ones 2^22 up to block 2^30", () => {
  expect(recordIndexOf("narrow", 7, 5)).toBe(7 * 2 ** 19 + 5);
  expect(recordIndexOf("wide", 7, 2 ** 22 - 1)).toBe(8 * 2 ** 22 - 1);
  expect(capacityOf("wide", 2 ** 30 - 1)).toBe(2 ** 22);
  expect(capacityOf("wide", 2 ** 30)).toBe(2 ** 18);
});

it("a block with more rows pauses indexing, and the message says what to do", () => {
  const paused = (message: string) => expect.objectContaining({ message, retryable: true });
  expect(() => recordIndexOf("wide", 7, 2 ** 22)).toThrow(
    paused("block 7 has more than 4194304 rows of one table, which cannot be stored"),
  );
  expect(() => recordIndexOf("narrow", 7, 2 ** 19)).toThrow(
    paused(
      "block 7 has more than 524288 rows of one table, which cannot be stored. An earlier version of Quarry began this " +
        "index; an index in a new --data directory can store the block",
    ),
  );
});
