import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { READERS } from "../../src/api/support/answer-readers.ts";
import type { Chain } from "../../src/chains/chain.ts";
import { parseCsv } from "../../src/cli/query/csv.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { sql } from "../../src/engine-sql/sql-text.ts";
import { exportChain } from "../../src/exports/export-chain.ts";
import { importChain } from "../../src/exports/import-chain.ts";
import { requireImportable } from "../../src/exports/importable.ts";
import { TABLE_NAMES } from "../../src/schema/tables.ts";
import { toBlock } from "../../src/sources/conversion/convert.ts";
import { Prover } from "../../src/sources/prover/prover.ts";
import { openTables, tableFilesAt } from "../../src/sources/tables/table-files.ts";
import { openTableSource } from "../../src/sources/tables/table-source.ts";
import { hashMatches } from "../../src/sources/verify/header.ts";
import { verifyBlock, verifyWithoutReceipts } from "../../src/sources/verify/verify-block.ts";
import { parseBlock, parseReceipts } from "../../src/sources/wire/parse.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import type { Engine } from "../../src/storage/store.ts";
import { engineTable } from "../../src/storage/tables/ddl.ts";
import { dropChain } from "../support/engine/drop-chain.ts";
import { openFreshEngine } from "../support/engine/fresh-engine.ts";
import { indexBlocks } from "../support/engine/index-blocks.ts";
import {
  BNB_BLOCK,
  BNB_BLOCK_NUMBER,
  bnbBlockWithReceipts,
  SYSTEM_GAS_LIMIT,
} from "../support/nodes/bnb-block.ts";
import { type JsonRpcRequest, startJsonRpcServer } from "../support/nodes/json-rpc-server.ts";
import { temporaryFolder } from "../support/processes/processes.ts";
import { cryoTables } from "../support/table-files/cryo-tables.ts";
import { etlTables } from "../support/table-files/etl-tables.ts";
import type { JsonBlock } from "../support/table-files/table-rows.ts";
import { csvOf, parquetOf, writeTables } from "../support/table-files/write-tables.ts";

const TESTNET_ID = 97;
const GAS_LIMITS = [0x6b155n, 0x73c04n, 0x67aen, SYSTEM_GAS_LIMIT];
const TOTAL = GAS_LIMITS.reduce((sum, limit) => sum + limit, 0n);

/** Returns the chain of docs/chains/bnb.json, with the testnet's id. */
function bnb(): Chain {
  const file = join(import.meta.dirname, "../../docs/chains/bnb.json");
  const { chains } = loadConfig(["chain"], { flags: {}, env: {}, file });
  return { ...(chains.get("bnb") ?? expect.fail("no chain bnb")), chainId: TESTNET_ID };
}

/** Serves the block with its receipts. Every call reverts. */
function startBnbNode() {
  const { block, receipts } = bnbBlockWithReceipts();
  const results: Record<string, unknown> = {
    eth_chainId: `0x${TESTNET_ID.toString(16)}`,
    eth_blockNumber: block.number,
    eth_getBlockByNumber: block,
    eth_getBlockByHash: block,
    eth_getBlockReceipts: receipts,
    eth_getCode: "0x",
    eth_getLogs: [],
  };
  return startJsonRpcServer(({ id, method }: JsonRpcRequest) => {
    const result = results[method];
    const refusal = { error: { code: 3, message: "execution reverted" } };
    return { jsonrpc: "2.0", id, ...(result === undefined ? refusal : { result }) };
  });
}

