/**
 * Three servers in a separate process: the service, the service with only the engine, and a bare route. The
 * parent process controls them with messages.
 */
import { randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import { DEFAULT_LIMITS } from "../../../src/api/admission/limits.ts";
import { createServer } from "../../../src/api/http/server.ts";
import { ethereum } from "../../../src/chains/ethereum.ts";
import { keepServing, withServing } from "../../../src/cli/serving/serving-states.ts";
import { systemClock } from "../../../src/lib/async/clock.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { createLogger } from "../../../src/lib/log.ts";
import { commitTrades } from "../../../src/reads/support/market.ts";
import { openChainStore } from "../../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Commit, Engine } from "../../../src/storage/store.ts";
import { monotonicMs, serveParent } from "./child.ts";

export type ServiceMessage =
  | { kind: "start"; data: string }
  | { kind: "commit"; token: Hex; trades: number }
  | { kind: "rollback" };

/** Ports of the three servers. */
export interface ServicePorts {
  service: number;
  engineOnly: number;
  bare: number;
  /** Time of the newest block in unix seconds, which is also the service's time. */
  now: number;
  newestBlock: number;
}

/** A committed block, and the time of the commit on a clock that all processes share. */
export interface CommittedBlock {
  number: number;
  committedMs: number;
}

/** Memory of the serving state, like `--serving-memory`. */
const SERVING_BYTES = 2 ** 20 * Number(process.env.SERVING_MEMORY ?? 1024);

const BLOCK_SECONDS = 12;

let engine: Engine | null = null;
let store: ChainStore | null = null;
let servers: FastifyInstance[] = [];
/** The newest block at the start. */
let first: Commit | null = null;
let now = 0;

/** A clock whose current time is the time of the newest block, as when following a chain. */
const clock = { ...systemClock, now: () => now * 1000 };

async function start(data: string): Promise<ServicePorts> {
  engine = await openEmbeddedEngine({ path: data });
  store = await openChainStore(engine, ethereum.name);
  first = await store.committed();
  now = first?.timestamp ?? 0;
  const readable = { chain: ethereum, store };
  const chains = await withServing([readable], SERVING_BYTES, store);
  void keepServing(
    { engine, chains },
    { logger: createLogger("info"), signal: new AbortController().signal },
  );
  servers = [
    await createServer({ engine, chains, clock }),
    await createServer({ engine, chains: [readable], clock }),
    bareServer(),
  ];
  const [service = 0, engineOnly = 0, bare = 0] = await Promise.all(servers.map(listen));
  return { service, engineOnly, bare, now, newestBlock: first?.blockNumber ?? 0 };
}

/** Creates a server with the settings of the service that affect each request. */
function bareServer(): FastifyInstance {
  const app = Fastify({
    bodyLimit: DEFAULT_LIMITS.bodyBytes,
    genReqId: () => randomUUID(),
    onProtoPoisoning: "remove",
    onConstructorPoisoning: "remove",
  });
  app.post("/bare", async () => ({ alive: true }));
  return app;
}

async function listen(server: FastifyInstance): Promise<number> {
  return Number(new URL(await server.listen({ host: "127.0.0.1", port: 0 })).port);
}

/** Commits a block with trades of the token. */
async function commit(token: Hex, trades: number): Promise<CommittedBlock | null> {
  const newest = await store?.committed();
  if (store === null || newest === null || newest === undefined) return null;
  const at = newest.timestamp + BLOCK_SECONDS;
  const number = newest.blockNumber + 1;
  const rows = Array.from({ length: trades }, () => ({ token, at, price: 1 + (number % 1000) }));
  now = at;
  await commitTrades(store, rows, { firstBlock: number });
  return { number, committedMs: monotonicMs() };
}

/** Rolls back the added blocks, for the next run. */
async function rollback(): Promise<null> {
  if (store === null || first === null) return null;
  await store.rollback({ number: first.blockNumber, hash: first.blockHash, timestamp: first.timestamp });
  return null;
}

async function respond(message: ServiceMessage): Promise<unknown> {
  if (message.kind === "start") return start(message.data);
  return message.kind === "commit" ? commit(message.token, message.trades) : rollback();
}

serveParent(respond, async () => {
  for (const server of servers) await server.close();
  await engine?.close();
});
