import { expect, it } from "vitest";
import { countRollback, DEEP_BLOCKS, NOTHING_DONE } from "./index-counters.ts";

it("counts each deep rollback, also after a deeper one", () => {
  const counters = { ...NOTHING_DONE };
  for (const depth of [1, DEEP_BLOCKS + 5, DEEP_BLOCKS, DEEP_BLOCKS + 1]) countRollback(counters, depth, 0);
  expect(counters).toMatchObject({ rollbacks: 4, deepestRollback: DEEP_BLOCKS + 5, deepRollbacks: 2 });
});
