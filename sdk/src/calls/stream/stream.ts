import { type Connection, integerIn } from "../../connection/connection.ts";
import { QuarryError } from "../../connection/quarry-error.ts";
import { type CallOptions, pause } from "../../connection/request.ts";
import { serverEvents } from "../../connection/server-events.ts";
import { requestStream } from "../../connection/stream.ts";
import { frameOf, type StreamFrame } from "./frames.ts";
import type { StreamData, StreamSubscription } from "./subscriptions.ts";

export interface StreamParams<S extends StreamSubscription = StreamSubscription> {
  /** Default: `eth`. */
  chain?: string | undefined;
  /** Between 1 and 100 subscriptions. */
  subscriptions: readonly S[];
  /** The `id` of the last frame that you have. The stream resumes after this frame and sends no snapshot. */
  after?: string | undefined;
  /**
   * Maximum age of the newest block when the stream begins, in seconds. Default: any age. A stream that
   * resumes waits until the newest block is fresh enough.
   */
  max_lag?: number | undefined;
}

export interface StreamOptions extends CallOptions {
  /**
   * A connection counts as lost if it receives no data for this time. Default: 45,000. The service sends data
   * at least every 15 seconds.
   */
  silenceMs?: number | undefined;
}

const DEFAULT_SILENCE_MS = 45_000;
/** Maximum delay of a timer in JavaScript. Longer timers fire at once. */
const MAX_SILENCE_MS = 2 ** 31 - 1;

/** The first and the longest wait before the client connects again. The wait doubles after each failure. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

/**
 * Maximum wait that the service may request. It is limited because the service may be ready again far earlier
 * than it expected.
 */
const LONGEST_REQUESTED_MS = 60 * 60_000;

/**
 * Yields frames of a chain, and connects again whenever a connection ends. Ends when the caller leaves the
 * loop. Throws if the signal aborts or the service rejects the request.
 */
export async function* stream<const S extends StreamSubscription>(
  connection: Connection,
  params: StreamParams<S>,
  { signal, silenceMs = DEFAULT_SILENCE_MS }: StreamOptions = {},
): AsyncGenerator<StreamFrame<StreamData<S>>, void> {
  const limitMs = integerIn([1, MAX_SILENCE_MS], { silenceMs });
  const state: State = { params, signal, silenceMs: limitMs, isResumed: false, failures: 0 };
  for (;;) {
    let requestedMs = 0;
    try {
      yield* connected<StreamData<S>>(connection, state);
    } catch (error) {
      if (!state.isResumed || !isTemporary(error)) throw error;
      requestedMs = Math.min(1000 * (error.retryAfterSeconds ?? 0), LONGEST_REQUESTED_MS);
    }
    state.isResumed = true;
    await pause(Math.max(requestedMs, waitMs(state.failures++)), signal);
  }
}

/** State that a stream keeps between connections. */
interface State extends CallOptions {
  /** The parameters, with the newest `after`. */
  params: StreamParams;
  silenceMs: number;
  /**
   * False for the first connection, which is retried like any other call. True for later connections, which
   * are retried without limit.
   */
  isResumed: boolean;
  /** Number of reconnections since the last frame. */
  failures: number;
}

/** Yields the frames of one connection. */
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
    throw new QuarryError("not-quarry", "The response is not an event stream. Is this a Quarry service?");
  }
}

/**
 * Returns the id from which to resume after a frame. The stream cannot resume from a frame before a reset.
 */
function placeAfter(frame: StreamFrame<unknown>, before: string | undefined): string | undefined {
  if (frame.event === "reset") return undefined;
  return "id" in frame ? frame.id : before;
}

/**
 * Returns true if another connection may succeed soon. An exhausted monthly quota, for example, is not
 * temporary.
 */
function isTemporary(error: unknown): error is QuarryError {
  if (!(error instanceof QuarryError)) return false;
  const { code, status } = error;
  if (status === null) return code === "no-answer" || code === "timeout";
  return (status === 429 && code !== "quota") || status >= 500;
}

/**
 * Returns the wait before the next connection. The wait is random, so clients that were disconnected together
 * do not reconnect together.
 */
function waitMs(failures: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
  return (longest * (1 + Math.random())) / 2;
}
