/** The page's colours that charts use, named like their CSS variables. */
const NAMES = ["text", "quiet", "line", "panel", "accent", "up", "down", "warn", "third"] as const;

export type ChartColour = (typeof NAMES)[number];
export type ChartColours = Readonly<Record<ChartColour, string>>;

/** Returns the variables' current values in a form that a canvas accepts, with `light-dark(...)` resolved. */
export function readChartColours(): ChartColours {
  const probe = document.body.appendChild(document.createElement("span"));
  const colourOf = (name: ChartColour): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.fromEntries(NAMES.map((name) => [name, colourOf(name)]));
  probe.remove();
  return colours as ChartColours;
}

/** Returns a colour with an opacity from 0 to 1. */
export function withAlpha(colour: string, alpha: number): string {
  const [red, green, blue] = colour.match(/[\d.]+/g) ?? [];
  return `rgba(${red}, ${green}, ${blue}, ${alpha})`;
}

/** Mixes a colour into a background; `share` is the colour's share, from 0 to 1. */
export function mixColours(colour: string, background: string, share: number): string {
  const below = channelsOf(background);
  const channels = channelsOf(colour).map((each, i) => each * share + (below[i] ?? 0) * (1 - share));
  return `rgb(${channels.map(Math.round).join(", ")})`;
}

function channelsOf(colour: string): number[] {
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}
