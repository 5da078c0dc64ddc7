import type { FastifyInstance } from "fastify";
import { expect } from "vitest";
import { devnetChain } from "../../../devnet/chain.ts";
import { createServer } from "../../../src/api/http/server.ts";
import { describedAnswer } from "../../../src/api/support/described-answer.ts";
import { schemaFaults } from "../../../src/api/support/schema-faults.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import type { ReadableChain } from "../../../src/reads/snapshot/snapshot.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { indexBlocks } from "../../support/engine/index-blocks.ts";
import { withServing } from "../../support/engine/with-serving.ts";
import { type MarketNode, startMarketNode } from "../../support/markets/market-node.ts";
import { temporaryFolder } from "../../support/processes/processes.ts";

const HISTORY_BLOCKS = 40;
/**
 * Number of blocks that each chain lacks. `base` and `matic` have only the first part of the same blocks, so
 * each chain gives different responses.
 */
const BLOCKS_LESS = { eth: 0, base: 12, matic: 24 };
export const KEY = "the-key";

// biome-ignore lint/suspicious/noExplicitAny: the tests inspect answers of any shape
type Any = any;

export interface Answered {
  status: number;
  headers: Headers;
  body: Any;
}

/** A trade as returned by SQL, and its time in Unix seconds. */
export interface TradeRow extends Record<string, unknown> {
  at: number;
  timestamp: string;
  block_number: number;
  record_index: number;
  transaction_hash: Hex;
  token_address: Hex;
  pool_address: Hex;
  trader_address: Hex;
  token_symbol: string | null;
  token_name: string | null;
  side: string;
  amount_token: number | null;
  amount_usd: number | null;
  amount_eth: number | null;
  price_token_eth: number | null;
  price_token_usd_tick_1: number | null;
  price_token_usd_robust_tick_1: number | null;
}

/** The demo market, indexed and served over HTTP. Starts once, before the first test of the suite. */
interface Service {
  node: MarketNode;
  /** URL of a service whose engine answers every request. */
  url: string;
  /** URL of a service that answers from memory when it can, as `quarry serve` does. */
  quickUrl: string;
  /** URL of a service that also answers from memory, and requires an API key. */
  closedUrl: string;
  /** Every trade, in chain order. */
  trades: TradeRow[];
  /** The token that was listed last, and its pool. It has few trades. */
  oak: { token: Hex; pool: Hex };
  /** The OpenAPI document. */
  document: Any;
  faults(path: string, answered: Answered & { method: string }): string[];
}

let running: Service | undefined;
let stopRunning: () => Promise<void> = async () => {};

export function the(): Service {
  return running ?? expect.fail("the service is not started");
}

export async function startService(): Promise<void> {
  const folder = temporaryFolder();
  const node = await startMarketNode(HISTORY_BLOCKS);
  await node.trade(25, 5);
  const oak = await node.list({ symbol: "OAK", decimals: 18, version: 2 });
  const engine = await openEmbeddedEngine({ path: folder.path });
  const chains = await indexed(node, engine);
  const inMemory = await withServing(engine, chains);
  const apps: FastifyInstance[] = [
    await createServer({ engine, chains }),
    await createServer({ engine, chains: inMemory }),
    await createServer({ engine, chains: inMemory, apiKeys: [KEY] }),
  ];
  stopRunning = async () => {
    for (const app of apps) await app.close();
    await engine.close();
    await node.stop();
    folder.remove();
  };
  const [url = "", quickUrl = "", closedUrl = ""] = await Promise.all(
    apps.map((app) => app.listen({ port: 0, host: "127.0.0.1" })),
  );
  const document = await (await fetch(`${url}/openapi.json`)).json();
  const urls = { url, quickUrl, closedUrl };
  running = { node, ...urls, trades: [], oak, document, faults: answerFaults(document) };
  running.trades = await readTrades("eth");
}

export async function stopService(): Promise<void> {
  await stopRunning();
}

