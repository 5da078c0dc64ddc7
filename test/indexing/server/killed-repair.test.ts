import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sql } from "../../../src/engine-sql/sql-text.ts";
import { connectServerEngine } from "../../../src/storage/engines/server/server-engine.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { type ClickHouseServer, startClickHouse } from "../../support/engine/clickhouse-server.ts";
import { HoldingServer } from "../../support/engine/servers/holding-server.ts";
import { type Checksums, checksums } from "../../support/engine/table-checksums.ts";
import { bundleCounts, MAINNET } from "../../support/nodes/bundles.ts";
import { startReplayNode } from "../../support/nodes/replay/replay-node.ts";
import {
  type Finished,
  type Node,
  postSql,
  type Running,
  runQuarry,
  startQuarry,
  temporaryFolder,
} from "../../support/processes/processes.ts";

const { first } = bundleCounts(MAINNET);
const BLOCKS = 4;
const last = first + BLOCKS - 1;
/** A block between other blocks, so that the repair must replace it. */
const DAMAGED = first + 1;
const SQL = "SELECT COUNT(*) AS n FROM eth_blocks";
/** Test timeout. A killed process keeps the right to write for half a minute. */
const KILL_MS = 240_000;
/**
 * Matches statements that write new rows of blocks. A repair writes them to a copy, which readers do not see.
 */
const NEW_ROWS = /INSERT INTO `?eth_blocks(?:_replacement)?`? \(/;
/** Matches statements that remove or replace rows that readers see. */
const VISIBLE = /ALTER TABLE `?eth_\w+(?<!_replacement)`? (?:REPLACE PARTITION|DROP PART)/;
const UNCACHED = ["--sql-cache-memory", "0", "--serving-memory", "0"];

describe("quarry doctor --repair on a ClickHouse server, killed in the middle", () => {
  const folder = temporaryFolder();
  let node: Node;
  let server: ClickHouseServer;
  let holding: HoldingServer;
  let engine: Engine;
  let service: Running;
  let url: string;
  let undamaged: Checksums;

  beforeAll(async () => {
    node = await startReplayNode([MAINNET]);
    server = await startClickHouse(folder.path);
    holding = new HoldingServer(server.url);
    await holding.start();
    expect(await index()).toMatchObject({ code: 0 });
    engine = await connectServerEngine(server);
    undamaged = await checksums(engine, "eth");
    service = startQuarry([
      "serve",
      "--clickhouse",
      server.url,
      "--port",
      "0",
      "--workers",
      "1",
      ...UNCACHED,
    ]);
    [, url = ""] = await service.printed(/serving on (http:\/\/[\w.:]+)/);
  });

  afterAll(async () => {
    await service?.stop();
    await engine?.close();
    await Promise.all([node?.stop(), holding?.stop(), server?.stop()]);
    folder.remove();
  });

  const index = (): Promise<Finished> =>
    runQuarry([
      ...["index", "--rpc", node.url, "--clickhouse", server.url, "--chain", "eth"],
      ...["--from", String(first), "--to", String(last)],
    ]);
  const doctor = (address: string): Running =>
    startQuarry(["doctor", "--repair", "--rpc", node.url, "--clickhouse", address, "--port", "0"]);

  async function damage(): Promise<Checksums> {
    await engine.execute(
      `ALTER TABLE eth_logs DELETE WHERE block_number = ${DAMAGED} AND log_index = 7 SETTINGS mutations_sync = 1` as Sql,
    );
    const damaged = await checksums(engine, "eth");
    expect(damaged).not.toEqual(undamaged);
    return damaged;
  }

  /**
   * Kills a repair while it waits for the n-th statement that matches. Returns what a reader gets before and
   * after the kill.
   */
  async function killAt(statement: RegExp, n: number): Promise<string[]> {
    const held = holding.held(statement, n);
    const repair = doctor(holding.url);
    await Promise.race([
      held,
      repair.finished.then(({ stdout, stderr }) => expect.fail(`not held: ${stdout}${stderr}`)),
    ]);
    const during = await answer();
    await repair.stop("SIGKILL");
    return [during, await answer()];
  }

  async function answer(): Promise<string> {
    const response = await postSql(url, SQL);
    const body = await response.text();
    return response.ok ? `${JSON.parse(body)[0].n} blocks` : `${response.status}: ${body}`;
  }

  const whole = `${BLOCKS} blocks`;

  it(
    "before it changes anything: readers miss nothing, and the damage remains",
    async () => {
      const damaged = await damage();
      expect(await killAt(NEW_ROWS, 1)).toEqual([whole, whole]);
      expect(await checksums(engine, "eth")).toEqual(damaged);
      const { code, stdout, stderr } = await doctor(server.url).finished;
      expect(code, stdout + stderr).toBe(0);
      expect(await checksums(engine, "eth")).toEqual(undamaged);
      expect(await answer()).toBe(whole);
    },
    KILL_MS,
  );

  it.each([
    ["index", index],
    ["doctor --repair", () => doctor(server.url).finished],
  ])(
    "while it replaces rows: readers get no rows until quarry %s completes the repair",
    async (_, complete) => {
      await damage();
      const refused = expect.stringMatching(/^503: /);
      expect(await killAt(VISIBLE, 3)).toEqual([refused, refused]);
      const { code, stdout, stderr } = await complete();
      expect(code, stdout + stderr).toBe(0);
      expect(await checksums(engine, "eth")).toEqual(undamaged);
      await expect.poll(answer).toBe(whole);
    },
    KILL_MS,
  );
});
