import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BlockOrigin, BlockProof } from "../../../src/schema/block.ts";
import type { HeaderSource } from "../../../src/sources/blocks/header-fetcher.ts";
import { openEraSource } from "../../../src/sources/files/era-source.ts";
import { localFiles } from "../../../src/sources/files/local-files.ts";
import { Prover } from "../../../src/sources/prover/prover.ts";
import type { Source } from "../../../src/sources/source.ts";
import { openTables, tableFilesAt } from "../../../src/sources/tables/table-files.ts";
import { openTableSource } from "../../../src/sources/tables/table-source.ts";
import { tableChecksumsApart } from "../../support/engine/table-checksums.ts";
import { type WholeBlock, wholeBlocks, writeBundle } from "../../support/era-files/whole-blocks.ts";
import { writeEre } from "../../support/era-files/write-era.ts";
import { type ReplayNode, startReplayNode } from "../../support/nodes/replay/replay-node.ts";
import { type IndexRuns, openIndexRuns } from "../../support/processes/index-runs.ts";
import { runQuarry, startQuarry, temporaryFolder } from "../../support/processes/processes.ts";
import { cryoTables } from "../../support/table-files/cryo-tables.ts";
import { awsTables, etlTables } from "../../support/table-files/etl-tables.ts";
import type { JsonBlock, TableColumns, TableOfFile } from "../../support/table-files/table-rows.ts";
import { csvOf, jsonOf, parquetOf, writeTables } from "../../support/table-files/write-tables.ts";

const folder = temporaryFolder();
const blocks = wholeBlocks(3);
const json = blocks as unknown as JsonBlock[];
const FIRST = Number(blocks[0]?.block.number);
const LAST = FIRST + blocks.length - 1;

let node: ReplayNode;
let runs: IndexRuns;
const prover = new Prover(1);

beforeAll(async () => {
  node = await startReplayNode([writeBundle(folder.path, blocks)]);
  runs = await openIndexRuns();
});

afterAll(async () => {
  await node?.stop();
  await runs?.close();
  await prover.close();
  folder.remove();
});

interface Format {
  origin: BlockOrigin;
  tables: (blocks: readonly JsonBlock[]) => TableOfFile;
  write: (table: TableColumns) => Buffer;
  extension: string;
}

const CRYO: Format = { origin: "cryo", tables: cryoTables, write: parquetOf, extension: "parquet" };
const AWS: Format = { origin: "aws", tables: awsTables, write: parquetOf, extension: "parquet" };
const CSV: Format = { origin: "ethereum-etl", tables: etlTables, write: csvOf, extension: "csv" };
const JSON_LINES: Format = { ...CSV, write: jsonOf, extension: "json" };

let folders = 0;

/** Writes files with a few blocks each. Returns their folder. */
function filesOf({ tables, write, extension }: Format, all = json, blocksOfFile = 2): string {
  const path = join(folder.path, `files-${folders++}`);
  for (let at = 0; at < all.length; at += blocksOfFile) {
    const part = tables(all.slice(at, at + blocksOfFile));
    writeTables(path, part, { write, nameOf: (kind) => `${kind}/${kind}-${at}.${extension}` });
  }
  return path;
}

/**
 * Returns true if cryo exports a block's transactions completely, which it does if none has an access list.
 */
function hasOnlyPlainTransactions({ block }: WholeBlock): boolean {
  return (block.transactions as { accessList?: unknown[] }[]).every(
    ({ accessList = [] }) => accessList.length === 0,
  );
}

const everywhere = (proof: BlockProof) => blocks.map(() => proof);
const PROOFS_OF_CRYO = blocks.map(
  (block): BlockProof => (hasOnlyPlainTransactions(block) ? "block" : "receipts"),
);

function indexFiles(path: string) {
  const over = async (endpoint: Source) =>
    openTableSource({
      tables: await openTables(await tableFilesAt(path)),
      node: endpoint as Source & HeaderSource,
      ...{ chainId: 1, anchor: null, allowUnproven: false, stored: null, prover },
    });
  return runs.index({ urls: [node.url], from: FIRST, to: LAST, over });
}

let rpc: Awaited<ReturnType<IndexRuns["index"]>>;

beforeAll(async () => {
  rpc = await runs.index({ urls: [node.url], from: FIRST, to: LAST });
});

describe("files of blocks", () => {
  it("in ere give the tables of an endpoint", async () => {
    const path = join(folder.path, "all.ere");
    writeFileSync(path, writeEre(blocks.map(({ encoded }) => encoded)));
    const over = async (endpoint: Source, signal: AbortSignal) => {
      const places = await localFiles(path);
      return openEraSource({ places, chainId: 1, node: endpoint, anchor: null, stored: null, signal });
    };
    const { tables } = await runs.index({ urls: [node.url], from: FIRST, to: LAST, over });
    expect(tables).toEqual(rpc.tables);
  });

  it.each([
    ["cryo with all columns", CRYO, PROOFS_OF_CRYO],
    ["the AWS dataset", AWS, everywhere("block")],
    ["ethereum-etl in csv", CSV, everywhere("receipts")],
    ["ethereum-etl in JSON lines", JSON_LINES, everywhere("receipts")],
  ] as const)(
    "of %s give the tables of an endpoint, and say what they prove",
    async (_name, format, proofs) => {
      const found = await indexFiles(filesOf(format));
      expect(rpc.tables.dex_trades?.rows).toBeGreaterThan(100);
      expect(found.withoutProofs).toEqual(rpc.withoutProofs);
      expect(found.proofs).toEqual(proofs.map((proof) => ({ proof, origin: format.origin })));
      const isAllProven = found.proofs.every(({ proof }) => proof === "block");
      expect(
        Object.keys(found.tables).filter((name) => found.tables[name]?.hash !== rpc.tables[name]?.hash),
      ).toEqual(isAllProven ? [] : ["blocks"]);
    },
  );
});

describe("quarry index --files with an endpoint", () => {
  it("continues after kill -9, and by RPC where the files end, and leaves the tables of an endpoint", {
    timeout: 240_000,
  }, async () => {
    const files = filesOf(AWS, json.slice(0, 2), 1);
    const data = join(folder.path, "killed");
    const args = ["index", "--files", files, "--rpc", node.url, "--to", String(LAST), "--data", data];
    const running = startQuarry([...args, "--batch-blocks", "1"]);
    await running.printed(new RegExp(`indexed to block ${FIRST} `));
    await running.stop("SIGKILL");
    expect(running.output()).not.toContain(`indexed to block ${LAST}`);
    const again = await runQuarry(args);
    expect(again.code, again.stderr).toBe(0);
    expect(await tableChecksumsApart(data, "eth")).toEqual(rpc.tables);
  });
});
