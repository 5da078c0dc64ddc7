import { type Connection, integerIn } from "../../connection/connection.ts";
import { QuarryError } from "../../connection/quarry-error.ts";
import { type CallOptions, pause } from "../../connection/request.ts";
import { serverEvents } from "../../connection/server-events.ts";
import { requestStream } from "../../connection/stream.ts";
import { frameOf, type StreamFrame } from "./frames.ts";
import type { StreamData, StreamSubscription } from "./subscriptions.ts";

export interface StreamParams<S extends StreamSubscription = StreamSubscription> {
  /** Default `eth`. */
  chain?: string | undefined;
  /** 1 to 100. */
  subscriptions: readonly S[];
  /** The `id` of the last frame that you have: the stream resumes after it, in place of a snapshot. */
  after?: string | undefined;
  /**
   * Oldest newest block to begin with, seconds; default: any age. A stream that resumes waits until it is
   * fresh.
   */
  max_lag?: number | undefined;
}

export interface StreamOptions extends CallOptions {
  /**
   * A connection that brings nothing for this long counts as lost; default 45,000. The service sends
   * something every 15 seconds.
   */
  silenceMs?: number | undefined;
}

const DEFAULT_SILENCE_MS = 45_000;
/** Longer timers fire at once in JavaScript. */
const MAX_SILENCE_MS = 2 ** 31 - 1;

/** Waits before another connection: the first, doubled each time it fails, up to the longest. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

/**
 * Frames of a chain, from connection to connection until the loop is left, the signal aborts, or the service
 * refuses.
 */
export async function* stream<const S extends StreamSubscription>(
  connection: Connection,
  params: StreamParams<S>,
  { signal, silenceMs = DEFAULT_SILENCE_MS }: StreamOptions = {},
): AsyncGenerator<StreamFrame<StreamData<S>>, void> {
  const limitMs = integerIn([1, MAX_SILENCE_MS], { silenceMs });
  const state: State = { params, signal, silenceMs: limitMs, isResumed: false, failures: 0 };
  for (;;) {
    let retryAfterSeconds = 0;
    try {
      yield* connected<StreamData<S>>(connection, state);
    } catch (error) {
      if (!state.isResumed || !isTemporary(error)) throw error;
      retryAfterSeconds = error.retryAfterSeconds ?? 0;
    }
    state.isResumed = true;
    await pause(Math.max(1000 * retryAfterSeconds, waitMs(state.failures++)), signal);
  }
}

/** What a stream keeps from connection to connection. */
interface State extends CallOptions {
  /** With the newest `after`. */
  params: StreamParams;
  silenceMs: number;
  /** The first connection is retried as any call is, later ones as long as it takes. */
  isResumed: boolean;
  /** Connections in a row without a frame. */
  failures: number;
}

/** The frames of one connection. */
async function* connected<Data>(
  connection: Connection,
  state: State,
): AsyncGenerator<StreamFrame<Data>, void> {
  const { params, signal, silenceMs, isResumed } = state;
  const { chain, subscriptions, after, max_lag } = params;
  const call = { path: "/v1/stream", body: { chain, subscriptions, after, max_lag }, signal } as const;
  const opening = isResumed ? { ...connection, retries: 0 } : connection;
  const { pieces, headers } = await requestStream(opening, call, silenceMs);
  for await (const event of serverEvents(pieces)) {
    const frame = frameOf<Data>(event);
    if (frame === null) continue;
    state.isResumed = true;
    if (frame.event === "lagged" || frame.event === "shutdown") return;
    state.failures = 0;
    state.params = { ...params, after: placeAfter(frame, state.params.after) };
    yield frame;
  }
  if (headers.get("content-type")?.startsWith("text/event-stream") !== true) {
    throw new QuarryError("not-quarry", "The response is not a stream of events. Is this a Quarry service?");
  }
}

/** The place from which to resume after a frame. Nothing continues what came before a reset. */
function placeAfter(frame: StreamFrame<unknown>, before: string | undefined): string | undefined {
  if (frame.event === "reset") return undefined;
  return "id" in frame ? frame.id : before;
}

/** Whether another connection may succeed. */
function isTemporary(error: unknown): error is QuarryError {
  if (!(error instanceof QuarryError)) return false;
  const { code, status } = error;
  if (status === null) return code === "no-answer" || code === "timeout";
  return status === 429 || status >= 500;
}

/** Clients that were cut off together do not come back together. */
function waitMs(failures: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
  return (longest * (1 + Math.random())) / 2;
}
