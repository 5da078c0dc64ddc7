import { place } from "./characters.ts";
import { addMonths, DAY, dayOf, iso, isoDay, isoWeek, week, yearStart } from "./values/calendar.ts";
import { bucket, cutOff, halfAway, toPlaces, toWhole } from "./values/decimal-multiples.ts";
import { roundWhole, truncateWhole, wholeOfText } from "./values/whole-numbers.ts";

/** A row of random values: whole number, amount, doubles, texts, unix seconds. */
export interface Row {
  n: number;
  a: bigint;
  x: number | null;
  y: number | null;
  s: string | null;
  r: string | null;
  t: number;
}

type Value = number | string | boolean | null;

interface Case {
  /** An expression of the dialect; single letters are the fields of a row. */
  expression: string;
  value(row: Row): Value;
  /** Relative distance that is allowed, for functions that the engine approximates. */
  near?: number;
}

const of = (expression: string, value: Case["value"], near = 0): Case => ({ expression, value, near });

/** The value of a function of numbers, null for null. */
const number = (compute: (x: number) => number) => (row: Row) => (row.x === null ? null : compute(row.x));
const numbers = (compute: (x: number, y: number) => Value) => (row: Row) =>
  row.x === null || row.y === null ? null : compute(row.x, row.y);
const string = (compute: (s: string[]) => Value) => (row: Row) =>
  row.s === null ? null : compute([...row.s]);
const strings = (compute: (s: string, r: string) => Value) => (row: Row) =>
  row.s === null || row.r === null ? null : compute(row.s, row.r);
const time = (compute: (date: Date) => Value) => (row: Row) => compute(new Date(row.t * 1000));

/** The remainder where doubles hold the quotient. */
const remainder = (x: number, y: number) => (Math.abs(x / y) < 2 ** 53 ? x % y : null);
const ofRemainder = (y: number, compute: (x: number) => number) => (row: Row) => {
  const rest = row.x === null ? null : remainder(row.x, y);
  return rest === null ? null : compute(rest);
};

/** Whole numbers of any size, as answers show them. */
const whole = (value: bigint): Value =>
  value >= -(2n ** 53n) + 1n && value < 2n ** 53n ? Number(value) : String(value);

const NUMBERS: Case[] = [
  of("ABS(x)", number(Math.abs)),
  of("ABS(3 - n)", (row) => Math.abs(3 - row.n)),
  of("ABS(a)", (row) => String(row.a)),
  of("CBRT(x)", number(Math.cbrt), 1e-14),
  of("CEIL(x)", number(Math.ceil)),
  of("FLOOR(x)", number(Math.floor)),
  of("FLOOR(n)", (row) => row.n),
  of("EXP(x)", number(Math.exp), 1e-11),
  of(
    "LN(x)",
    number((x) => (x > 0 ? Math.log(x) : Number.NaN)),
    1e-11,
  ),
  of(
    "LOG10(x)",
    number((x) => (x > 0 ? Math.log10(x) : Number.NaN)),
    1e-11,
  ),
  of("SQRT(x)", number(Math.sqrt)),
  of("SIGN(x)", number(Math.sign)),
  of("SIGN(1 - n)", (row) => Math.sign(1 - row.n)),
  of(
    "POWER(x, 3)",
    number((x) => x ** 3),
    1e-12,
  ),
  of(
    "POWER(ABS(x), 0.5)",
    number((x) => Math.abs(x) ** 0.5),
    1e-12,
  ),
  of("ROUND(x)", number(toWhole)),
  of("ROUND(x, 2)", number(toPlaces(halfAway, 2))),
  of("ROUND(x, -3)", number(toPlaces(halfAway, -3))),
  of("ROUND(x, 15)", number(toPlaces(halfAway, 15))),
  of("TRUNCATE(x, 2)", number(toPlaces(cutOff, 2))),
  of("TRUNCATE(x, 6)", number(toPlaces(cutOff, 6))),
  of("TRUNCATE(x)", number(toPlaces(cutOff, 0))),
  of("ROUND(5 - n, -2)", ({ n }) => whole(roundWhole(5n - BigInt(n), -2))),
  of("TRUNCATE(5 - n, -2)", ({ n }) => whole(truncateWhole(5n - BigInt(n), -2))),
  of("ROUND(a, -3)", ({ a }) => {
    const rounded = roundWhole(a, -3);
    return rounded < 2n ** 256n ? String(rounded) : null;
  }),
  of("TRUNCATE(a, -3)", ({ a }) => String(truncateWhole(a, -3))),
  of("MOD(n, 7)", ({ n }) => n % 7),
  of("MOD(a, 1000)", ({ a }) => String(a % 1000n)),
  of("x % y", numbers(remainder)),
  of("x % 0.01", ofRemainder(0.01, Number)),
  of("HISTOGRAM(x % 1000000, 0.1)", ofRemainder(1e6, bucket([1n, 1]))),
  of("HISTOGRAM(x % 1000000, 0.01)", ofRemainder(1e6, bucket([1n, 2]))),
  of("HISTOGRAM(x % 1000000, 2.5)", ofRemainder(1e6, bucket([25n, 1]))),
  of("HISTOGRAM(x % 1000000, 7)", ofRemainder(1e6, bucket([7n, 0]))),
  of("n * n + 1", ({ n }) => whole(BigInt(n) * BigInt(n) + 1n)),
  of(
    "x + y",
    numbers((x, y) => x + y),
  ),
  of(
    "x * y",
    numbers((x, y) => x * y),
  ),
  of(
    "x / y",
    numbers((x, y) => x / y),
  ),
  of("(x / y) IS NULL", ({ x, y }) => x === null || y === null || !Number.isFinite(x / y)),
  of(
    "(x * y) > 1",
    numbers((x, y) => (Number.isFinite(x * y) ? x * y > 1 : null)),
  ),
  of(
    "SIN(x / 1e300)",
    number((x) => Math.sin(x / 1e300)),
    1e-12,
  ),
  of("TAN(n % 100)", ({ n }) => Math.tan(n % 100), 1e-10),
  of("COT(n % 100)", ({ n }) => 1 / Math.tan(n % 100), 1e-10),
  of("ASIN(x)", number(Math.asin), 1e-12),
  of("ACOS(x)", number(Math.acos), 1e-12),
  of("ATAN(x)", number(Math.atan), 1e-12),
  of("ATAN2(x, y)", numbers(Math.atan2), 1e-12),
  of("COSH(x)", number(Math.cosh), 1e-11),
  of("SINH(x)", number(Math.sinh), 1e-11),
  of(
    "DEGREES(x)",
    number((x) => x / (Math.PI / 180)),
  ),
  of(
    "RADIANS(x)",
    number((x) => x * (Math.PI / 180)),
  ),
];

