/** Values at a time, unix seconds; null where they are not known. */
export interface Moment<Values> {
  time: number;
  values: Values | null;
}

export type KnownMoment<Values> = Moment<Values> & { values: Values };

/** The stretches of moments that are known, one after the other: between them is a gap. */
export function runsOf<Values>(moments: readonly Moment<Values>[]): KnownMoment<Values>[][] {
  const runs: KnownMoment<Values>[][] = [];
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

function isKnown<Values>(moment: Moment<Values>): moment is KnownMoment<Values> {
  return moment.values !== null;
}
