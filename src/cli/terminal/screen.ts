import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Returns whether a line can change in place: the stream is a terminal that can move its cursor. */
export function isLive(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && process.env.TERM !== "dumb";
}

/** Colours a string if the stream shows colours and they are not disabled (NO_COLOR, TERM=dumb). */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return stream.isTTY === true && stream.hasColors() ? styleText(style, text) : text;
}

const BAR_WIDTH = 24;

/** Draws a bar with its percentage, for a share from 0 to 1. */
export function barText(share: number): string {
  const known = Math.min(1, Math.max(0, share));
  const full = Math.floor(known * BAR_WIDTH);
  return `${"█".repeat(full)}${"░".repeat(BAR_WIDTH - full)} ${String(Math.floor(known * 100)).padStart(3)}%`;
}
