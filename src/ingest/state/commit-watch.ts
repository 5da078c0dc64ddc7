import { unlessAborted } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import type { ChainPosition } from "./chain-position.ts";
import type { IndexState } from "./index-state.ts";

/** A chain has stalled after this many block times without a commit; individual blocks are often late. */
const STALL_BLOCKS = 10;
/**
 * Minimum time without a commit: chains with a block every second or two occasionally pause for many block
 * times.
 */
const LEAST_STALL_MS = 60_000;
/** Maximum interval between two checks. */
const LOOK_MS = 5_000;

/** Returns the time without a commit after which a chain has stalled. */
export function stallMs(blockTimeMs: number): number {
  return Math.max(LEAST_STALL_MS, STALL_BLOCKS * blockTimeMs);
}

interface WatchOptions {
  clock: Clock;
  /** Time without a commit after which the chain has stalled. */
  stallMs: number;
  state: IndexState;
  position: Pick<ChainPosition, "next">;
  /** Called with the reason when the chain stalls, and with null when it advances again. */
  onChange(reason: string | null): void;
}

/**
 * Detects that no block is being committed, whatever the cause: the node, the store or the indexer itself.
 */
export class CommitWatch {
  readonly #options: WatchOptions;
  #advancedMs: number;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#advancedMs = options.clock.monotonic();
  }

  /** Must be called after each commit and rollback. */
  advanced(): void {
    this.#advancedMs = this.#options.clock.monotonic();
    this.#set(null);
  }

  /** Checks until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, stallMs } = this.#options;
    this.#advancedMs = clock.monotonic();
    while (!signal.aborted) {
      await unlessAborted(signal, () => clock.sleep(Math.min(LOOK_MS, stallMs), signal));
      if (!signal.aborted) this.#look();
    }
    this.#options.state.stalled = null;
  }

  #look(): void {
    const { clock, stallMs } = this.#options;
    const silentMs = clock.monotonic() - this.#advancedMs;
    if (silentMs >= stallMs) this.#set(this.#reason(silentMs));
  }

  #set(reason: string | null): void {
    const { state, onChange } = this.#options;
    const hasChanged = (state.stalled === null) !== (reason === null);
    state.stalled = reason;
    if (hasChanged) onChange(reason);
  }

  #reason(silentMs: number): string {
    const { state, position } = this.#options;
    const seconds = Math.floor(silentMs / 1000);
    return `no block has been indexed for ${seconds} s: ${state.message ?? missing(position.next, state.head)}`;
  }
}

function missing(next: number, head: number | null): string {
  if (head === null) return "no endpoint has reported a block yet";
  return next <= head
    ? `block ${next} is missing, although the chain's newest block is ${head}`
    : `the endpoints report no block after ${head}`;
}
