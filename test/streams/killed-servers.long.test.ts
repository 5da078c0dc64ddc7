import { expect, it } from "vitest";
import { runWithKills } from "./support/kill-run.ts";

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
  async (processes) => {
    const run = { seed: SEED, clients: CLIENTS, moves: MOVES, ...processes };
    const { differences, figures, history } = await runWithKills(run);
    console.info(`${processes.writing}, seed ${SEED}: ${JSON.stringify(figures)}`);
    expect(differences, `seed ${SEED}\n${history}`).toEqual([]);
    const { resumes = 0, rollbacks = 0, compared = 0 } = figures;
    expect([resumes > CLIENTS, rollbacks > CLIENTS, compared > CLIENTS]).toEqual([true, true, true]);
  },
  TIMEOUT_MS,
);