const TEXTS: Case[] = [
  of(
    "LENGTH(s)",
    string((s) => s.length),
  ),
  of("OCTET_LENGTH(s)", (row) => (row.s === null ? null : Buffer.byteLength(row.s))),
  of("ASCII(s)", (row) => (row.s === null ? null : (Buffer.from(row.s)[0] ?? 0))),
  of("LCASE(s)", (row) => row.s?.toLowerCase() ?? null),
  of("UCASE(s)", (row) => row.s?.toUpperCase() ?? null),
  of("CONCAT(s, '-', r)", ({ s, r }) => `${s ?? ""}-${r ?? ""}`),
  of(
    "LEFT(s, 3)",
    string((s) => s.slice(0, 3).join("")),
  ),
  of("LEFT(s, 2 - n)", ({ s, n }) => (s === null ? null : [...s].slice(0, Math.max(2 - n, 0)).join(""))),
  of("LEFT(s, n)", ({ s, n }) => (s === null ? null : [...s].slice(0, n).join(""))),
  of(
    "RIGHT(s, 3)",
    string((s) => s.slice(-3).join("")),
  ),
  of(
    "RIGHT(s, 0)",
    string(() => ""),
  ),
  of(
    "SUBSTRING(s, 2, 3)",
    string((s) => s.slice(1, 4).join("")),
  ),
  of("SUBSTRING(s, n)", ({ s, n }) => (s === null ? null : [...s].slice(Math.max(n, 1) - 1).join(""))),
  of("SUBSTRING(s, -1, n)", ({ s, n }) => (s === null ? null : [...s].slice(0, n).join(""))),
  of("TRIM(s)", (row) => row.s?.replace(/^ +| +$/g, "") ?? null),
  of("LTRIM(s)", (row) => row.s?.replace(/^ +/, "") ?? null),
  of("RTRIM(s)", (row) => row.s?.replace(/ +$/, "") ?? null),
  of(
    "REVERSE(s)",
    string((s) => s.toReversed().join("")),
  ),
  of(
    "REPLACE(s, 'a', r)",
    strings((s, r) => s.split("a").join(r)),
  ),
  of(
    "LOCATE(LEFT(r, 1), s)",
    strings((s, r) => place([...r][0] ?? "", s, 1)),
  ),
  of("LOCATE('b', s, 3)", (row) => (row.s === null ? null : place("b", row.s, 3))),
  of(
    "STARTS_WITH(s, LEFT(r, 1))",
    strings((s, r) => s.startsWith([...r][0] ?? "")),
  ),
  of(
    "ENDS_WITH(s, RIGHT(r, 1))",
    strings((s, r) => s.endsWith([...r].at(-1) ?? "")),
  ),
  of("s LIKE 'a%'", (row) => row.s?.startsWith("a") ?? null),
  of("s RLIKE '[a-c]+.?'", (row) => (row.s === null ? null : /^[a-c]+.?$/su.test(row.s))),
  of("s RLIKE '(a|b|_)*\\\\?[^ ]{0,3}'", (row) =>
    row.s === null ? null : /^(?:a|b|_)*\\?[^ ]{0,3}$/su.test(row.s),
  ),
  of("s RLIKE '\\w*'", (row) => (row.s === null ? null : /^\w*$/su.test(row.s))),
];

