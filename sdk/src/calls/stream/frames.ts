import { QuarryError } from "../../connection/quarry-error.ts";
import type { ServerEvent } from "../../connection/server-events.ts";
import type { StreamData } from "./subscriptions.ts";

/** The position in a chain after a frame, and the frame's data. */
interface Place<Data> {
  chain: string;
  /** Sequence number of the commit, as in `AsOf`. */
  commit: number;
  block: number;
  hash: string;
  /** Unix seconds. */
  timestamp: number;
  /** Newest final block. Null if unknown. */
  finalized: number | null;
  data: Data;
}

interface Resumable {
  /** Pass it as `after` to another call to resume the stream after this frame. */
  id: string;
}

/**
 * The state as of a block. A stream begins with this frame, and sends another one after `reset`. Discard all
 * data from before this frame.
 */
interface SnapshotFrame<Data> extends Place<Data>, Resumable {
  event: "snapshot";
}

/** The next block. */
interface BlockFrame<Data> extends Place<Data>, Resumable {
  event: "block";
  parent_hash: string;
}

/**
 * Prices, candles and pools that were read after the frame of their block, that changed without a new block,
 * or that may have changed before the stream resumed.
 */
interface StateFrame<Data> extends Place<Data> {
  event: "state";
}

/** Blocks above `block` are no longer on the chain. Undo them. The new blocks follow. */
interface RollbackFrame<Data> extends Place<Data>, Resumable {
  event: "rollback";
}

/** Blocks up to `block` are final. */
interface FinalFrame {
  event: "final";
  chain: string;
  block: number;
}

/**
 * The stream cannot continue from the earlier frames, e.g. because blocks were repaired. Discard all earlier
 * data. A snapshot follows.
 */
interface ResetFrame {
  event: "reset";
  chain: string;
  reason: string;
}

export type StreamFrame<Data = StreamData> =
  | SnapshotFrame<Data>
  | BlockFrame<Data>
  | StateFrame<Data>
  | RollbackFrame<Data>
  | FinalFrame
  | ResetFrame;

/** Ends a connection, but not the stream. The client connects again. */
type EndFrame = { event: "lagged" } | { event: "shutdown" };

const RESUMABLE = ["snapshot", "block", "rollback"];
const OTHERS = ["state", "final", "reset", "lagged", "shutdown"];

/**
 * Reads a frame. Returns null for an unknown event, which only a newer service sends.
 *
 * @throws QuarryError if the event is not a frame
 */
export function frameOf<Data>({ id, event, data }: ServerEvent): StreamFrame<Data> | EndFrame | null {
  const isResumable = RESUMABLE.includes(event);
  if (!isResumable && !OTHERS.includes(event)) return null;
  const fields = parsed(data);
  if (fields === null || (isResumable && id === null)) {
    throw new QuarryError("not-quarry", `An event of the stream is not a valid frame: ${event}.`);
  }
  return { event, ...(isResumable ? { id } : {}), ...fields } as StreamFrame<Data> | EndFrame;
}

function parsed(text: string): object | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && !Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}
