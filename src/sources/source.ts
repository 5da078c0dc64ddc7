import type { Hex } from "../lib/hex.ts";
import type { Block, BlockRef, Log } from "../schema/block.ts";
import type { ContractCall } from "../schema/contract-call.ts";
import type { LogFilter } from "../schema/log-filter.ts";

export interface BlockRange {
  from: number;
  /** Inclusive. */
  to: number;
}

/** Supplies the blocks of one chain. */
export interface Source {
  /**
   * Newest block that the source offers. If its endpoints disagree about blocks of the same height, the one
   * that extends `known` wins, so the indexed tip is not rolled back for a sibling.
   */
  head(known?: BlockRef | null): Promise<BlockRef>;
  /**
   * Resolves when there may be a new head: when an endpoint announces one, or after `pollMs`, or where blocks
   * come regularly when the next one is due; also when the signal aborts. Never rejects.
   */
  nextHead(pollMs: number, signal: AbortSignal): Promise<void>;
  /** Number and hash of one block of the source's current chain; null when the chain is shorter. */
  blockRef(number: number): Promise<BlockRef | null>;
  /** Newest final block; null when the source reports none. */
  finalized(): Promise<BlockRef | null>;
  /**
   * Complete, verified blocks in ascending order, each the child of the one before. Fetches ahead of the
   * consumer, up to a limit. Ends early only by throwing.
   */
  blocks(range: BlockRange, signal: AbortSignal): AsyncIterable<Block>;
  /**
   * Results of contract calls, in order; null if the call reverts. Each is made with the state of the block
   * that it names, or with the newest where no endpoint has that state any more. Null in place of all: no
   * endpoint can make calls.
   */
  call(calls: ContractCall[]): Promise<(Hex | null)[] | null>;
  /**
   * Logs of any blocks, not verified; null when no endpoint returns any. If endpoints refuse the whole range,
   * the source searches it in parts in the background: then a later call returns more.
   */
  pastLogs(filter: LogFilter): Promise<Log[] | null>;
  close(): Promise<void>;
}
