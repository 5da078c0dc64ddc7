import { it } from "vitest";
import { expectTablesDespiteKills } from "./support/kill-run.ts";

/** For a longer run, see killed-servers.long.test.ts. */
const CLIENTS = 12;
const MOVES = 40;
const FIRST_SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);
const SEEDS = Number(process.env.QUARRY_SEEDS ?? 1);

const seeds = Array.from({ length: SEEDS }, (_, i) => FIRST_SEED + i);

it.each(seeds)(
  "clients have the tables after their services were killed: seed %i",
  (seed) =>
    expectTablesDespiteKills({ seed, clients: CLIENTS, moves: MOVES, writing: "index", writerKills: 0 }),
  180_000,
);