describe("the real block of BNB Smart Chain", () => {
  const block = parseBlock(BNB_BLOCK, BNB_BLOCK_NUMBER);

  it("has the hash of its header, and the root of its transactions", () => {
    expect(hashMatches(block)).toBe(true);
    expect(verifyWithoutReceipts(block, TESTNET_ID)).toBeNull();
  });

  it("fails verification when a gas limit above 2^53 differs in its last digit", () => {
    const [system = expect.fail("no transaction"), ...others] = BNB_BLOCK.transactions.toReversed();
    const transactions = [...others.toReversed(), { ...system, gas: "0x7ffffffffffffffe" }];
    const changed = parseBlock({ ...BNB_BLOCK, transactions }, BNB_BLOCK_NUMBER);
    expect(verifyWithoutReceipts(changed, TESTNET_ID)?.message).toMatch(/transaction 3: hash/);
  });

  it("is converted with exact gas limits, verified or not", () => {
    const sent = bnbBlockWithReceipts();
    const receipts = parseReceipts(sent.receipts, BNB_BLOCK_NUMBER);
    const parsed = parseBlock(sent.block, BNB_BLOCK_NUMBER);
    expect(verifyBlock(parsed, receipts, TESTNET_ID)).toBeNull();
    for (const trust of ["proven", "given"] as const) {
      const { transactions } = toBlock(parsed, receipts, trust);
      expect(transactions.map(({ gasLimit }) => gasLimit)).toEqual(GAS_LIMITS);
      expect(transactions.at(-1)).toMatchObject({ gasUsed: 17_425, gasPrice: 0n, fee: 0n, status: 1 });
    }
  });
});

describe("files of the block", () => {
  const folder = temporaryFolder();
  const prover = new Prover(0);
  afterAll(async () => {
    folder.remove();
    await prover.close();
  });

  it.each([
    ["cryo", cryoTables, parquetOf, "parquet"],
    ["ethereum-etl", etlTables, csvOf, "csv"],
  ] as const)("by %s have exact gas limits", async (name, tablesOf, write, extension) => {
    const sent = tablesOf([bnbBlockWithReceipts() as unknown as JsonBlock]);
    // The tables are made for chain 1.
    for (const { chain_id } of Object.values(sent)) chain_id?.cells.fill(BigInt(TESTNET_ID));
    const nameOf = (kind: string) => `${kind}.${extension}`;
    const path = writeTables(join(folder.path, name), sent, { write, nameOf });
    const tables = await openTables(await tableFilesAt(path));
    const proof = { node: null, anchor: null, allowUnproven: true, stored: null, prover };
    const source = await openTableSource({ tables, chainId: TESTNET_ID, ...proof });
    const limits: bigint[] = [];
    for await (const { transactions } of source.blocks(source.range, new AbortController().signal))
      limits.push(...transactions.map(({ gasLimit }) => gasLimit));
    expect(limits).toEqual(GAS_LIMITS);
  });
});

