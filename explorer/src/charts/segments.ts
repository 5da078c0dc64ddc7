/** Values at a time, unix seconds; null where they are not known. */
export interface TimePoint<Values> {
  time: number;
  values: Values | null;
}

export type KnownTimePoint<Values> = TimePoint<Values> & { values: Values };

/** The stretches of moments that are known, one after the other: between them is a gap. */
export function segmentsOf<Values>(moments: readonly TimePoint<Values>[]): KnownTimePoint<Values>[][] {
  const runs: KnownTimePoint<Values>[][] = [];
  let isOpen = false;
  for (const moment of moments) {
    if (isKnown(moment)) {
      if (isOpen) runs.at(-1)?.push(moment);
      else runs.push([moment]);
    }
    isOpen = isKnown(moment);
  }
  return runs;
}

function isKnown<Values>(moment: TimePoint<Values>): moment is KnownTimePoint<Values> {
  return moment.values !== null;
}
