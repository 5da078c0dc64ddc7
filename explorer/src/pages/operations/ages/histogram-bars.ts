import { formatCounted } from "../../../format/number.ts";
import { formatDuration } from "../../../format/time.ts";

export interface Bucket {
  /** Lower bound in seconds; null for the youngest bucket. */
  above: number | null;
  /** Upper bound in seconds; null for the oldest bucket. */
  at_most: number | null;
  blocks: number;
}

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
  if (at_most === null) return `${counted} older than ${ageText(above ?? 0)}`;
  return above === null
    ? `${counted} up to ${ageText(at_most)}`
    : `${counted} from ${ageText(above)} to ${ageText(at_most)}`;
}

function ageText(seconds: number): string {
  return seconds >= 60
    ? `${seconds / 60} min`
    : seconds >= 1
      ? `${seconds} s`
      : formatDuration(1000 * seconds);
}

/** Returns the label of an age on the axis. */
export const tickText = ageText;
