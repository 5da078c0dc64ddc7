import type { Clock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { LogFilter } from "../../schema/log-filter.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { RpcRefusal } from "../rpc/json-rpc.ts";
import { isTimeout, requestLogs } from "./log-request.ts";

/**
 * Numbers of blocks in one request, in the order in which they are tried. Each is about half of the previous
 * one. The round numbers are common limits of endpoints.
 */
export const PART_SIZES = [
  ...[1_000_000, 500_000, 200_000, 100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500],
] as const;
/**
 * Number of accepted parts in a row after which a larger part is tried again, because the endpoint may have
 * refused the larger part for a reason other than its size.
 */
const PARTS_BEFORE_LARGER = 50;
/**
 * Maximum number of ids in one request. Nodes refuse filters with more than a thousand topics. The remaining
 * ids wait until others are done.
 */
const IDS_PER_PART = 900;
/**
 * Minimum pause between two requests. The pause is also at least as long as the request, because indexing has
 * priority.
 */
const MIN_PAUSE_MS = 100;
/**
 * Pause after a failed request, multiplied by the number of failures in a row. The search stops after
 * MAX_FAILURES failures in a row.
 */
const FAILURE_PAUSE_MS = 10_000;
const MAX_FAILURES = 6;

const LACKING = "no log of these blocks has the id";

interface SearchOptions {
  endpoint: Pick<Endpoint, "send">;
  clock: Clock;
  /** The logs to search, without ids, which are added later. */
  range: Omit<LogFilter, "ids">;
  signal: AbortSignal;
  onFound(id: Hex, log: Log): void;
  /** Called with ids for which the endpoint has no log, or that could not be searched. */
  onMissed(ids: readonly Hex[], reason: string): void;
}

/**
 * Searches an endpoint's old logs in parts, newest first, in the background. One pass serves all ids. If an
 * id is added during a pass, its search begins at the current block, goes down to the oldest, and continues
 * from the newest block down to where it began. The search for an id ends when all blocks have been searched
 * for it.
 */
export class LogSearch {
  readonly #options: SearchOptions;
  /** Number of blocks that have not been searched yet, for each id that may still be found. */
  readonly #left = new Map<Hex, number>();
  /** Ids for which the endpoint has no log in the range. */
  readonly #lacking = new Set<Hex>();
  #next: number;
  /** Index in PART_SIZES of the size of the next part. */
  #size = 0;
  #acceptedParts = 0;
  #failures = 0;
  #state: "idle" | "running" | "stopped" = "idle";

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#next = options.range.to;
  }

  /** Returns true while the search for the id is running. */
  has(id: Hex): boolean {
    return this.#state === "running" && this.#left.has(id);
  }

  /** Adds ids, and starts the search, or continues it if it has stopped. */
  add(ids: readonly Hex[]): void {
    const { range, onMissed } = this.#options;
    const [lacking, others] = [
      ids.filter((id) => this.#lacking.has(id)),
      ids.filter((id) => !this.#lacking.has(id)),
    ];
    if (this.#left.size === 0) this.#next = range.to;
    for (const id of others) if (!this.#left.has(id)) this.#left.set(id, range.to - range.from + 1);
    if (lacking.length > 0) onMissed(lacking, LACKING);
    if (this.#left.size > 0 && this.#state !== "running") void this.#run();
  }

  /** Forgets for which ids the endpoint has no log, so that they can be searched again. */
  forgetLacking(): void {
    this.#lacking.clear();
  }

  /** Ends the search for an id that was found elsewhere. */
  drop(id: Hex): void {
    this.#left.delete(id);
  }

  async #run(): Promise<void> {
    const { clock, signal } = this.#options;
    this.#state = "running";
    try {
      while (this.#left.size > 0) {
        const startedAt = clock.monotonic();
        await this.#searchPart();
        if (this.#isStopped()) return;
        const pauseMs = Math.max(MIN_PAUSE_MS, clock.monotonic() - startedAt);
        await clock.sleep(pauseMs + this.#failures * FAILURE_PAUSE_MS, signal);
      }
      this.#state = "idle";
    } catch (error) {
      // If the source is closed, the search ends without a report.
      if (!signal.aborted) this.#stop(String(error));
    }
  }

  async #searchPart(): Promise<void> {
    const { endpoint, range, signal } = this.#options;
    const to = this.#next;
    const from = Math.max(range.from, to - (PART_SIZES[this.#size] ?? 1) + 1);
    const ids = [...this.#left.keys()].slice(0, IDS_PER_PART);
    try {
      const found = await requestLogs(endpoint, { ...range, ids, from, to }, signal);
      if ("refusal" in found) return this.#refused(found.refusal);
      this.#searched(ids, found, { from, to });
    } catch (error) {
      if (signal.aborted || !(error instanceof BaseError)) throw error;
      this.#failed(error);
    }
  }

  #searched(ids: readonly Hex[], found: ReadonlyMap<Hex, Log>, { from, to }: Range): void {
    const { range, onFound, onMissed } = this.#options;
    const missed: Hex[] = [];
    for (const id of ids) {
      const before = this.#left.get(id);
      // The id was dropped during the request.
      if (before === undefined) continue;
      const log = found.get(id);
      const left = before - (to - from + 1);
      if (log === undefined && left > 0) this.#left.set(id, left);
      else this.#left.delete(id);
      if (log !== undefined) onFound(id, log);
      else if (left <= 0) missed.push(id);
    }
    this.#next = from > range.from ? from - 1 : range.to;
    this.#failures = 0;
    this.#acceptedParts++;
    if (this.#acceptedParts % PARTS_BEFORE_LARGER === 0) this.#size = Math.max(0, this.#size - 1);
    for (const id of missed) this.#lacking.add(id);
    if (missed.length > 0) onMissed(missed, LACKING);
  }

  #refused({ kind, message }: RpcRefusal): void {
    this.#acceptedParts = 0;
    if (kind !== "method" && this.#size < PART_SIZES.length - 1) this.#size++;
    else this.#stop(`"${message}"`);
  }

  #failed(error: BaseError): void {
    this.#failures++;
    if (isTimeout(error) && this.#size < PART_SIZES.length - 1) this.#size++;
    if (this.#failures >= MAX_FAILURES) this.#stop(error.message);
  }

  #isStopped(): boolean {
    return this.#state === "stopped";
  }

  /** Stops until ids are added again. Blocks that have been searched are not searched again. */
  #stop(reason: string): void {
    this.#state = "stopped";
    this.#failures = 0;
    this.#options.onMissed([...this.#left.keys()], reason);
  }
}

interface Range {
  from: number;
  to: number;
}
