import { type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { didYouMean } from "../../lib/names/suggestion.ts";
import { DAY_SECONDS } from "../../lib/seconds.ts";
import { apply, type CheckedExpression, literal, type Operation } from "../expressions/checked-expression.ts";
import { isStorable } from "../expressions/stored-times.ts";
import { addMonths, addSeconds } from "../expressions/time-arithmetic.ts";
import { addInterval } from "../syntax/interval.ts";
import { findTimeUnit, TIME_UNITS, type TimeUnit } from "../types/time-unit.ts";
import { integerType, SAFE_BITS, TEXT, TIME } from "../types/value-type.ts";
import type { Overload, SqlFunction } from "./sql-function.ts";
import { findTimePart, TIME_PARTS, timePart } from "./time-parts.ts";

const wordOf = (word: CheckedExpression) => (word.node === "literal" ? String(word.value) : "");

function unitProblem(unit: CheckedExpression): string | null {
  if (unit.node !== "literal") return "the unit must be a string in single quotes, such as 'month'";
  const word = wordOf(unit);
  if (findTimeUnit(word) !== null) return null;
  const names = TIME_UNITS.map(({ name }) => name);
  return `there is no unit '${word.slice(0, 40)}'${didYouMean(word, names) || `; units: ${names.join(", ")}`}`;
}

/**
 * Adapts `call`, which takes a unit, to an overload whose first argument names the unit; `unitProblem` has
 * checked the name.
 */
function ofUnit(
  call: (unit: TimeUnit, operands: CheckedExpression[]) => CheckedExpression,
): Overload["call"] {
  return (word, ...operands) => {
    const [fallback] = TIME_UNITS;
    return call(findTimeUnit(word === undefined ? "" : wordOf(word)) ?? fallback, operands);
  };
}

function truncate(unit: TimeUnit, time: CheckedExpression): CheckedExpression {
  if (time.node === "literal") return literal(unit.start(Number(time.value)), TIME);
  const print = (t: Sql) => sql`toDateTime(${unit.printStart(t)}, 'UTC')`;
  return apply({ name: `start-of-${unit.name}`, print }, TIME, time);
}

function add(
  { months, seconds }: TimeUnit,
  count: CheckedExpression,
  time: CheckedExpression,
): CheckedExpression {
  if (count.node === "literal" && time.node === "literal") {
    const times = Number(count.value);
    const interval = { months: months * times, seconds: seconds * times, calendar: null };
    const moved = Math.abs(times) < 1e9 ? addInterval(Number(time.value), interval, 1) : Number.NaN;
    if (isStorable(moved)) return literal(moved, TIME);
  }
  return months > 0 ? addMonths(time, count, months) : addSeconds(time, count, seconds);
}

const DIFFERENCE_TYPE = integerType(SAFE_BITS);

function difference(unit: TimeUnit, from: CheckedExpression, to: CheckedExpression): CheckedExpression {
  const print = (a: Sql, b: Sql) => sql`dateDiff(${text(unit.name)}, ${a}, ${b}, 'UTC')`;
  return apply({ name: `difference-${unit.name}`, print }, DIFFERENCE_TYPE, from, to);
}

function partProblem(part: CheckedExpression): string | null {
  if (part.node !== "literal") return "the part must be a string in single quotes, such as 'month'";
  const word = wordOf(part);
  if (findTimePart(word) !== null) return null;
  const names = TIME_PARTS.map(({ name }) => name);
  return `there is no part '${word.slice(0, 40)}'${didYouMean(word, names) || `; parts: ${names.join(", ")}`}`;
}

function partOf(word: CheckedExpression, time: CheckedExpression): CheckedExpression {
  return timePart(findTimePart(wordOf(word)) ?? TIME_PARTS[0], time);
}

const nameOfPart = (name: string, part: "weekday" | "month"): Overload => {
  const operation: Operation = { name, print: (time) => sql`dateName(${text(part)}, ${time})` };
  return { takes: ["time"], call: (time) => apply(operation, TEXT, time) };
};

/** Maximum number of characters of a format, far more than people write: the engine reads it for each row. */
const LONGEST_FORMAT = 1_000;
/** Maximum number of bytes that a byte of a format becomes: `D` is a number of up to three digits. */
const BYTES_PER_FORMAT_BYTE = 3;

function lengthProblem(what: string, { length }: string): string | null {
  return length > LONGEST_FORMAT ? `the ${what} is longer than ${LONGEST_FORMAT} characters` : null;
}

const formatted = (name: string, print: (time: Sql) => Sql, word: string): Operation => ({
  name: `${name}-${word}`,
  print,
  longest: () => BYTES_PER_FORMAT_BYTE * Buffer.byteLength(word),
});

/** Placeholders in the formats of DATE_FORMAT. */
const FORMAT_SIGNS: readonly string[] = ["%Y", "%m", "%d", "%H", "%i", "%s", "%j", "%%"];

function formatProblem(_time: CheckedExpression, format: CheckedExpression): string | null {
  if (format.node !== "literal") return "the format must be a string in single quotes, such as '%Y-%m-%d'";
  const word = wordOf(format);
  const unknown = word.match(/%.?/gsu)?.find((sign) => !FORMAT_SIGNS.includes(sign));
  if (unknown !== undefined) return `"${unknown}" is unknown; use ${FORMAT_SIGNS.join(" ")}`;
  return lengthProblem("format", word);
}

function format(time: CheckedExpression, pattern: CheckedExpression): CheckedExpression {
  const engine = wordOf(pattern).replaceAll(/%./gsu, (sign) => (sign === "%s" ? "%S" : sign));
  const print = (t: Sql) => sql`formatDateTime(${t}, ${text(engine)})`;
  return apply(formatted("format", print, engine), TEXT, time);
}

/** Placeholders in the patterns of DATETIME_FORMAT. */
const PATTERN_PARTS: readonly string[] =
  "yyyy yy MMMM MMM MM M dd d HH H hh h mm m ss s a EEEE EEE DDD D".split(" ");
const PATTERN_SIGNS = /'(?:[^']|'')*'|([A-Za-z])\1*|./gsu;

