import { expect, it } from "vitest";
import { lateAfterSeconds } from "./block-time.ts";

it.each([
  [null, 60],
  [12, 60],
  [2, 16],
  [0.25, 15],
])("with a block time of %j s, a chain is late after %i s", (blockSeconds, late) =>
  expect(lateAfterSeconds(blockSeconds)).toBe(late),
);
