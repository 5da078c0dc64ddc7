import type { Hex } from "../lib/hex.ts";
import type { Block, BlockRef, Log } from "../schema/block.ts";
import type { ContractCall } from "../schema/contract-call.ts";
import type { LogFilter } from "../schema/log-filter.ts";

export interface BlockRange {
  from: number;
  /** Inclusive. */
  to: number;
}

/** Where blocks come from. */
export interface Source {
  /**
   * Newest block that the source offers. Where its endpoints disagree about which block that is, the one
   * that keeps `known` wins: the indexed tip is not given up for a sibling of the same height.
   */
  head(known?: BlockRef | null): Promise<BlockRef>;
  /**
   * Resolves when there may be a new head: as soon as an endpoint announces one, else after `pollMs`; also when
   * the signal is aborted. Never rejects.
   */
  nextHead(pollMs: number, signal: AbortSignal): Promise<void>;
  /** Number and hash of one block of the source's present chain; null when it does not reach so far. */
  blockRef(number: number): Promise<BlockRef | null>;
  /** Newest block that the source calls final; null where it knows no finality. */
  finalized(): Promise<BlockRef | null>;
  /**
   * Whole, verified blocks in ascending order, each the child of the one before. Fetches ahead of the
   * consumer within a bound. Ends early only by throwing.
   */
  blocks(range: BlockRange, signal: AbortSignal): AsyncIterable<Block>;
  /** Results of contract calls at the head, in order; null where the call reverts. */
  call(calls: ContractCall[]): Promise<(Hex | null)[]>;
  /** Logs of any blocks, not proven by them; null where no endpoint tells them. */
  pastLogs(filter: LogFilter): Promise<Log[] | null>;
  close(): Promise<void>;
}
