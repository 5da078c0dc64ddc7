import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BaseError } from "../../../src/lib/error.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { type Child, startChild } from "./child.ts";
import { get } from "./clients/requests.ts";
import type { Sightings, WatcherMessage } from "./clients/watcher.ts";
import { LATEST } from "./questions.ts";
import type { CommittedBlock, ServiceMessage } from "./service-process.ts";
import type { Side } from "./sides.ts";

const TRADES_PER_BLOCK = 200;
const PAUSE_MS = 100;

export interface LiveOptions {
  token: Hex;
  blocks: number;
  /** The newest block before the measurement. */
  newest: number;
}

/**
 * Commits blocks while a client polls the token's latest price. Returns the times in milliseconds from each
 * commit to the first response that shows it, in ascending order. A response that began before the end of the
 * commit can count as 0.
 */
export async function timesToAppear(
  service: Child,
  side: Side,
  { token, blocks, newest }: LiveOptions,
): Promise<number[]> {
  const watcher = startChild(join(import.meta.dirname, "clients/watcher.ts"));
  const request = get(LATEST, { token_address: token });
  await watcher.request<number>({ port: side.port, request } satisfies WatcherMessage);
  const watching = watcher.request<Sightings>({ lastBlock: newest + blocks } satisfies WatcherMessage);
  const committed: CommittedBlock[] = [];
  for (let i = 0; i < blocks; i++) {
    await sleep(PAUSE_MS);
    const message: ServiceMessage = { kind: "commit", token, trades: TRADES_PER_BLOCK };
    committed.push(await service.request<CommittedBlock>(message));
  }
  const seen = await watching;
  await watcher.stop();
  return committed.map((block) => timeToAppear(block, seen)).sort((a, b) => a - b);
}

/** Returns the time until a block appears in a response. A response with a later block also counts. */
function timeToAppear({ number, committedMs }: CommittedBlock, seen: Sightings): number {
  const times = [...seen].filter(([block]) => block >= number).map(([, seenMs]) => seenMs);
  if (times.length === 0) throw new NeverSeen(number);
  return Math.max(0, Math.min(...times) - committedMs);
}

class NeverSeen extends BaseError {
  constructor(block: number) {
    super("internal", `block ${block} was committed, but no response showed it`);
  }
}
