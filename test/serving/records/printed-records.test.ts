import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ethereum } from "../../../src/chains/ethereum.ts";
import { answerExpression } from "../../../src/engine-sql/column-types.ts";
import { recordPrinter } from "../../../src/engine-sql/record-printer.ts";
import { identifier, join, sql } from "../../../src/engine-sql/sql-text.ts";
import { Indexer } from "../../../src/ingest/indexer.ts";
import { publicColumns } from "../../../src/schema/table.ts";
import { PUBLIC_TABLE_NAMES, type TableName, tableOf } from "../../../src/schema/tables.ts";
import { openRpcSource } from "../../../src/sources/rpc-source.ts";
import { openChainStore } from "../../../src/storage/clickhouse-store.ts";
import type { ChainStore, Engine } from "../../../src/storage/store.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { openFreshEngine } from "../../support/engine/fresh-engine.ts";
import { batchOf } from "../../support/engine/random-rows.ts";
import { bundleCounts, MAINNET, USDC_WETH } from "../../support/nodes/bundles.ts";
import { startReplayNode } from "../../support/nodes/replay/replay-node.ts";

type AnyRow = Record<string, unknown>;

const MAX_BLOCKS = 300;

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
afterAll(() => close());

/** Indexes recorded blocks as the service does. */
async function indexBlocks(bundle: string, store: ChainStore, verify: boolean): Promise<void> {
  const node = await startReplayNode([bundle]);
  const chain = { ...ethereum, name: store.chain };
  const logger = { info() {}, warn() {} };
  const source = await openRpcSource({ urls: [node.url], chain, verify, logger });
  const { first: from, last } = bundleCounts(bundle);
  const to = Math.min(last, from + MAX_BLOCKS);
  const { signal } = new AbortController();
  await new Indexer({ chain, source, store, engine, from, to, signal, logger }).run();
  await source.close();
  await node.stop();
}

async function commitRandomRows(store: ChainStore): Promise<void> {
  await store.commit(batchOf({ first: 1, last: 20, rowsPerTable: 4 }));
}

const HISTORIES: Record<string, (store: ChainStore) => Promise<unknown>> = {
  random: commitRandomRows,
  mainnet: (store) => indexBlocks(MAINNET, store, true),
  morning: (store) => indexBlocks(USDC_WETH, store, false),
};

/** Returns every stored record as the engine prints it, in chain order. */
async function storedRecords(chain: string, name: TableName): Promise<string[]> {
  const columns = publicColumns(tableOf(name)).map(
    ([column, { kind }]) =>
      sql`${answerExpression(kind, sql`stored.${identifier(column)}`, "rest")} AS ${identifier(column)}`,
  );
  const from = engineTable(chain, name);
  const pieces: Uint8Array[] = [];
  const statement = sql`SELECT ${join(columns)} FROM ${from} AS stored ORDER BY stored.record_index`;
  for await (const piece of engine.stream(statement, "JSONEachRow")) pieces.push(piece);
  return Buffer.concat(pieces).toString().split("\n").slice(0, -1);
}

describe.each(Object.entries(HISTORIES))("the rows of commits: %s", (chain, commitAll) => {
  const committed = new Map<TableName, AnyRow[]>();

  beforeAll(async () => {
    const store = await openChainStore(engine, chain);
    const add = (name: TableName, rows: AnyRow[]) =>
      void committed.set(name, [...(committed.get(name) ?? []), ...rows]);
    store.follow({
      extended(_, rows) {
        for (const name of PUBLIC_TABLE_NAMES) add(name, rows[name] ?? []);
      },
      rolledBack: () => {},
      replaced: () => {},
    });
    await commitAll(store);
  }, 120_000);

  it.each(PUBLIC_TABLE_NAMES)("%s are in chain order, and print as the engine prints them", async (name) => {
    const print = recordPrinter(tableOf(name));
    const printed = (committed.get(name) ?? []).map(print);
    expect(printed).toEqual(await storedRecords(chain, name));
  });

  it("are many", () => {
    const tables = ["dex_trades", "logs", "transactions"] as const;
    expect(Math.min(...tables.map((name) => committed.get(name)?.length ?? 0))).toBeGreaterThan(50);
  });
});
