/** Runs stream clients in a separate process, which the parent process controls with messages. */
import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs, serveParent } from "../serving/child.ts";
import { EventConnection } from "./event-connection.ts";

export type ClientsMessage =
  | { kind: "open"; port: number; bodies: string[]; silent: string[] }
  /** Requests everything that has arrived since the last message of this kind. */
  | { kind: "take" }
  | { kind: "close" };

export interface Arrivals {
  /** Arrival times of the frames by block, one for each client. */
  times: Map<number, number[]>;
  bytes: number;
  /** Number of connections that the service closed. */
  closed: number;
  /** Number of blocks that clients missed, over all clients: a later block arrived instead. */
  missed: number;
}

/** Maximum number of streams that the service allows per address. */
const STREAMS_OF_ADDRESS = 50;
const OPENING = 40;
const SILENT = "127.0.3.1";

let connections: EventConnection[] = [];
let silent: EventConnection[] = [];
let times = new Map<number, number[]>();
let missed = 0;
let bytesBefore = 0;

function arrived(block: number): void {
  const known = times.get(block);
  if (known === undefined) times.set(block, [monotonicMs()]);
  else known.push(monotonicMs());
}

/** Opens a stream. Resolves when the snapshot has arrived. */
function openOne(port: number, body: string, at: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let newest: number | null = null;
    const from = `127.0.2.${1 + Math.floor(at / STREAMS_OF_ADDRESS)}`;
    const connection = new EventConnection({ port, from, body }, (block) => {
      if (newest === null) resolve();
      else if (block !== newest) arrived(block);
      if (newest !== null && block > newest + 1) missed += block - newest - 1;
      newest = block;
    });
    connection.socket.once("close", () => reject(new RangeError(`stream ${at} was closed`)));
    connections.push(connection);
  });
}

async function open({ port, bodies, silent: unread }: Extract<ClientsMessage, { kind: "open" }>) {
  const startedMs = monotonicMs();
  const waiting = [...bodies.entries()];
  const one = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await openOne(port, next[1], next[0]);
  };
  await Promise.all(Array.from({ length: OPENING }, one));
  silent = unread.map((body) => new EventConnection({ port, from: SILENT, body }, () => {}));
  for (const { socket } of silent) socket.pause();
  return (monotonicMs() - startedMs) / 1000;
}

function take(): Arrivals {
  const all = connections.reduce((sum, { bytes }) => sum + bytes, 0);
  const closed = connections.filter(({ isClosed }) => isClosed).length;
  const arrivals = { times, bytes: all - bytesBefore, closed, missed };
  times = new Map();
  bytesBefore = all;
  missed = 0;
  return arrivals;
}

async function close(): Promise<number> {
  for (const { socket } of [...connections, ...silent]) socket.destroy();
  connections = [];
  silent = [];
  bytesBefore = 0;
  await sleep(100);
  return 0;
}

async function respond(message: ClientsMessage): Promise<unknown> {
  if (message.kind === "open") return open(message);
  return message.kind === "take" ? take() : close();
}

serveParent(respond);
