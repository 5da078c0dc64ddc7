import type { ChartColour } from "../../../charts/chart-colours.ts";

/** The colours of the first two tokens in the chart, and of all others together. */
export const CHART_COLOURS = ["accent", "quiet", "third"] as const satisfies readonly ChartColour[];

/** The colours of all tokens, in the order of the tokens. */
const COLOURS = [...CHART_COLOURS, "fourth", "fifth", "sixth", "seventh", "eighth"];

export function colourAt(place: number): string {
  return COLOURS[place % COLOURS.length] ?? CHART_COLOURS[0];
}
