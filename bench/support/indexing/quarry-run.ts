/**
 * Indexes blocks of a node into all tables of an embedded engine: with the threads that prove blocks, but
 * without a service.
 *
 *   node --import tsx bench/support/indexing/quarry-run.ts '{"url":"http://...","from":1,...}'
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ethereum } from "../../../src/chains/ethereum.ts";
import { sql } from "../../../src/engine-sql/sql-text.ts";
import { Indexer } from "../../../src/ingest/indexer.ts";
import { Prover } from "../../../src/sources/prover/prover.ts";
import { openRpcSource } from "../../../src/sources/rpc-source.ts";
import { openChainStore } from "../../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { type BlockSpan, measured, printRun } from "./run.ts";

export interface QuarrySpan extends BlockSpan {
  verify: boolean;
  threads: number;
}

const span = JSON.parse(process.argv[2] ?? "{}") as QuarrySpan;
const folder = mkdtempSync(join(tmpdir(), "quarry-bench-"));
const engine = await openEmbeddedEngine({ path: folder });
const prover = new Prover(span.threads);
const logger = { info: () => {}, warn: (fields: object, message: string) => console.error(message, fields) };

/** Indexes the blocks. Returns the number of stored logs. */
async function index(name: string, from: number, to: number): Promise<number> {
  const chain = { ...ethereum, name };
  const source = await openRpcSource({ urls: [span.url], chain, verify: span.verify, prover });
  const store = await openChainStore(engine, name);
  const { signal } = new AbortController();
  await new Indexer({ chain, source, store, engine, from, to, signal, logger }).run();
  await source.close();
  return storedLogs(name);
}

async function storedLogs(chain: string): Promise<number> {
  const [row] = await engine.query<{ logs: number }>(
    sql`SELECT count() AS logs FROM ${engineTable(chain, "logs")}`,
  );
  return row?.logs ?? 0;
}

// Uses another chain, so that the measured one begins with empty caches and tables.
await index("warmup", span.from, span.measuredFrom - 1);
printRun(await measured(() => index(ethereum.name, span.measuredFrom, span.to)));
await prover.close();
await engine.close();
rmSync(folder, { recursive: true });
process.exit(0);
