import { AGE_BOUNDS } from "../../lib/ages/age-bounds.ts";
import { RecentValues } from "../../lib/ages/recent-values.ts";
import type { Clock } from "../../lib/async/clock.ts";
import type { Block, BlockRef } from "../../schema/block.ts";
import type { Step } from "../reorg/reorg.ts";

/**
 * Maximum number of new blocks that a request for the head may find while the index is at the head. It
 * usually finds one, rarely a few. A higher number means a backfill, after an outage or while a new index
 * catches up.
 */
const MAX_NEW_BLOCKS = 64;

/** Called with the age of a block at the head, in seconds, when it reaches a stage. */
export type OnAge = (stage: HeadStage, ageSeconds: number) => void;

/**
 * `seen`: an endpoint reported the block or a descendant as its head; `committed`: the block is committed.
 */
type HeadStage = "seen" | "committed";

/** Tracks whether the index is at the head, and how old blocks are when they are seen and committed. */
export class HeadAges {
  readonly recent = { seen: new RecentValues(AGE_BOUNDS), committed: new RecentValues(AGE_BOUNDS) };
  /** Set by the code that measures the ages. */
  onAge: OnAge = () => {};
  readonly #clock: Clock;
  #isAtHead = false;
  #seenMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** True from the first request for the head that finds at most one new block, until a backfill. */
  get isAtHead(): boolean {
    return this.#isAtHead;
  }

  /** Must be called when a request for the head returns. */
  headSeen(): void {
    this.#seenMs = this.#clock.now();
  }

  /** Must be called with the step that follows a request for the head. */
  stepFound(tip: BlockRef | null, step: Step): void {
    this.#isAtHead = isStillAtHead(this.#isAtHead, tip, step);
  }

  committed(blocks: readonly Block[]): void {
    if (!this.#isAtHead) return;
    const nowMs = this.#clock.now();
    for (const { timestamp } of blocks) {
      this.#add("seen", this.#seenMs / 1000 - timestamp);
      this.#add("committed", nowMs / 1000 - timestamp);
    }
  }

  #add(stage: HeadStage, seconds: number): void {
    const age = Math.max(0, seconds);
    this.recent[stage].add(age);
    this.onAge(stage, age);
  }
}

function isStillAtHead(wasAtHead: boolean, tip: BlockRef | null, step: Step): boolean {
  if (step.kind !== "extend") return wasAtHead || step.kind !== "rollback";
  return tip !== null && step.to - step.from < (wasAtHead ? MAX_NEW_BLOCKS : 1);
}
