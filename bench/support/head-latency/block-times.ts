import { seeded } from "../../../test/support/seeded.ts";

export interface ChainTimes {
  /** Time between two slots, or between two blocks on average. */
  blockTimeMs: number;
  /** Maximum time by which a block arrives early or late, as a share of the block time. */
  jitter: number;
  /** Share of the slots that have no block. */
  missed: number;
  /** If true, blocks arrive at any time, as on a chain that makes them on demand. */
  random: boolean;
}

export interface BlockTime {
  /** Time of the block's header, before it is truncated to seconds. */
  dateMs: number;
  /** Time when the node gets the block. */
  arrivalMs: number;
}

/** Returns the times of blocks in milliseconds since the start. They are the same in each run. */
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
