import { QuarryError } from "../../connection/quarry-error.ts";
import type { ServerEvent } from "../../connection/server-events.ts";
import type { StreamData } from "./subscriptions.ts";

/** A place in a chain: what a frame brings its reader to. */
interface Place<Data> {
  chain: string;
  /** Sequence number of the commit, as in `AsOf`. */
  commit: number;
  block: number;
  hash: string;
  /** Unix seconds. */
  timestamp: number;
  /** Newest final block; null if unknown. */
  finalized: number | null;
  data: Data;
}

interface Resumable {
  /** Resumes a stream after this frame: `after` of another call. */
  id: string;
}

/** The state at a block, with which a stream begins and begins again after `reset`: discard what you have. */
interface SnapshotFrame<Data> extends Place<Data>, Resumable {
  event: "snapshot";
}

/** The next block. */
interface BlockFrame<Data> extends Place<Data>, Resumable {
  event: "block";
  parent_hash: string;
}

/** Prices, candles and pools that became known after the frame of their block, or after a resume. */
interface StateFrame<Data> extends Place<Data> {
  event: "state";
}

/** Blocks above `block` are not on the chain any more: undo them. The new ones follow. */
interface RollbackFrame<Data> extends Place<Data>, Resumable {
  event: "rollback";
}

/** Blocks up to `block` are final. */
interface FinalFrame {
  event: "final";
  chain: string;
  block: number;
}

/** What came before cannot be continued, e.g. because blocks were repaired: discard it. A snapshot follows. */
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

/** Ends a connection, not the stream: the client connects again. */
type EndFrame = { event: "lagged" } | { event: "shutdown" };

const RESUMABLE = ["snapshot", "block", "rollback"];
const OTHERS = ["state", "final", "reset", "lagged", "shutdown"];

/** Null for an event of a newer service. @throws QuarryError if it is not a frame */
export function frameOf<Data>({ id, event, data }: ServerEvent): StreamFrame<Data> | EndFrame | null {
  const isResumable = RESUMABLE.includes(event);
  if (!isResumable && !OTHERS.includes(event)) return null;
  const fields = parsed(data);
  if (fields === null || (isResumable && id === null)) {
    throw new QuarryError("not-quarry", `An event of the stream is not a frame: ${event}.`);
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