describe("an index of a block of BNB Smart Chain", () => {
  const chain = bnb();
  const folder = temporaryFolder();
  let engine: Engine;
  let app: FastifyInstance;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const fresh = await openFreshEngine();
    engine = fresh.engine;
    const node = await startBnbNode();
    const store = await indexBlocks(engine, chain, {
      url: node.url,
      from: BNB_BLOCK_NUMBER,
      to: BNB_BLOCK_NUMBER,
    });
    await node.stop();
    app = await createServer({ engine, chains: [{ chain, store }] });
    close = async () => {
      await app.close();
      await fresh.close();
    };
  });
  afterAll(async () => {
    await close?.();
    folder.remove();
  });

  async function bytesOf(query: string, format = "json"): Promise<Buffer> {
    const sent = { method: "POST", url: "/v1/sql", payload: { query, format } } as const;
    const { statusCode, rawPayload } = await app.inject(sent);
    expect([statusCode, statusCode === 200 ? "" : rawPayload.toString()]).toEqual([200, ""]);
    return rawPayload;
  }
  const rows = async (query: string) => JSON.parse((await bytesOf(query)).toString());

  it("proved the block", async () => {
    expect(await rows("SELECT gas_limit, gas_used FROM bnb_blocks")).toEqual([
      { gas_limit: 98_737_901, gas_used: 537_425 },
    ]);
    const proofs = await engine.query(sql`SELECT proof, origin FROM ${engineTable(chain.name, "blocks")}`);
    expect(proofs).toEqual([{ proof: "block", origin: "rpc" }]);
  });

  const LIMITS = "SELECT gas_limit FROM bnb_transactions ORDER BY transaction_index";

  it("answers with numbers, and with digits from 2^53 on, in every format", async () => {
    const expected = GAS_LIMITS.map((limit) => ({
      gas_limit: limit > Number.MAX_SAFE_INTEGER ? String(limit) : Number(limit),
    }));
    expect(await rows(LIMITS)).toEqual(expected);
    for (const format of ["ndjson", "parquet", "arrow"] as const) {
      expect(await READERS[format](await bytesOf(LIMITS, format)), format).toEqual(expected);
    }
    const csv = parseCsv((await bytesOf(LIMITS, "csv")).toString());
    expect(csv).toEqual([["gas_limit"], ...GAS_LIMITS.map((limit) => [String(limit)])]);
  });

  it("keeps a column of numbers in files", async () => {
    const { buffer, byteOffset, length } = await bytesOf(LIMITS, "parquet");
    const file = buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer;
    const values = (await parquetReadObjects({ file })).map(({ gas_limit }) => gas_limit);
    expect(values).toEqual(GAS_LIMITS);
  });

  it.each<[string, unknown]>([
    ["SUM(gas_limit)", String(TOTAL)],
    ["MAX(gas_limit)", String(SYSTEM_GAS_LIMIT)],
    ["MIN(gas_limit)", 26_542],
    ["MAX(gas_limit) + 1", String(SYSTEM_GAS_LIMIT + 1n)],
    ["MAX(gas_limit - 9223372036854775806)", 1],
    ["MIN(gas_limit - 9223372036854775807)", String(26_542n - SYSTEM_GAS_LIMIT)],
    ["MAX(gas_limit * gas_limit)", String(SYSTEM_GAS_LIMIT ** 2n)],
    ["MAX(gas_limit % 1000)", 807],
    ["MAX(-gas_limit)", -26_542],
    ["COUNT(DISTINCT gas_limit)", 4],
    ["AVG(gas_limit)", Number(TOTAL) / 4],
  ])("computes %s", async (expression, value) => {
    expect(await rows(`SELECT ${expression} AS x FROM bnb_transactions`)).toEqual([{ x: value }]);
  });

  it.each([
    "gas_limit = 9223372036854775807",
    "gas_limit = '9223372036854775807'",
    "gas_limit > 9223372036854775806",
    "gas_limit >= 1e18",
    "gas_limit IN (1, 9223372036854775807, 18446744073709551616)",
    "gas_limit BETWEEN 9223372036854775807 AND 18446744073709551615",
    "NOT gas_limit < 9223372036854775807",
  ])("selects the system transaction where %s", async (condition) => {
    const query = `SELECT transaction_index FROM bnb_transactions WHERE ${condition}`;
    expect(await rows(query)).toEqual([{ transaction_index: 3 }]);
  });

  it("selects by the exact value in REST", async () => {
    const ask = async (limit: bigint) => {
      const url = `/v1/topk-api/transactions?groupby=gas_limit&eq=${limit}&sortby=gas_limit`;
      return (await app.inject({ url, query: { chain: "bnb" } })).json();
    };
    const [exact, near] = [String(SYSTEM_GAS_LIMIT), String(SYSTEM_GAS_LIMIT - 1n)];
    expect((await ask(SYSTEM_GAS_LIMIT))[exact]).toMatchObject([{ gas_limit: exact, gas_price: 0 }]);
    expect(await ask(SYSTEM_GAS_LIMIT - 1n)).toEqual({ [near]: [] });
  });

  it.each(["parquet", "csv", "ndjson"] as const)(
    "is the same after an export to %s and an import",
    async (format) => {
      const out = join(folder.path, format);
      const { signal } = new AbortController();
      const options = { tables: TABLE_NAMES, includeUnfinal: true, out, signal };
      await exportChain({ ...options, engine, chain, format });
      const importable = await requireImportable(out, chain);
      await dropChain(engine, chain.name);
      const store = await openChainStore(engine, chain.name);
      await importChain({ ...importable, chain, engine, store, signal });
      const limits = await engine.query(
        sql`SELECT toString(gas_limit) AS gas_limit FROM ${engineTable(chain.name, "transactions")} ORDER BY transaction_index`,
      );
      expect(limits).toEqual(GAS_LIMITS.map((limit) => ({ gas_limit: String(limit) })));
    },
  );
});
