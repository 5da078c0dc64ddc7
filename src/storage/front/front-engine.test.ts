import { statSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeEngine } from "../../../test/support/engine/engine-contract.ts";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import { integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { openEmbeddedEngine } from "../engines/embedded-engine.ts";
import type { Engine, QueryWork, StreamLimits } from "../store.ts";
import { type EngineFront, openEngineFront } from "./engine-front.ts";
import { connectFrontEngine } from "./front-engine.ts";

const folder = temporaryFolder();
let front: EngineFront;
let direct: Engine;
let engine: Engine;

beforeAll(async () => {
  const opened = await openEmbeddedEngine({ path: folder.path });
  direct = opened;
  front = await openEngineFront(opened.transport);
  engine = connectFrontEngine(front.socket);
});
afterAll(async () => {
  await engine.close();
  await front.close();
  await direct.close();
  folder.remove();
});

describeEngine("connectFrontEngine", async () => {
  const own = connectFrontEngine(front.socket);
  return { engine: own, close: () => own.close() };
});

async function answerOf(over: Engine, statement: Sql, format: string, limits: StreamLimits = {}) {
  let work: QueryWork | undefined;
  const pieces: Uint8Array[] = [];
  const onWork = (seen: QueryWork) => {
    work = seen;
  };
  for await (const piece of over.stream(statement, format, { ...limits, onWork })) pieces.push(piece);
  return { bytes: Buffer.concat(pieces), work };
}

const running = sql`SELECT count() AS n FROM system.processes WHERE query LIKE '%100000000000%' AND query NOT LIKE '%processes%' AND NOT is_cancelled`;

describe("an engine over a front", () => {
  it("returns the same bytes and work as the engine itself, however it is read", async () => {
    for (const rows of [0, 3, 200_000]) {
      const statement = sql`SELECT number, 'é\n' AS text, unhex('00ff80') AS bytes FROM numbers(${integer(rows)})`;
      for (const format of ["JSONEachRow", "Parquet"]) {
        for (const limits of [{}, { whileRunning: true }, { whileRunning: true, maxBytes: 10_000 }]) {
          const own = await answerOf(direct, statement, format, limits);
          const found = await answerOf(engine, statement, format, limits);
          expect([found.bytes.equals(own.bytes), found.work]).toEqual([true, own.work]);
        }
      }
    }
  });

  it("reports a failure in the middle of an answer that is streamed while it runs", async () => {
    const failing = sql`SELECT number, throwIf(number = 3000000) AS x FROM numbers(10000000)`;
    let bytes = 0;
    const read = async () => {
      for await (const piece of engine.stream(failing, "JSONEachRow", { whileRunning: true }))
        bytes += piece.length;
    };
    await expect(read()).rejects.toMatchObject({
      code: "engine",
      cause: { message: expect.stringContaining("throwIf") },
    });
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(await engine.query(sql`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
  });

  it("ends a query whose reader stops, and those of a process that disconnects", async () => {
    const endless = sql`SELECT number FROM numbers(100000000000)`;
    for await (const _ of engine.stream(endless, "JSONEachRow", { whileRunning: true })) break;
    await expect.poll(() => direct.query(running)).toEqual([{ n: 0 }]);
    const other = connectFrontEngine(front.socket);
    const lost = other.query(sql`SELECT sum(sipHash64(number)) AS s FROM numbers(100000000000)`);
    const outcome = expect(lost).rejects.toMatchObject({ code: "engine" });
    await expect.poll(() => direct.query(running)).toEqual([{ n: 1 }]);
    await other.close();
    await outcome;
    await expect.poll(() => direct.query(running)).toEqual([{ n: 0 }]);
  });

  it("is offered to this user alone", () => {
    expect(statSync(front.socket).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(front.socket)).mode & 0o777).toBe(0o700);
  });
});