const TIMES: Case[] = [
  of(
    "YEAR(t)",
    time((d) => d.getUTCFullYear()),
  ),
  of(
    "QUARTER(t)",
    time((d) => Math.floor(d.getUTCMonth() / 3) + 1),
  ),
  of(
    "MONTH(t)",
    time((d) => d.getUTCMonth() + 1),
  ),
  of("WEEK(t)", time(week)),
  of("ISO_WEEK(t)", time(isoWeek)),
  of(
    "DAY(t)",
    time((d) => d.getUTCDate()),
  ),
  of(
    "DAY_OF_YEAR(t)",
    time((d) => dayOf(d) - yearStart(d.getUTCFullYear()) + 1),
  ),
  of(
    "DAY_OF_WEEK(t)",
    time((d) => d.getUTCDay() + 1),
  ),
  of("ISO_DAY_OF_WEEK(t)", time(isoDay)),
  of(
    "HOUR(t)",
    time((d) => d.getUTCHours()),
  ),
  of(
    "MINUTE_OF_DAY(t)",
    time((d) => d.getUTCHours() * 60 + d.getUTCMinutes()),
  ),
  of(
    "EXTRACT(SECOND FROM t)",
    time((d) => d.getUTCSeconds()),
  ),
  of(
    "DAY_NAME(t)",
    time((d) => d.toLocaleDateString("en", { weekday: "long", timeZone: "UTC" })),
  ),
  of(
    "MONTH_NAME(t)",
    time((d) => d.toLocaleDateString("en", { month: "long", timeZone: "UTC" })),
  ),
  of(
    "DATE_FORMAT(t, '%Y%m%d %H:%i:%s')",
    time((d) => d.toISOString().slice(0, 19).replaceAll("-", "").replace("T", " ")),
  ),
  of(
    "DATE_TRUNC('year', t)",
    time((d) => iso(Date.UTC(d.getUTCFullYear(), 0, 1))),
  ),
  of(
    "DATE_TRUNC('quarter', t)",
    time((d) => iso(Date.UTC(d.getUTCFullYear(), d.getUTCMonth() - (d.getUTCMonth() % 3), 1))),
  ),
  of(
    "DATE_TRUNC('week', t)",
    time((d) => iso(Math.max(0, dayOf(d) - isoDay(d) + 1) * DAY)),
  ),
  of("DATE_TRUNC('hour', t)", ({ t }) => iso((t - (t % 3600)) * 1000)),
  of("HISTOGRAM(t, INTERVAL 7 DAYS)", ({ t }) => iso((t - (t % 604_800)) * 1000)),
  of("DATE_ADD('month', 25 - n, t)", ({ n, t }) =>
    n > 5_000 ? null : iso(addMonths(new Date(t * 1000), 25 - n)),
  ),
  of("DATE_ADD('year', n, t)", ({ n, t }) => (n > 5_000 ? null : iso(addMonths(new Date(t * 1000), 12 * n)))),
  of(
    "DATE_ADD('quarter', -7, t)",
    time((d) => iso(addMonths(d, -21))),
  ),
  of("DATE_ADD('day', 9 - n, t)", ({ n, t }) => iso(t * 1000 + (9 - n) * DAY)),
  of("DATE_ADD('week', 3, t)", ({ t }) => iso(t * 1000 + 21 * DAY)),
  of(
    "t - INTERVAL 1 MONTH",
    time((d) => iso(addMonths(d, -1))),
  ),
  of("t + INTERVAL '1 2:03:04' DAY TO SECOND", ({ t }) => iso((t + 93_784) * 1000)),
  of(
    "DATE_DIFF('month', '2020-05-20', t)",
    time((d) => (d.getUTCFullYear() - 2020) * 12 + d.getUTCMonth() - 4),
  ),
  of(
    "DATE_DIFF('day', t, '2020-05-20')",
    time((d) => Date.UTC(2020, 4, 20) / DAY - dayOf(d)),
  ),
  of(
    "DATE_DIFF('hour', '2020-05-20T12:30:00Z', t)",
    ({ t }) => Math.floor(t / 3600) - Math.floor(Date.UTC(2020, 4, 20, 12) / 3_600_000),
  ),
  of("DATE_DIFF('second', '2020-05-20', t)", ({ t }) => t - Date.UTC(2020, 4, 20) / 1000),
];

