/** The page's colours that charts are drawn in, by the names of their CSS variables. */
const NAMES = ["text", "quiet", "line", "panel", "accent", "up", "down", "warn"] as const;

export type ChartColour = (typeof NAMES)[number];
export type ChartColours = Readonly<Record<ChartColour, string>>;

/** What the variables are just now, as a canvas understands them: `light-dark(...)` is resolved. */
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

/** A colour of the page with so much of it left: 0 is nothing, 1 all. */
export function withAlpha(colour: string, share: number): string {
  const [red, green, blue] = colour.match(/[\d.]+/g) ?? [];
  return `rgba(${red}, ${green}, ${blue}, ${share})`;
}

/** So much of a colour on another, which it hides. */
export function mixColours(colour: string, ground: string, share: number): string {
  const below = channelsOf(ground);
  const channels = channelsOf(colour).map((each, i) => each * share + (below[i] ?? 0) * (1 - share));
  return `rgb(${channels.map(Math.round).join(", ")})`;
}

function channelsOf(colour: string): number[] {
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
}
