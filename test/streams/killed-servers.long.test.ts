import { it } from "vitest";
import { expectTablesDespiteKills } from "./support/kill-run.ts";

/** The form that runs in CI is killed-servers.test.ts. */
const CLIENTS = Number(process.env.QUARRY_STREAM_CLIENTS ?? 200);
const MOVES = Number(process.env.QUARRY_STREAM_STEPS ?? 300);
const SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);

/** On two busy cores, the default takes about eight minutes. */
const TIMEOUT_MS = 3_600_000;

it.each([
  { writing: "index", writerKills: 2 },
  { writing: "start", writerKills: 0 },
] as const)(
  "many clients have the tables after everything was killed: quarry $writing",
  (processes) => expectTablesDespiteKills({ seed: SEED, clients: CLIENTS, moves: MOVES, ...processes }),
  TIMEOUT_MS,
);
