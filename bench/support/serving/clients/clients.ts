/**
 * Clients in a separate process. Each sends its next request after the last byte of the previous response,
 * and after a pause if the load has one. Together they take the requests of a file in turn. The parent
 * process controls them with messages.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { serveParent } from "../child.ts";
import { processorMs, withChildren } from "../process-figures.ts";
import { Connection } from "./connection.ts";
import { type ApiRequest, requestBytes } from "./requests.ts";

export interface ClientLoad {
  port: number;
  /** File with the requests as JSON. */
  file: string;
  /** Prefix of each path. */
  prefix: string;
  clients: number;
  /** Warm-up time, which is not measured. */
  warmUpSeconds: number;
  seconds: number;
  /** If true, each request is sent at most once. */
  isOnce: boolean;
  /** Mean pause of a client after a response. Pauses are random, so clients do not send at the same time. */
  pauseMs?: number;
  /** Processes of the server, and processes that count together with their children. */
  pids: number[];
  parents: number[];
}

export interface ClientFigures {
  /** Responses with status 200 that were sent and completed within the measured time. */
  requests: number;
  p50: number;
  p95: number;
  p99: number;
  perSecond: number;
  /** Processor time of the server per request. */
  processorMs: number;
  /** Number of responses with a status other than 200, and the last of these responses. */
  refused: number;
  refusal: string | null;
  /** Number of responses with a status other than 200, by status. */
  refusals: Record<string, number>;
}

/** Wait of a client after a refusal. */
const PAUSE_MS = 100;

let cached: { key: string; requests: Buffer[] } = { key: "", requests: [] };

function requestsOf({ file, prefix }: ClientLoad): Buffer[] {
  const key = `${prefix} ${file}`;
  if (cached.key !== key) {
    const given: ApiRequest[] = JSON.parse(readFileSync(file, "utf8"));
    cached = { key, requests: given.map((request) => requestBytes(request, prefix)) };
  }
  return cached.requests;
}

/**
 * Index of the next request. A load continues where the previous one stopped, so it does not repeat the
 * requests of the warm-up.
 */
let next = 0;

async function run(load: ClientLoad): Promise<ClientFigures> {
  const connections = await Promise.all(
    Array.from({ length: load.clients }, (_, i) => Connection.open(load.port, false, addressOf(i))),
  );
  if (load.isOnce) next = 0;
  if (load.warmUpSeconds > 0) await drive(connections, load, load.warmUpSeconds);
  const pids = [...load.pids, ...load.parents.flatMap(withChildren)];
  const processorBefore = processorMs(pids);
  const startedMs = performance.now();
  const { milliseconds, refusals, refusal } = await drive(connections, load, load.seconds);
  const elapsedMs = performance.now() - startedMs;
  const spentMs = processorMs(pids) - processorBefore;
  for (const connection of connections) connection.close();
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return {
    requests: sorted.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    perSecond: (1000 * sorted.length) / elapsedMs,
    processorMs: spentMs / Math.max(1, sorted.length),
    refused: Object.values(refusals).reduce((sum, count) => sum + count, 0),
    refusal,
    refusals,
  };
}

/**
 * Returns the address of a client. Clients have different addresses, because the service limits the requests
 * of each address.
 */
function addressOf(client: number): string {
  return `127.0.1.${1 + (client % 250)}`;
}

async function drive(connections: readonly Connection[], load: ClientLoad, seconds: number) {
  const requests = requestsOf(load);
  const milliseconds: number[] = [];
  const refusals: Record<string, number> = {};
  const result = { milliseconds, refusals, refusal: null as string | null };
  const endMs = performance.now() + seconds * 1000;
  const isDone = () => performance.now() >= endMs || (load.isOnce && next >= requests.length);
  const client = async (connection: Connection) => {
    do {
      const request = requests[next++ % requests.length];
      if (request === undefined) return;
      const startedMs = performance.now();
      const { status, body } = await connection.send(request);
      if (status === 200) {
        milliseconds.push(performance.now() - startedMs);
        if (load.pauseMs !== undefined) await sleep(2 * Math.random() * load.pauseMs);
        continue;
      }
      refusals[status] = (refusals[status] ?? 0) + 1;
      result.refusal = `${status} ${body.slice(0, 200)}`;
      await sleep(PAUSE_MS);
    } while (!isDone());
  };
  await Promise.all(connections.map(client));
  return result;
}

serveParent(run);