const CHOICES: Case[] = [
  of("COALESCE(x, y, 7)", ({ x, y }) => x ?? y ?? 7),
  of("COALESCE(s, r)", ({ s, r }) => s ?? r),
  of("COALESCE(NULL, n)", ({ n }) => n),
  of("IFNULL(x, n)", ({ x, n }) => x ?? n),
  of("NULLIF(s, r)", ({ s, r }) => (s !== null && s === r ? null : s)),
  of("NULLIF(n, 1)", ({ n }) => (n === 1 ? null : n)),
  of("GREATEST(x, y)", ({ x, y }) => (x === null ? y : y === null ? x : Math.max(x, y))),
  of("LEAST(x, y, n)", ({ x, y, n }) => Math.min(x ?? n, y ?? n, n)),
  of("GREATEST(a, 1000)", ({ a }) => String(a > 1000n ? a : 1000n)),
  of("LEAST(s, r)", ({ s, r }) => {
    if (s === null || r === null) return s ?? r;
    return Buffer.compare(Buffer.from(s), Buffer.from(r)) < 0 ? s : r;
  }),
  of("GREATEST(t, '2020-01-01')", ({ t }) => iso(Math.max(t * 1000, Date.UTC(2020, 0, 1)))),
  of("IIF(x > y, 'more', 'not')", ({ x, y }) => (x !== null && y !== null && x > y ? "more" : "not")),
  of("CASE WHEN x > 0 THEN n WHEN x < 0 THEN -n END", ({ x, n }) =>
    x === null || x === 0 ? null : x > 0 ? n : -n + 0,
  ),
  of("CASE s WHEN 'true' THEN a ELSE 0 END", ({ s, a }) => (s === "true" ? String(a) : "0")),
  of("CASE WHEN n < 10 THEN x ELSE n END", ({ x, n }) => (n < 10 ? x : n)),
];

const CASTS: Case[] = [
  of(
    "CAST(x AS BIGINT)",
    number((x) => (Math.abs(toWhole(x)) < 2 ** 63 ? (whole(BigInt(toWhole(x))) as number) : Number.NaN)),
  ),
  of("s::BIGINT", (row) => {
    const value = row.s === null ? null : wholeOfText(row.s);
    return value === null ? null : whole(value);
  }),
  of("n::DOUBLE / 4", ({ n }) => n / 4),
  of("a::DOUBLE", ({ a }) => Number(a), 1e-15),
  of("a::VARCHAR", ({ a }) => String(a)),
  of("n::VARCHAR", ({ n }) => String(n)),
  of(
    "(x::VARCHAR)::DOUBLE",
    number((x) => x),
  ),
  of("t::VARCHAR", ({ t }) => iso(t * 1000)),
  of("t::BIGINT", ({ t }) => t),
  of("t::DATE", ({ t }) => iso((t - (t % 86_400)) * 1000)),
  of("CAST(n AS TIMESTAMP)", ({ n }) => iso(n * 1000)),
  of("CAST(x AS TIMESTAMP)", (row) => (row.x === null ? null : iso(Math.floor(row.x) * 1000))),
  of("s::BOOLEAN", ({ s }) =>
    s?.toLowerCase() === "true" ? true : s?.toLowerCase() === "false" ? false : null,
  ),
  of("x::BOOLEAN", ({ x }) => (x === null ? null : x !== 0)),
  of("(n > 5)::INT", ({ n }) => (n > 5 ? 1 : 0)),
  of("(x > 5)::VARCHAR", ({ x }) => (x === null ? null : String(x > 5))),
];

/** What functions give, computed without the engine. */
export const SECOND_IMPLEMENTATION: readonly Case[] = [...NUMBERS, ...TEXTS, ...TIMES, ...CHOICES, ...CASTS];
