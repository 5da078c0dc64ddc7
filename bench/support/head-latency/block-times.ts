import { seeded } from "../../../test/support/seeded.ts";

export interface ChainTimes {
  /** Time between two slots, or between two blocks on average. */
  blockTimeMs: number;
  /** Share of the block time by which a block comes early or late, at most. */
  jitter: number;
  /** Share of the slots that have no block. */
  missed: number;
  /** Blocks come at any time, like those of a chain that makes them on demand. */
  random: boolean;
}

export interface BlockTime {
  /** The time that the block's header has, before it is cut to seconds. */
  dateMs: number;
  /** When the node has it. */
  arrivalMs: number;
}

/** Milliseconds since the start, the same in each run. */
export function blockTimes(blocks: number, times: ChainTimes): BlockTime[] {
  const random = seeded(1);
  const next = times.random ? randomTimes(times, random) : slotTimes(times, random);
  return Array.from({ length: blocks }, next);
}

function randomTimes({ blockTimeMs }: ChainTimes, random: () => number): () => BlockTime {
  let dateMs = blockTimeMs;
  return () => {
    dateMs -= Math.log(1 - random()) * blockTimeMs;
    return { dateMs, arrivalMs: dateMs };
  };
}

function slotTimes({ blockTimeMs, jitter, missed }: ChainTimes, random: () => number): () => BlockTime {
  let slot = 0;
  return () => {
    slot += missed > 0 && random() < missed ? 2 : 1;
    const dateMs = slot * blockTimeMs;
    return { dateMs, arrivalMs: dateMs + jitter * (2 * random() - 1) * blockTimeMs };
  };
}
