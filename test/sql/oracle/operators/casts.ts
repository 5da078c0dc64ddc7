import { synonyms } from "../synonyms.ts";
import { unknown } from "../unknown.ts";
import { textOf } from "../values/answers.ts";
import { storedTime } from "../values/calendar.ts";
import { toWhole } from "../values/decimal-multiples.ts";
import {
  CONDITION,
  type Compiled,
  DOUBLE,
  derived,
  finite,
  isExact,
  TEXT,
  TIME,
  type Type,
  type Value,
  WHOLE,
  wholeOf,
} from "../values/types.ts";
import { wholeOfText, within64Bits } from "../values/whole-numbers.ts";
import { read, readTime } from "./literals.ts";

interface Target {
  type: Type;
  compute(value: NonNullable<Value>, from: Type): Value;
}

const SIGNED_64_BITS = wholeOf(63);
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function toWholeNumber(value: NonNullable<Value>): Value {
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "bigint") return value;
  return typeof value === "string" ? wholeOfText(value) : within64Bits(BigInt(toWhole(value)));
}

function toNumber(value: NonNullable<Value>): Value {
  if (typeof value === "string") return NUMBER.test(value) ? finite(Number(value)) : null;
  return finite(Number(value));
}

/** Converts a value to Unix seconds, rounded down. */
function toTime(value: NonNullable<Value>): Value {
  const seconds = typeof value === "string" ? readTime(value) : Math.floor(Number(value));
  return seconds === null ? null : storedTime(Math.floor(seconds));
}

function toDay(value: NonNullable<Value>): Value {
  const seconds = toTime(value);
  return seconds === null ? null : Number(seconds) - (Number(seconds) % 86_400);
}

function toCondition(value: NonNullable<Value>): Value {
  if (typeof value !== "string") return Boolean(value);
  const word = value.toLowerCase();
  return word === "true" ? true : word === "false" ? false : null;
}

const TARGETS: Record<string, Target> = {
  ...synonyms("BIGINT LONG INTEGER INT SMALLINT TINYINT", { type: SIGNED_64_BITS, compute: toWholeNumber }),
  ...synonyms("DOUBLE FLOAT REAL", { type: DOUBLE, compute: toNumber }),
  ...synonyms<Target>("VARCHAR TEXT STRING KEYWORD", {
    type: TEXT,
    compute: (value, from) => textOf(value, from),
  }),
  ...synonyms("TIMESTAMP DATETIME", { type: TIME, compute: toTime }),
  DATE: { type: TIME, compute: toDay },
  ...synonyms("BOOLEAN BOOL", { type: CONDITION, compute: toCondition }),
};

/**
 * Returns the type of a cast to a whole number. Whole numbers and amounts keep their bits. Unix seconds have
 * the bits of columns.
 */
function wholeType(type: Type, from: Type): Type {
  if (from.kind === "time") return WHOLE;
  return isExact(from) ? from : type;
}

export function cast(of: Compiled, name: string): Compiled {
  const target = TARGETS[name];
  if (target === undefined) throw unknown(`type: ${name}`);
  const { type, compute } = target;
  const timeLiteral = type.kind === "time" && of.literal?.kind === "text";
  const from = timeLiteral ? read(of, "time") : of;
  return derived(isExact(type) ? wholeType(type, from.type) : type, [from], (value) =>
    compute(value, from.type),
  );
}
