import { unknown } from "../unknown.ts";
import type { Interval, IntervalUnit } from "./syntax.ts";
import type { Tokens } from "./tokens.ts";

const UNITS: readonly IntervalUnit[] = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"];

const MONTHS: Partial<Record<IntervalUnit, number>> = { YEAR: 12, MONTH: 1 };
const SECONDS: Partial<Record<IntervalUnit, number>> = { DAY: 86_400, HOUR: 3_600, MINUTE: 60, SECOND: 1 };

/** Parses what follows the word INTERVAL. */
export function parseInterval(tokens: Tokens): Interval {
  const outer = sign(tokens);
  const { kind, text } = tokens.next();
  const from = unit(tokens);
  const to = tokens.takeWord("TO") ? unit(tokens) : from;
  const written = `${outer < 0 ? "-" : ""}${kind === "text" && /\D/.test(text) ? `'${text}'` : text} ${from}${to === from ? "" : ` TO ${to}`}`;
  const [, minus, digits] = /^\s*([+-]?)\s*(.*?)\s*$/.exec(text) ?? [];
  const counts = (digits ?? "").split(/[-: ]+/).map(Number);
  const factor = minus === "-" ? -outer : outer;
  return intervalOf(UNITS.slice(UNITS.indexOf(from), UNITS.indexOf(to) + 1), counts, {
    factor,
    text: written,
  });
}

function intervalOf(
  units: readonly IntervalUnit[],
  counts: readonly number[],
  { factor, text }: { factor: number; text: string },
): Interval {
  if (units.length !== counts.length || counts.some(Number.isNaN)) throw unknown(`interval: ${text}`);
  const sum = (sizes: Partial<Record<IntervalUnit, number>>) =>
    units.reduce((total, name, i) => total + factor * (counts[i] ?? 0) * (sizes[name] ?? 0), 0);
  const one = units.length === 1 && counts[0] === 1 && factor === 1 ? units[0] : undefined;
  return { kind: "interval", months: sum(MONTHS), seconds: sum(SECONDS), text, one };
}

function sign(tokens: Tokens): number {
  if (tokens.takeSign("-")) return -1;
  tokens.takeSign("+");
  return 1;
}

function unit(tokens: Tokens): IntervalUnit {
  const word = tokens.next().text.toUpperCase();
  const found = UNITS.find((name) => word === name || word === `${name}S`);
  if (found === undefined) throw unknown(`unit of an interval: ${word}`);
  return found;
}