async function indexed(node: MarketNode, engine: Engine): Promise<ReadableChain[]> {
  const head = (await node.head()).number;
  const chains: ReadableChain[] = [];
  for (const [name, less] of Object.entries(BLOCKS_LESS)) {
    const chain = { ...devnetChain(), name };
    chains.push({ chain, store: await indexBlocks(engine, chain, { url: node.url, to: head - less }) });
  }
  return chains;
}

export async function readTrades(chain: string): Promise<TradeRow[]> {
  const rows = await sql<TradeRow>(`SELECT * FROM ${chain}_dex_trades ORDER BY record_index LIMIT 100000`);
  return rows.map((row) => ({ ...row, at: Date.parse(row.timestamp) / 1000 }));
}

/** Returns a function that lists how a response violates the served OpenAPI document. */
function answerFaults(document: Any): Service["faults"] {
  const faultsOf = schemaFaults(document);
  return (path, { method, status, body }) => {
    const operation = document.paths[path]?.[method.toLowerCase()];
    // If the document has no such operation, the response must have the common form of errors.
    const answer = operation === undefined ? UNSERVED : describedAnswer(document, operation, status);
    if (answer === undefined) return [`${status} of ${method} ${path} is in no document`];
    return faultsOf(Object.values<Any>(answer.content)[0].schema, body);
  };
}

const UNSERVED = {
  content: {
    "application/json": {
      schema: {
        anyOf: [{ $ref: "#/components/schemas/Problem" }, { $ref: "#/components/schemas/RpcProblem" }],
      },
    },
  },
};

export type Given = Record<string, unknown>;

interface Asking {
  headers?: Record<string, string>;
  /** URL of the service. Default: for POST, `quickUrl`; otherwise, `url`. */
  url?: string;
}

/** Encodes parameters as a query string. Lists are separated by commas. */
export function queryOf(given: Given): string {
  const texts = Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(texts).toString();
}

export async function get(path: string, given: Given = {}, asking: Asking = {}): Promise<Answered> {
  const query = queryOf(given);
  return asked("GET", path, { ...asking, search: query === "" ? "" : `?${query}` });
}

export async function post(path: string, body: unknown, asking: Asking & { search?: string } = {}) {
  return asked("POST", path, { ...asking, body: JSON.stringify(body) });
}

/**
 * Sends a request and checks its response, successful or not, against the OpenAPI document. GET and POST go
 * to different services, so rules that compare their responses hold for answers from the engine and from
 * memory.
 */
export async function asked(
  method: string,
  path: string,
  { url, headers = {}, search = "", body }: Asking & { search?: string; body?: string },
): Promise<Answered> {
  const service = url ?? (method === "POST" ? the().quickUrl : the().url);
  const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(`${service}${path}${search}`, {
    method,
    headers: { ...type, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const answered = { status: response.status, headers: response.headers, body: await response.json() };
  expect([path, the().faults(path, { ...answered, method })]).toEqual([path, []]);
  return answered;
}

/** Returns the response to GET, and expects POST to return the same. */
export async function answer<T = Any>(path: string, given: Given): Promise<T> {
  const [byGet, byPost] = [await get(path, given), await post(path, given)];
  expect([byGet.status, byGet.body.error]).toEqual([200, undefined]);
  expect(byPost.body).toEqual(byGet.body);
  return byGet.body;
}

/** Expects GET and POST to fail with a message that contains these words. */
export async function refused(path: string, given: Given, words: string | RegExp): Promise<void> {
  for (const { status, body } of [await get(path, given), await post(path, given)]) {
    expect([status, body]).toEqual([400, { error: expect.stringMatching(words) }]);
  }
}

export async function sql<T = Record<string, Any>>(query: string): Promise<T[]> {
  const { status, body } = await post("/v1/sql", { query });
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
}

/** Returns a function that sends a request only once, and shares the response between tests. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}
