import { expect, it } from "vitest";
import { lateAfterSeconds } from "./block-time.ts";

it.each([
  [null, 60],
  [12, 60],
  [2, 16],
  [0.25, 15],
])("calls a chain late by its pace: with a block each %j s after %i s", (blockSeconds, late) =>
  expect(lateAfterSeconds(blockSeconds)).toBe(late),
);
