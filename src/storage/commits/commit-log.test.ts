import { expect, it } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { defineTables } from "../tables/table-definitions.ts";
import { appendCommit, wasRewritten } from "./commit-log.ts";

it("takes a commit that is gone, or whose number a lower one got, for a rewritten one", async () => {
  const { engine, close } = await openFreshEngine();
  await defineTables(engine, "eth");
  const commit = {
    ...{ sequence: 3, firstBlock: 1, blockNumber: 9, blockHash: `0x${"ab".repeat(32)}` as const },
    ...{ timestamp: 1_700_000_000, finalized: null, committedAt: 1_700_000_001 },
  };
  expect(await wasRewritten(engine, "eth", commit)).toBe(true);
  await appendCommit(engine, "eth", commit);
  expect(await wasRewritten(engine, "eth", commit)).toBe(false);
  // The snapshot for a day of an export ends before the newest block.
  expect(await wasRewritten(engine, "eth", { sequence: 3, blockNumber: 7 })).toBe(false);
  expect(await wasRewritten(engine, "eth", { sequence: 3, blockNumber: 10 })).toBe(true);
  await close();
});
