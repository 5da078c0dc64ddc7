/**
 * Polls a server as fast as it responds. Runs in a separate process, which its parent controls with messages.
 */
import { monotonicMs, serveParent } from "../child.ts";
import { Connection } from "./connection.ts";
import { type ApiRequest, requestBytes } from "./requests.ts";

export interface Watch {
  port: number;
  request: ApiRequest;
}

/** Time when each block was first seen in a response. */
export type Sightings = Map<number, number>;

/**
 * The first message opens the connection and polls once. Each later message polls until the watcher has seen
 * the given block.
 */
export type WatcherMessage = Watch | { lastBlock: number };

/** Maximum wait for a block. */
const PATIENCE_MS = 30_000;

const sightings: Sightings = new Map();
let poll: () => Promise<number> = async () => 0;

async function open({ port, request }: Watch): Promise<number> {
  const connection = await Connection.open(port, true);
  const bytes = requestBytes(request, "");
  poll = async () => {
    const { body } = await connection.send(bytes);
    return Number(/"block_number":(\d+)/.exec(body)?.[1] ?? 0);
  };
  return poll();
}

async function watchUntil(lastBlock: number): Promise<Sightings> {
  const endMs = monotonicMs() + PATIENCE_MS;
  for (let newest = 0; newest < lastBlock && monotonicMs() < endMs; ) {
    newest = await poll();
    if (!sightings.has(newest)) sightings.set(newest, monotonicMs());
  }
  return sightings;
}

serveParent(async (message: WatcherMessage) =>
  "port" in message ? open(message) : watchUntil(message.lastBlock),
);
