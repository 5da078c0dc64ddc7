import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChainStore } from "../storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../storage/embedded-engine.ts";
import type { Engine } from "../storage/store.ts";
import { examine } from "./examination.ts";
import type { Finding } from "./finding.ts";
import { CHAIN, damage, dropTables, indexChain, stillSource, tables } from "./support/stored-chain.ts";
import { treat } from "./treatment.ts";

interface Case {
  name: string;
  statements: string[];
  /** Laws that must be named, and the blocks of the first. */
  laws: string[];
  spans: [number, number][];
}

/** Copies rows of a table with some columns changed. */
const again = (table: string, where: string, change: string) =>
  `INSERT INTO sick_${table} SELECT * REPLACE (${change}) FROM sick_${table} WHERE ${where}`;
const change = (table: string, where: string, changed: string) => [
  `CREATE TABLE changed AS sick_${table}`,
  `INSERT INTO changed SELECT * REPLACE (${changed}) FROM sick_${table} WHERE ${where}`,
  `DELETE FROM sick_${table} WHERE ${where}`,
  `INSERT INTO sick_${table} SELECT * FROM changed`,
  "DROP TABLE changed SYNC",
];
const one = (table: string, block: number) =>
  `record_index = (SELECT min(record_index) FROM sick_${table} WHERE block_number = ${block})`;

const CASES: Case[] = [
  {
    name: "a lost log",
    statements: [`DELETE FROM sick_logs WHERE ${one("logs", 20)}`],
    laws: ["rows of logs"],
    spans: [[20, 20]],
  },
];

describe("a stored chain", () => {
  const folder = mkdtempSync(join(tmpdir(), "quarry-doctor-"));
  let engine: Engine;
  let sound: Record<string, unknown>;

  beforeAll(async () => {
    engine = await openEmbeddedEngine({ path: folder });
    await indexChain(engine);
    sound = await tables(engine);
  });

  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  async function examined(): Promise<Finding[]> {
    const commit = await (await openChainStore(engine, CHAIN.name)).committed();
    if (commit === null) throw new Error("nothing is committed");
    return examine({ engine, chain: CHAIN, commit });
  }

  async function treated(findings: readonly Finding[]) {
    const store = await openChainStore(engine, CHAIN.name);
    const signal = new AbortController().signal;
    return treat(findings, { engine, chain: CHAIN, store, source: stillSource(), signal });
  }

  it("that is sound gives no findings", async () => {
    expect(await examined()).toEqual([]);
  });

  it.each(CASES)("with $name is told from a sound one, and mended", async ({ statements, laws, spans }) => {
    await damage(engine, ...statements);
    const findings = await examined();
    expect(findings.map(({ law }) => law)).toEqual(expect.arrayContaining(laws));
    expect(
      findings.find(({ law }) => law === laws[0])?.spans.map(({ first, last }) => [first, last]),
    ).toEqual(spans);
    const { findings: left } = await treated(findings);
    expect(left).toEqual([]);
    expect(await tables(engine)).toEqual(sound);
  });
});
