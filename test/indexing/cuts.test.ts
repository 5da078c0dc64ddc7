import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { Engine } from "../../src/storage/store.ts";
import { dropChain } from "../support/engine/drop-chain.ts";
import { checksums } from "../support/engine/table-checksums.ts";
import { temporaryFolder } from "../support/processes/processes.ts";
import { Dice } from "../support/simulation/dice.ts";
import { MovingChain } from "../support/simulation/moving-chain.ts";
import { AMPLE, indexSteadily, TIGHT } from "../support/simulation/simulation.ts";

/**
 * Number of runs. For a longer run: QUARRY_CUTS=500. To repeat one failing seed: QUARRY_FIRST_SEED=n
 * QUARRY_CUTS=1.
 */
const CUT_RUNS = Number(process.env.QUARRY_CUTS ?? 3);
const FIRST_SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);

describe("an indexer that stops and continues anywhere", () => {
  const folder = temporaryFolder();
  const finality = { kind: "depth", blocks: 12 } as const;
  let engine: Engine;

  beforeAll(async () => {
    engine = await openEmbeddedEngine({ path: folder.path });
  });

  afterAll(async () => {
    await engine.close();
    folder.remove();
  });

  function randomChain(dice: Dice): MovingChain {
    const blocks = { empty: dice.pick("empty", [0, 0.2]), failed: dice.pick("failed", [0, 0.2]) };
    const moves = { finalityBlocks: 12, leastDepth: 0, grow: 1, fork: 0, flip: 0, cut: 0 };
    return new MovingChain(dice, { blocks, ...moves }, dice.between("length", 60, 160));
  }

  const seeds = Array.from({ length: CUT_RUNS }, (_, i) => FIRST_SEED + i);
  it.each(seeds)(
    "leaves the same tables for any cuts, batches and memory: seed %i",
    {
      timeout: 120_000,
    },
    async (seed) => {
      const dice = new Dice(seed);
      const { blocks } = randomChain(dice);
      const last = blocks.length - 1;
      const from = dice.between("from", 0, 5);
      const cuts = Array.from({ length: dice.between("cuts", 1, 6) }, () =>
        dice.between("cut", from, last - 1),
      );
      const batchLimits = {
        blocks: dice.pick("blocks", [1, 2, 5, 19, 1_000]),
        items: dice.pick("items", [10, 100, 10_000]),
        waitMs: 1_000,
      };
      const cacheLimits = dice.pick("memory", [TIGHT, AMPLE]);
      await indexSteadily(engine, { name: "whole", blocks, from, finality });
      await indexSteadily(engine, {
        name: "pieces",
        blocks,
        from,
        finality,
        cuts: cuts.sort((a, b) => a - b),
        options: { batchLimits, cacheLimits },
      });
      const what = `seed ${seed}: from ${from}, cuts ${cuts}, ${JSON.stringify({ batchLimits, cacheLimits })}`;
      expect(await checksums(engine, "pieces"), what).toEqual(await checksums(engine, "whole"));
      await dropChain(engine, "whole");
      await dropChain(engine, "pieces");
    },
  );
});
