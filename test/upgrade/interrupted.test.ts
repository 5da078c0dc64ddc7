import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStore } from "../../src/cli/open-store.ts";
import { connectServerEngine } from "../../src/storage/engines/server/server-engine.ts";
import type { Engine } from "../../src/storage/store.ts";
import { startClickHouse } from "../support/engine/clickhouse-server.ts";
import { EXCERPT } from "../support/nodes/bundles.ts";
import { type ReplayNode, startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { runQuarry, startSource, temporaryFolder } from "../support/processes/processes.ts";
import {
  BLOCKS,
  beginNarrow,
  definitionsOf,
  formatOf,
  PROOFS_INDEXED_ON,
  proofsOf,
  rowsOf,
  unpackEarlierData,
} from "./support/earlier-data.ts";

/** Number of kills. For a longer run: QUARRY_KILLS=100. */
const KILLS = Number(process.env.QUARRY_KILLS ?? 4);
/** The engine takes about 0.25 s to start. The upgrade then takes about 0.4 s. */
const SHORTEST_LIFE_MS = 250;
const LONGEST_LIFE_MS = 700;

const folder = temporaryFolder();
const undisturbed = join(folder.path, "undisturbed");
let node: ReplayNode;

beforeAll(async () => {
  node = await startReplayNode([join(EXCERPT, "mainnet-17686110")]);
  unpackEarlierData(undisturbed);
});

afterAll(async () => {
  await node.stop();
  folder.remove();
});

async function stateOf(engine: Engine) {
  return {
    rows: await rowsOf(engine),
    proofs: await proofsOf(engine),
    definitions: await definitionsOf(engine),
  };
}

async function openedState(data: string) {
  const { engine, close } = await openStore({ data });
  try {
    return await stateOf(engine);
  } finally {
    await close();
  }
}

it("an upgrade that is killed at any moment is completed by the next start", {
  timeout: 60_000 + KILLS * 15_000,
}, async () => {
  const expected = await openedState(undisturbed);
  for (let kill = 0; kill < KILLS; kill++) {
    const data = unpackEarlierData(join(folder.path, `killed-${kill}`));
    const child = startSource("test/support/simulation/upgrade-once.ts", [data]);
    await child.printed(/opening/);
    const life = SHORTEST_LIFE_MS + Math.random() * (LONGEST_LIFE_MS - SHORTEST_LIFE_MS);
    await sleep(life);
    const { stdout } = await child.stop("SIGKILL");
    const when = `killed after ${life.toFixed(0)} ms: ${stdout}`;
    expect(await openedState(data), when).toEqual(expected);
    expect(formatOf(data), when).toBe(formatOf(undisturbed));
  }
});

it("the tables of a server are upgraded by the process that indexes, and until then not read", async () => {
  const data = unpackEarlierData(join(folder.path, "server"));
  const server = await startClickHouse(join(data, "engine"));
  try {
    const place = ["--clickhouse", server.url];
    const reading = await runQuarry(["serve", ...place, "--port", "0", "--workers", "1"]);
    expect(reading.stderr).toMatch(/earlier version of Quarry wrote the tables of chain eth.*quarry start/);
    expect(reading.code).not.toBe(0);
    const index = ["index", "--rpc", node.url, ...BLOCKS];
    const indexing = await runQuarry([...index, ...place]);
    expect(indexing, indexing.stderr).toMatchObject({ code: 0 });
    await beginNarrow(join(folder.path, "fresh"));
    const fresh = await runQuarry([...index, "--data", join(folder.path, "fresh")]);
    expect(fresh, fresh.stderr).toMatchObject({ code: 0 });
    const engine = await connectServerEngine(server);
    const found = await stateOf(engine);
    await engine.close();
    expect(found.proofs).toEqual(PROOFS_INDEXED_ON);
    const expected = await openedState(join(folder.path, "fresh"));
    expect(found.rows).toEqual(expected.rows);
    const { columns, indexes, projections } = expected.definitions;
    const shared = (rows: unknown[] = []) =>
      rows.filter((row) => (row as { table: string }).table !== "writers");
    expect(shared(found.definitions.columns)).toEqual(shared(columns));
    expect(found.definitions).toMatchObject({ indexes, projections });
    expect(shared(found.definitions.settings)).toEqual(shared(expected.definitions.settings));
  } finally {
    await server.stop();
  }
});
