import type { Hex } from "../lib/hex.ts";
import type { RowOf } from "../schema/tables.ts";
import type { Commit } from "../storage/store.ts";
import { Frame, type FrameEvent, type Position } from "./frame.ts";
import { dataText, type FrameData } from "./outbox.ts";
import type { FrameText } from "./shared-values.ts";

/** The facts in a frame about the block to which it brings the subscriber. */
export interface FrameHead {
  chain: string;
  position: Position;
  /** Unix seconds. */
  timestamp: number;
  finalized: number | null;
  /** Hash of the block's parent; null unless the frame is about one block. */
  parentHash: Hex | null;
}

/** Returns the head of a frame about the newest block of a commit. */
export function headOfCommit(chain: string, commit: Commit): FrameHead {
  const { timestamp, finalized } = commit;
  return { chain, position: positionOf(commit), timestamp, finalized, parentHash: null };
}

/** Returns the head of a frame about one block. */
export function headOfBlock(
  chain: string,
  { sequence, finalized }: Commit,
  block: RowOf<"blocks">,
): FrameHead {
  return {
    chain,
    position: { commit: sequence, block: block.block_number, hash: block.block_hash },
    timestamp: block.timestamp,
    finalized,
    parentHash: block.parent_hash,
  };
}

/** Returns the position of the newest block of a commit. */
export function positionOf({ sequence, blockNumber, blockHash }: Commit): Position {
  return { commit: sequence, block: blockNumber, hash: blockHash };
}

/** Returns a function that creates frames with the same head and different data. */
export function framesWith(
  event: FrameEvent,
  { chain, position, timestamp, finalized, parentHash }: FrameHead,
) {
  const { commit, block, hash } = position;
  const parent = parentHash === null ? "" : `,"parent_hash":"${parentHash}"`;
  const head = `{"chain":"${chain}","commit":${commit},"block":${block},"hash":"${hash}"${parent},"timestamp":${timestamp},"finalized":${finalized},"data":`;
  // States that are loaded later do not move the subscriber to another block.
  const hasId = event !== "state";
  const frameOf = (statesAt: number, data: FrameText) =>
    new Frame(event, hasId ? { commit: statesAt, block, hash } : null, [head, ...data, "}"]);
  const bare = new Map<number, Frame>();
  /**
   * @param statesAt sequence number of the commit up to which the subscriber has all states; by default, the
   * head's commit
   */
  return (data: FrameData | undefined, statesAt = commit): Frame => {
    if (data !== undefined) return frameOf(statesAt, dataText(data));
    const frame = bare.get(statesAt) ?? frameOf(statesAt, ["{}"]);
    bare.set(statesAt, frame);
    return frame;
  };
}
