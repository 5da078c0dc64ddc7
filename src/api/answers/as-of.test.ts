import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchOf, blockNamed } from "../../../test/support/engine/random-rows.ts";
import { ETH, hexOf } from "../../reads/support/market.ts";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import { chainCommits } from "../../storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../storage/engines/embedded-engine.ts";
import type { Batch, Engine } from "../../storage/store.ts";
import { ENDPOINTS } from "../endpoints/endpoints.ts";
import { createServer } from "../http/server.ts";
import { post, responseOf } from "../support/http.ts";

/** The rows of a test batch repeat after this many blocks. */
const PERIOD = 64;
const COMMITTED = { first: 1, last: PERIOD, rowsPerTable: 1 };
const UNCOMMITTED = { first: PERIOD + 1, last: 2 * PERIOD, rowsPerTable: 1 };

/** The latest time that the engine can store. */
const MAX_TIMESTAMP = 2 ** 32 - 1;

const WALLET = hexOf(0xabc);

const folder = mkdtempSync(join(tmpdir(), "quarry-as-of-"));
let engine: Engine;
let app: FastifyInstance;

beforeAll(async () => {
  engine = await openEmbeddedEngine({ path: folder });
  await (await openChainStore(engine, ETH.name)).commit(ofOneWallet(batchOf(COMMITTED)));
  app = await createServer({ engine, chains: [{ chain: ETH, store: chainCommits(engine, ETH.name) }] });
});
afterAll(async () => {
  await app.close();
  await engine.close();
  rmSync(folder, { recursive: true });
});

/** Attributes all trades to one wallet. */
function ofOneWallet(batch: Batch): Batch {
  const trades = batch.rows.wallet_trades?.map((row) => ({ ...row, trader_address: WALLET }));
  return { ...batch, rows: { ...batch.rows, wallet_trades: trades ?? [] } };
}

/** Gives the trades another price and transaction, so that every answer that includes them differs. */
function dearer(batch: Batch): Batch {
  const trades = batch.rows.dex_trades?.map((row) => ({
    ...row,
    price_token_usd_tick_1: 1e9,
    price_token_usd_robust_tick_1: 1e9,
    transaction_hash: hexOf(1, 32),
  }));
  return { ...batch, rows: { ...batch.rows, dex_trades: trades ?? [] } };
}

/**
 * Wraps the engine so that a commit fails after all its rows are written, as if the process had ended then.
 */
function endsBeforeTheCommit(): Engine {
  return {
    query: (...given) => engine.query(...given),
    stream: (...given) => engine.stream(...given),
    execute: (statement) =>
      statement.includes("_commits` VALUES")
        ? Promise.reject(new Error("the end"))
        : engine.execute(statement),
    insert: (...given) => engine.insert(...given),
    close: () => Promise.resolve(),
  };
}

const POOLS = "/v1/market-api/";
/** Endpoints that cover all chains. They give charts the names and price scales. */
const NOT_AS_OF_A_COMMIT = ["/udf/symbols", "/udf/search"];
const reads = ENDPOINTS.filter(({ cost, path }) => cost === "read" && !NOT_AS_OF_A_COMMIT.includes(path));
const paths = reads.map(({ path }) => path);

/** Endpoints with a result for each token. The screener only filters by tokens. */
const batches = reads
  .filter(({ parameters }) => parameters.token_address?.kind.schema.type === "array")
  .map(({ path }) => path)
  .filter((path) => path !== "/v1/screener");

/**
 * Returns the token of each trade. Each token is traded in one of the first `PERIOD` blocks, and again
 * `PERIOD` blocks later.
 */
async function tokens(): Promise<string[]> {
  const { body } = await post(app, "/v1/sql", { query: "SELECT token_address FROM eth_dex_trades" });
  return body.map((row: Record<string, string>) => row.token_address);
}

async function askAll() {
  const traded = await tokens();
  const given = {
    token_address: traded[3] ?? "",
    wallet_address: WALLET,
    groupby: "block_number",
    eq: `${PERIOD},${PERIOD + 1}`,
    max_size: "1000",
    with_volume: "true",
    from_timestamp: "0",
    timestamp: String(MAX_TIMESTAMP),
    chain: ETH.name,
    query: traded[3] ?? "",
    symbol: `${ETH.name}:${traded[3]}`,
    resolution: "1D",
  };
  const pool_address = hexOf(0xb00);
  const rest = paths.map((url) => {
    return responseOf(app.inject({ url, query: url.startsWith(POOLS) ? { ...given, pool_address } : given }));
  });
  const { body } = await post(app, "/v1/sql", { query: "SHOW TABLES" });
  const names: string[] = body.map((row: Record<string, string>) => Object.values(row)[0]);
  const queries = names.flatMap((name) => [`SELECT * FROM ${name}`, `SELECT COUNT(*) AS count FROM ${name}`]);
  const sql = queries.map((query) => post(app, "/v1/sql", { query }));
  const lists = batches.map((url) => post(app, url, { ...given, token_address: traded }));
  return Promise.all([...rest, ...sql, ...lists]);
}

/** Removes the parts of an answer that change with time. */
function lasting(body: { chains?: object[] }): object {
  return body.chains === undefined ? body : body.chains.map((chain) => ({ ...chain, lag_seconds: null }));
}

describe("every answer", () => {
  it("names its commit and its first block, and includes nothing of an unfinished one", async () => {
    const before = await askAll();
    const dying = await openChainStore(endsBeforeTheCommit(), ETH.name);
    await expect(dying.commit(dearer(ofOneWallet(batchOf(UNCOMMITTED))))).rejects.toThrow("the end");
    const after = await askAll();
    expect(before.map(({ status }) => status)).toEqual(before.map(() => 200));
    expect(before.length).toBeGreaterThan(20);
    expect(batches).toHaveLength(4);
    expect(before.filter(({ body }) => body.total_trades === PERIOD)).toHaveLength(1);
    for (const [i, { body, headers }] of after.entries()) {
      expect(lasting(body)).toEqual(lasting(before[i]?.body));
      if (body.chains !== undefined) continue;
      expect(headers).toMatchObject({
        "x-first-block": String(COMMITTED.first),
        "x-indexed-block": String(PERIOD),
        "x-indexed-timestamp": String(blockNamed(PERIOD).timestamp),
        "x-indexed-block-hash": blockNamed(PERIOD).hash,
        "x-commit": "1",
      });
    }
  });
});
