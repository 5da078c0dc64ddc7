import { expect, it } from "vitest";
import { runWithKills } from "./support/kill-run.ts";

/** For a longer run, see killed-servers.long.test.ts. */
const CLIENTS = 12;
const MOVES = 40;
const FIRST_SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);
const SEEDS = Number(process.env.QUARRY_SEEDS ?? 1);

const seeds = Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i);

it.each(seeds)(
  "clients have the tables after their services were killed: seed %i",
  async (seed) => {
    const run = { seed, clients: CLIENTS, moves: MOVES, writing: "index", writerKills: 0 } as const;
    const { differences, figures, history } = await runWithKills(run);
    console.info(`seed ${seed}: ${JSON.stringify(figures)}`);
    expect(differences, `seed ${seed}\n${history}`).toEqual([]);
    const { resumes = 0, rollbacks = 0, compared = 0 } = figures;
    expect([resumes > CLIENTS, rollbacks > CLIENTS, compared > CLIENTS]).toEqual([true, true, true]);
  },
  180_000,
);
