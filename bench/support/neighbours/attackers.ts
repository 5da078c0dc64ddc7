/**
 * Clients that take more than their share, in a separate process. The parent process controls them with
 * messages.
 */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { serveParent } from "../serving/child.ts";
import { type ApiRequest, get, post, requestBytes } from "../serving/clients/requests.ts";
import { LATEST } from "../serving/questions.ts";
import type { AttackName } from "./attack-names.ts";

export interface AttackOrder {
  name: AttackName;
  port: number;
  pools: readonly string[];
  /** Share of the connections to open. Less than 1 for a quick run. */
  share: number;
}

/** Number of responses by status. */
export type Statuses = Record<string, number>;

/** Last byte of the first attacker's address. The measured client has another address. */
const FIRST_ADDRESS = 9;

/** The port that an attack connects to, and the address that it connects from. */
interface Target {
  port: number;
  localAddress: string;
}

/** Pause after each response, including refusals. Clients that never pause are measured separately. */
const PAUSE_MS = 5;
const SLOW_BYTE_MS = 1_000;

let serial = 0;

/** Makes each SQL text different, so the service cannot share answers. */
const sql = (text: string) => post("/v1/sql", { query: `${text} LIMIT ${1 + (serial++ % 9_000)}` });

const heavySql = () =>
  sql(
    "SELECT trader_address, COUNT(DISTINCT transaction_hash) AS n, SUM(amount_usd) AS usd, MAX(price_token_usd_tick_1) AS high FROM eth_dex_trades GROUP BY trader_address ORDER BY usd DESC",
  );
const PATTERNS = Array.from(
  { length: 8 },
  (_, i) => `transaction_hash RLIKE '.*[0-7].{${50 + i}}[g-w].*'`,
).join(" OR ");
const pattern = () => sql(`SELECT transaction_hash FROM eth_logs WHERE ${PATTERNS}`);
const largeAnswer = () => sql("SELECT * FROM eth_logs WHERE log_index >= 0");
const largeRecords = (pools: readonly string[]) => () => {
  const size = 500 + (serial++ % 500);
  return post("/v1/topk-api/dex-trades", { groupby: "pool_address", sortby: "amount_usd", eq: pools, size });
};

interface Attack extends Omit<AttackOrder, "name" | "port"> {
  target: Target;
}

type SingleAttack = Exclude<AttackName, "all of these at once">;

/** The work of the clients of each load. They repeat it until they are stopped. */
const ATTACKS: Record<SingleAttack, (attack: Attack) => Promise<unknown>> = {
  "200 heavy SQL": ({ target, share }) => repeated({ target, clients: 200 * share, request: heavySql }),
  "20 expensive patterns": ({ target, share }) => repeated({ target, clients: 20 * share, request: pattern }),
  "300 large top records": ({ target, share, pools }) =>
    repeated({ target, clients: 300 * share, request: largeRecords(pools) }),
  "260 reconnecting clients": ({ target, share }) =>
    repeated({ target, clients: 260 * share, request: heavySql, leaves: true }),
  "300 invalid requests": ({ target, share }) =>
    repeated({ target, clients: 300 * share, request: () => get(LATEST, {}) }),
  "1,000 pipelined requests": ({ target, share }) => pipelined(target, 1_000 * share),
  "5,000 idle connections": ({ target, share }) => silent(target, 5_000 * share, null),
  "500 slow connections": ({ target, share }) =>
    silent(target, 500 * share, "GET /v1/status HTTP/1.1\r\nx: "),
  "20 clients that never read": ({ target, share }) => unread(target, 20 * share),
};

async function attack({ name, port, ...order }: AttackOrder): Promise<void> {
  const run = (one: SingleAttack, index: number) =>
    ATTACKS[one]({ ...order, target: { port, localAddress: `127.0.0.${FIRST_ADDRESS + index}` } });
  const names = Object.keys(ATTACKS) as SingleAttack[];
  await Promise.all(name === "all of these at once" ? names.map(run) : [run(name, 0)]);
}

let isStopped = false;
const sockets = new Set<Socket>();

function open(target: Target): Socket {
  const socket = connect({ ...target, host: "127.0.0.1" });
  sockets.add(socket);
  socket.on("data", countStatus);
  socket.on("error", () => {});
  socket.on("close", () => sockets.delete(socket));
  return socket;
}

const times = (count: number) => Array.from({ length: Math.max(1, Math.round(count)) });

let statuses: Statuses = {};

function countStatus(chunk: Buffer): void {
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString("latin1", 0, 20)) ?? [];
  if (status !== undefined) statuses[status] = (statuses[status] ?? 0) + 1;
}

interface Repeated {
  target: Target;
  clients: number;
  request: () => ApiRequest;
  /** True for clients that disconnect right after they send the request. */
  leaves?: boolean;
}

async function repeated({ target, clients, request, leaves = false }: Repeated): Promise<void> {
  await Promise.all(
    times(clients).map(async () => {
      for (let socket = open(target); !isStopped; await sleep(PAUSE_MS)) {
        if (socket.destroyed) socket = open(target);
        socket.write(requestBytes(request(), ""));
        await (leaves ? sleep(PAUSE_MS) : activity(socket));
        if (leaves) socket.destroy();
      }
    }),
  );
}

/** Resolves with the next bytes of a response or the end of the connection. */
function activity(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      socket.off("data", settle).off("close", settle);
      resolve();
    };
    socket.on("data", settle).on("close", settle);
  });
}

async function pipelined(target: Target, requests: number): Promise<void> {
  while (!isStopped) {
    const socket = open(target);
    socket.resume();
    for (const _ of times(requests)) socket.write(requestBytes(heavySql(), ""));
    while (!isStopped && !socket.destroyed) await sleep(100);
  }
}

/**
 * Opens connections that send at most one byte per second after their start.
 *
 * @param start first bytes that each connection sends, before it sends one byte at a time. Null to send
 *   nothing.
 */
async function silent(target: Target, connections: number, start: string | null): Promise<void> {
  const opened = times(connections).map(() => open(target));
  if (start !== null) for (const socket of opened) socket.write(start);
  while (!isStopped) {
    await sleep(SLOW_BYTE_MS);
    if (start !== null) for (const socket of opened) if (socket.writable) socket.write("x");
  }
}

async function unread(target: Target, clients: number): Promise<void> {
  await Promise.all(
    times(clients).map(async () => {
      while (!isStopped) {
        const socket = open(target);
        socket.pause();
        socket.write(requestBytes(largeAnswer(), ""));
        while (!isStopped && !socket.destroyed) await sleep(100);
      }
    }),
  );
}

let running: Promise<unknown> = Promise.resolve();

/** Starts an attack, or stops the running one. Returns the number of its responses so far by status. */
async function respond(order: AttackOrder | "stop"): Promise<Statuses> {
  if (order !== "stop") {
    isStopped = false;
    statuses = {};
    running = attack(order);
    return statuses;
  }
  isStopped = true;
  for (const socket of sockets) socket.destroy();
  await running;
  return statuses;
}

serveParent(respond);
