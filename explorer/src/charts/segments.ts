/** Values at a time, in unix seconds; `values` is null if they are unknown. */
export interface TimePoint<Values> {
  time: number;
  values: Values | null;
}

export type KnownTimePoint<Values> = TimePoint<Values> & { values: Values };

/** Splits time points into segments of consecutive known values; unknown values become gaps. */
export function segmentsOf<Values>(points: readonly TimePoint<Values>[]): KnownTimePoint<Values>[][] {
  const segments: KnownTimePoint<Values>[][] = [];
  let isOpen = false;
  for (const point of points) {
    if (isKnown(point)) {
      if (isOpen) segments.at(-1)?.push(point);
      else segments.push([point]);
    }
    isOpen = isKnown(point);
  }
  return segments;
}

function isKnown<Values>(point: TimePoint<Values>): point is KnownTimePoint<Values> {
  return point.values !== null;
}
