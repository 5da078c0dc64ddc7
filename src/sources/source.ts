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
   * Returns the newest block that the source offers. If its endpoints disagree about blocks of the same
   * height, the block that extends `known` wins, so the indexed tip is not rolled back for a sibling.
   */
  head(known?: BlockRef | null): Promise<BlockRef>;
  /**
   * Resolves when there may be a new head: when an endpoint announces one, when the next block is due (if
   * blocks come regularly), or after `pollMs`. Also resolves when the signal aborts. Never rejects.
   */
  nextHead(pollMs: number, signal: AbortSignal): Promise<void>;
  /** Returns the number and hash of one block of the source's current chain; null if the chain is shorter. */
  blockRef(number: number): Promise<BlockRef | null>;
  /**
   * Returns whether the source's chain has a block that is stored as final or comes from a file. Requests it
   * from all endpoints: `blockRef` relies on a single endpoint, which may be on another fork. If any endpoint
   * has the block, endpoints with another block in its place are avoided from then on.
   *
   * Throws a retryable error if no endpoint has it, but at least one does not respond.
   */
  hasBlock(block: BlockRef): Promise<boolean>;
  /**
   * Checks a block that is about to be stored as final. Throws a retryable error if endpoints have a
   * different block in its place, unless most of them have this one.
   */
  requireUndisputed(block: BlockRef): Promise<void>;
  /** Returns the newest final block; null if the source reports none. Throws as `requireUndisputed` does. */
  finalized(): Promise<BlockRef | null>;
  /**
   * Yields complete blocks in ascending order, each the child of the previous one. They are verified unless
   * verification is off. Fetches ahead of the consumer, up to a limit. Throws if it cannot yield the whole
   * range.
   */
  blocks(range: BlockRange, signal: AbortSignal): AsyncIterable<Block>;
  /**
   * Returns the results of contract calls, in order; null for a call that fails. Each call uses the state of
   * the block that it names, or the newest state if no endpoint has that state any more. Returns null in
   * place of the list if the source has no endpoint to call.
   */
  call(calls: ContractCall[]): Promise<(Hex | null)[] | null>;
  /**
   * Returns logs of any blocks, unverified; null if no endpoint returns any. If endpoints refuse the whole
   * range, the source searches it in parts, in the background, and a later call returns more.
   */
  pastLogs(filter: LogFilter): Promise<Log[] | null>;
  close(): Promise<void>;
}
