import { expect, it } from "vitest";
import { partsOf } from "./parts.ts";

it.each([
  [[], 2, []],
  [[1], 2, [[1]]],
  [
    [1, 2, 3, 4],
    2,
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [[1, 2, 3, 4, 5], 2, [[1, 2], [3, 4], [5]]],
])("splits %j into parts of at most %d", (list, size, parts) => {
  expect(partsOf<number>(list, size)).toEqual(parts);
});