const OPEN_QUOTE =
  "a quote in the pattern is not closed; put letters between doubled quotes, as in 'yyyy-MM-dd''T''HH:mm'";

function patternProblem(_time: CheckedExpression, pattern: CheckedExpression): string | null {
  if (pattern.node !== "literal")
    return "the pattern must be a string in single quotes, such as 'yyyy-MM-dd'";
  const word = wordOf(pattern);
  for (const [sign] of word.matchAll(PATTERN_SIGNS)) {
    if (sign === "'") return OPEN_QUOTE;
    const unknown = /^[A-Za-z]/.test(sign) && !PATTERN_PARTS.includes(sign);
    if (unknown) return `"${sign.slice(0, 40)}" is unknown; use ${PATTERN_PARTS.join(" ")}`;
  }
  return lengthProblem("pattern", word);
}

function formatByPattern(time: CheckedExpression, pattern: CheckedExpression): CheckedExpression {
  const word = wordOf(pattern);
  const print = (t: Sql) => sql`formatDateTimeInJodaSyntax(${t}, ${text(word)})`;
  return apply(formatted("pattern", print, word), TEXT, time);
}

/** Functions of times, all in UTC. */
export const TIMES: readonly SqlFunction[] = [
  {
    name: "NOW",
    synonyms: ["CURRENT_TIMESTAMP"],
    signature: "NOW(), CURRENT_TIMESTAMP",
    doc: "the time of the query, the same throughout the query; NOW() - INTERVAL 7 DAY is a week earlier",
    example: ["NOW()", "2024-03-10T12:00:00.000Z"],
    constant: (now) => literal(now, TIME),
  },
  {
    name: "TODAY",
    synonyms: ["CURRENT_DATE", "CURDATE"],
    signature: "TODAY(), CURRENT_DATE",
    doc: "the start of the day of the query",
    example: ["TODAY()", "2024-03-10T00:00:00.000Z"],
    constant: (now) => literal(now - (now % DAY_SECONDS), TIME),
  },
  {
    name: "DATE_TRUNC",
    synonyms: ["DATETRUNC"],
    signature: "DATE_TRUNC('unit', time)",
    doc: "the start of the year, quarter, month, week (Monday), day, hour, minute or second that contains the time",
    example: ["DATE_TRUNC('week', timestamp)", "2024-03-04T00:00:00.000Z"],
    overloads: [
      {
        takes: ["text", "time"],
        problem: unitProblem,
        call: ofUnit((unit, [time]) => truncate(unit, time as CheckedExpression)),
      },
    ],
  },
  {
    name: "DATE_ADD",
    synonyms: ["DATEADD", "TIMESTAMP_ADD", "TIMESTAMPADD"],
    signature: "DATE_ADD('unit', count, time)",
    doc: "the time plus the given number of units; a day beyond the end of a month becomes its last day; null if the result is outside the range from 1970 to 2106",
    example: ["DATE_ADD('month', -1, timestamp)", "2024-02-10T11:59:58.000Z"],
    overloads: [
      {
        takes: ["text", "integer", "time"],
        problem: unitProblem,
        call: ofUnit((unit, [count, time]) =>
          add(unit, count as CheckedExpression, time as CheckedExpression),
        ),
      },
    ],
  },
  {
    name: "DATE_DIFF",
    synonyms: ["DATEDIFF", "TIMESTAMP_DIFF", "TIMESTAMPDIFF"],
    signature: "DATE_DIFF('unit', from, to)",
    doc: "number of unit boundaries between the times; negative if the second is earlier",
    example: ["DATE_DIFF('day', timestamp, '2024-03-12')", 2],
    overloads: [
      {
        takes: ["text", "time", "time"],
        problem: unitProblem,
        call: ofUnit((unit, [from, to]) =>
          difference(unit, from as CheckedExpression, to as CheckedExpression),
        ),
      },
    ],
  },
  {
    name: "DATE_PART",
    synonyms: ["DATEPART"],
    signature: "DATE_PART('part', time), EXTRACT(part FROM time)",
    doc: "a part of the time, named like one of the functions below",
    example: ["EXTRACT(YEAR FROM timestamp)", 2024],
    overloads: [{ takes: ["text", "time"], problem: partProblem, call: partOf }],
  },
  {
    name: "DATE_FORMAT",
    signature: "DATE_FORMAT(time, 'format')",
    doc: "the time as text: %Y year, %m month, %d day, %H hour, %i minute, %s second, %j day of the year, %% a percent sign",
    example: ["DATE_FORMAT(timestamp, '%Y-%m')", "2024-03"],
    overloads: [{ takes: ["time", "text"], problem: formatProblem, call: format }],
  },
  {
    name: "DATETIME_FORMAT",
    signature: "DATETIME_FORMAT(time, 'pattern')",
    doc:
      "the time as text: yyyy or yy year, MMMM, MMM, MM or M month, dd or d day, HH or H hour, hh or h hour of the 12-hour clock, a AM or PM, " +
      "mm or m minute, ss or s second, EEEE or EEE day of the week, DDD or D day of the year; put other letters between doubled single quotes",
    example: ["DATETIME_FORMAT(timestamp, 'd MMM yyyy, HH:mm')", "10 Mar 2024, 11:59"],
    overloads: [{ takes: ["time", "text"], problem: patternProblem, call: formatByPattern }],
  },
  {
    name: "DAY_NAME",
    synonyms: ["DAYNAME"],
    signature: "DAY_NAME(time)",
    doc: "name of the day of the week, in English",
    example: ["DAY_NAME(timestamp)", "Sunday"],
    overloads: [nameOfPart("day-name", "weekday")],
  },
  {
    name: "MONTH_NAME",
    synonyms: ["MONTHNAME"],
    signature: "MONTH_NAME(time)",
    doc: "name of the month, in English",
    example: ["MONTH_NAME(timestamp)", "March"],
    overloads: [nameOfPart("month-name", "month")],
  },
];
