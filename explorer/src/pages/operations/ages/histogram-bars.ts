import type { ChainStatus } from "@quarry/sdk";
import { formatCounted } from "../../../format/number.ts";
import { formatDuration } from "../../../format/time.ts";

type Ages = NonNullable<ChainStatus["block_age"]["seen"]>;

export type Bucket = Ages["histogram"][number];

export interface Bar {
  /** Percent of the width of the histogram. */
  left: number;
  width: number;
  /** Percent of the height of the histogram. */
  height: number;
  hint: string;
}

/** Ages at the two ends of the axis, in seconds. The axis is logarithmic. */
const AXIS = { from: 0.02, to: 600 };

/** Ages that the axis names, in seconds. */
export const TICKS = [0.1, 1, 10, 60];

/** Returns where an age is on the axis, in percent. */
export function positionOf(seconds: number): number {
  const within = Math.min(AXIS.to, Math.max(AXIS.from, seconds));
  return (100 * Math.log(within / AXIS.from)) / Math.log(AXIS.to / AXIS.from);
}

/** Returns the bars of a histogram; the highest one has the full height. */
export function barsOf(buckets: readonly Bucket[]): Bar[] {
  const most = Math.max(...buckets.map(({ blocks }) => blocks));
  return buckets.map((bucket) => {
    const left = positionOf(bucket.above ?? 0);
    const right = positionOf(bucket.at_most ?? Number.POSITIVE_INFINITY);
    return { left, width: right - left, height: (100 * bucket.blocks) / most, hint: describe(bucket) };
  });
}

function describe({ above, at_most, blocks }: Bucket): string {
  const counted = formatCounted(blocks, "block");
  if (at_most === null) return `${counted} older than ${boundText(above ?? 0)}`;
  return above === null
    ? `${counted} up to ${boundText(at_most)}`
    : `${counted} from ${boundText(above)} to ${boundText(at_most)}`;
}

/** Formats the bound of a bucket, which is a round number: `50 ms`, `1.5 s`, `5 min`. */
export function boundText(seconds: number): string {
  if (seconds >= 60) return `${seconds / 60} min`;
  return seconds >= 1 ? `${seconds} s` : formatDuration(1000 * seconds);
}
