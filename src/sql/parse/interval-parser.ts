import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../lib/seconds.ts";
import type { Interval } from "../syntax/interval.ts";
import { SqlError } from "../syntax/sql-error.ts";
import type { ExpressionOf } from "../syntax/syntax-tree.ts";
import { describeToken, type Token } from "./lexer.ts";
import type { TokenCursor } from "./token-cursor.ts";

const UNITS = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"] as const;
type Unit = (typeof UNITS)[number];

const MONTHS: Partial<Record<Unit, number>> = { YEAR: 12, MONTH: 1 };
const SECONDS: Partial<Record<Unit, number>> = {
  DAY: DAY_SECONDS,
  HOUR: HOUR_SECONDS,
  MINUTE: MINUTE_SECONDS,
  SECOND: 1,
};

/**
 * Separators after the count of each unit in the compound forms: `1-2` YEAR TO MONTH, `1 2:03:04` DAY TO
 * SECOND.
 */
const SEPARATORS: Record<Unit, string> = {
  YEAR: "-",
  MONTH: "",
  DAY: " ",
  HOUR: ":",
  MINUTE: ":",
  SECOND: "",
};

const UNIT_NAMES = "YEAR, MONTH, DAY, HOUR, MINUTE, SECOND";

/** Parses an interval: `INTERVAL 6 MONTH`, `INTERVAL '6' months`, `INTERVAL '1 2:30' DAY TO MINUTE`. */
export function parseInterval(cursor: TokenCursor): ExpressionOf<"interval"> {
  const { at } = cursor.expectKeyword("INTERVAL");
  const sign = cursor.acceptSymbol("-", "+")?.text ?? "";
  const count = cursor.next();
  if (count.kind !== "number" && count.kind !== "text") {
    throw new SqlError(
      count.at,
      `expected a count such as 7 or '7' after INTERVAL, found ${describeToken(count)}`,
    );
  }
  rejectQuotedUnit(count);
  const from = parseUnit(cursor.next());
  const to = cursor.acceptKeyword("TO") === null ? from : parseUnit(cursor.next());
  const range = UNITS.slice(UNITS.indexOf(from), UNITS.indexOf(to) + 1);
  if (range.length === 0 || (from !== to && crossesMonths(from, to))) {
    throw new SqlError(at, `no interval runs from ${from} to ${to}`);
  }
  const counts = parseCounts(count, range);
  const direction = (sign === "-") !== counts.negative ? -1 : 1;
  const interval = intervalOf(range, counts.values, direction);
  const units = from === to ? from : `${from} TO ${to}`;
  const minus = direction < 0 ? "-" : "";
  const digits = count.text.trim().replace(/^[+-]/, "");
  const written = from === to ? `${minus}${Number(digits)}` : `'${minus}${digits}'`;
  return { node: "interval", interval, text: `INTERVAL ${written} ${units}`, ...cursor.newNode(at) };
}

function intervalOf(range: readonly Unit[], counts: readonly number[], direction: 1 | -1): Interval {
  const total = (table: Partial<Record<Unit, number>>) =>
    range.reduce((sum, unit, i) => sum + (table[unit] ?? 0) * (counts[i] ?? 0) * direction, 0);
  const [unit, ...finer] = range.filter((_, i) => counts[i] !== 0);
  const single = finer.length === 0 && counts.includes(1) && direction > 0;
  const calendar = single && unit === "YEAR" ? "year" : single && unit === "MONTH" ? "month" : null;
  return { months: total(MONTHS), seconds: total(SECONDS), calendar };
}

function crossesMonths(from: Unit, to: Unit): boolean {
  return from in MONTHS !== to in MONTHS;
}

/** In PostgreSQL, the unit is inside the quotes: INTERVAL '7 days'. */
function rejectQuotedUnit({ kind, text, at }: Token): void {
  const [, count, unit = ""] = (kind === "text" && /^\s*(\d{1,9})\s*([a-z]+)\s*$/i.exec(text)) || [];
  const singular = unit.toUpperCase().replace(/S$/, "");
  if (count === undefined || !UNITS.some((known) => known === singular)) return;
  throw new SqlError(at, `a unit of time goes after the quotes: write INTERVAL ${count} ${singular}`);
}

function parseUnit(token: Token): Unit {
  const name = token.keyword.replace(/S$/, "");
  const unit = UNITS.find((candidate) => candidate === name);
  if (unit !== undefined) return unit;
  const hint = name === "WEEK" ? "; write 7 DAYS for a week" : "";
  throw new SqlError(
    token.at,
    `expected a unit of time (${UNIT_NAMES}), found ${describeToken(token)}${hint}`,
  );
}

/** A count of up to nine digits. In any unit, its length in seconds or months is exact in a double. */
const COUNT = "(\\d{1,9})";

function parseCounts(token: Token, range: readonly Unit[]): { negative: boolean; values: number[] } {
  const last = range.length - 1;
  const shape = range.map((unit, i) => COUNT + (i < last ? SEPARATORS[unit] : "")).join("");
  const match = new RegExp(`^([+-]?)${shape}$`).exec(token.text.trim());
  if (match === null) {
    const example = range.map((unit, i) => `1${i < last ? SEPARATORS[unit] : ""}`).join("");
    const expected = last === 0 ? `a whole number of up to 9 digits` : `a string such as '${example}'`;
    throw new SqlError(
      token.at,
      `INTERVAL … ${range[0]}${last === 0 ? "" : ` TO ${range[last]}`} takes ${expected}, found ${describeToken(token)}`,
    );
  }
  return { negative: match[1] === "-", values: match.slice(2).map(Number) };
}
