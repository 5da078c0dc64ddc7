import { MAX_TIMESTAMP } from "../../engine-sql/column-types.ts";
import { type Hex, isHex } from "../../lib/hex.ts";
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../lib/seconds.ts";
import { didYouMean } from "../../lib/suggestion.ts";
import type { GivenValue } from "../../reads/records/column-value.ts";
import { type Kind, shown } from "./parameter.ts";

/** Any text, not empty. */
export function text({ allowed }: { allowed: string }): Kind<string> {
  return {
    allowed: () => allowed,
    read: (given) => (typeof given === "string" && given.trim() !== "" ? given : undefined),
    schema: { type: "string", minLength: 1 },
  };
}

/** A whole number, also as text. */
export function integer({ min, max }: { min: number; max: number }): Kind<number> {
  return {
    allowed: () => `an integer from ${min} to ${max}`,
    read(given) {
      const value = typeof given === "string" && /^\s*[+-]?\d{1,16}\s*$/.test(given) ? Number(given) : given;
      return isIntegerWithin(value, min, max) ? value : undefined;
    },
    schema: { type: "integer", minimum: min, maximum: max },
  };
}

function isIntegerWithin(value: unknown, min: number, max: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

export function timestamp(): Kind<number> {
  const kind = integer({ min: 0, max: MAX_TIMESTAMP });
  return { ...kind, allowed: () => `a time in unix seconds, an integer from 0 to ${MAX_TIMESTAMP}` };
}

/** True or false, in any case, as JSON or text. */
export function boolean(): Kind<boolean> {
  return {
    allowed: () => "true or false",
    read(given) {
      const word = typeof given === "string" ? given.trim().toLowerCase() : given;
      return word === true || word === "true" ? true : word === false || word === "false" ? false : undefined;
    },
    schema: { type: "boolean" },
  };
}

/** One of a few words. */
export function choice<const W extends string>(words: readonly W[]): Kind<W> {
  return {
    allowed: () => words.join(" or "),
    read: (given) => words.find((word) => word === given),
    schema: { type: "string", enum: words },
  };
}

/** A column of a table, in any case. */
export function columnName(columns: readonly string[]): Kind<string> {
  const read = (given: unknown) => {
    const name = typeof given === "string" ? given.trim().toLowerCase() : "";
    return columns.find((column) => column === name);
  };
  return {
    allowed: () => `one of ${columns.join(", ")}`,
    read,
    fault(given) {
      const suggestion = typeof given === "string" ? didYouMean(given, columns) : "";
      return `${shown(given)}${suggestion.replace(/^; (.*)$/, " ($1)")}`;
    },
    schema: { type: "string", enum: columns },
  };
}

/** Values of a column, `max` distinct ones: a JSON list of texts and numbers, or text with commas. */
export function valueList({ max }: { max: number }): Kind<GivenValue[]> {
  const items = { anyOf: [{ type: "string" }, { type: "number" }] };
  const isValue = (item: unknown) => typeof item === "string" || Number.isFinite(item);
  return {
    allowed: () => `a list of 1 to ${max} texts or numbers`,
    read(given, { method }) {
      const list = valuesOf(given, method);
      if (!list.every((item): item is GivenValue => isValue(item))) return undefined;
      const distinct = new Set(list.map(String));
      return distinct.size > 0 && distinct.size <= max ? list : undefined;
    },
    fault(given) {
      const list = Array.isArray(given) ? given : [given];
      const wrong = list.findIndex((item) => !isValue(item));
      if (wrong >= 0) return `${shown(list[wrong])} (item ${wrong + 1} of ${list.length})`;
      return list.length > 1 ? `a list of ${list.length}` : shown(given);
    },
    schema: { type: "array", items, minItems: 1, maxItems: max },
  };
}

/** In a JSON list a text may hold commas itself; a query parameter that is repeated joins its lists. */
function valuesOf(given: unknown, method: "GET" | "POST"): unknown[] {
  const list = Array.isArray(given) ? given : [given];
  const splits = method === "GET" || !Array.isArray(given);
  return list.flatMap((item) => (splits && typeof item === "string" ? item.split(",") : [item]));
}

/** A JSON object of anything. */
export function object(): Kind<Record<string, unknown>> {
  return {
    allowed: () => "a JSON object",
    read: (given) =>
      typeof given === "object" && given !== null && !Array.isArray(given) ? { ...given } : undefined,
    schema: { type: "object" },
  };
}

export function chain(): Kind<string> {
  return {
    allowed: ({ chains }) => `one of the configured chains: ${chains.join(", ")}`,
    read: (given, { chains }) => {
      const name = typeof given === "string" ? given.trim().toLowerCase() : "";
      return chains.includes(name) ? name : undefined;
    },
    schema: { type: "string" },
  };
}

const ADDRESS_BYTES = 20;
const POOL_ID_BYTES = 32;
const ADDRESS_SCHEMA = { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" };
const POOL_PATTERN = "0x([0-9a-fA-F]{40}|[0-9a-fA-F]{64})";

/** An address in any case; lower-case from here on. */
export function address(): Kind<Hex> {
  return {
    allowed: () => "an address, 0x and 40 hex digits",
    read: readAddress,
    schema: ADDRESS_SCHEMA,
  };
}

/** A pool's address or 32-byte id, or `all`. */
export function poolOrAll(): Kind<Hex | "all"> {
  return {
    allowed: () => "all, or one pool: its address (0x and 40 hex digits) or id (0x and 64 hex digits)",
    read: (given) => (given === "all" ? "all" : readPool(given)),
    schema: { type: "string", pattern: `^(all|${POOL_PATTERN})$` },
  };
}

function readAddress(given: unknown): Hex | undefined {
  return readHex(given, ADDRESS_BYTES);
}

function readPool(given: unknown): Hex | undefined {
  return readHex(given, ADDRESS_BYTES) ?? readHex(given, POOL_ID_BYTES);
}

function readHex(given: unknown, bytes: number): Hex | undefined {
  const hex = typeof given === "string" ? given.trim().toLowerCase() : "";
  return isHex(hex, bytes) ? hex : undefined;
}

interface ListLimits {
  /** Absent: as many as a body holds. */
  max?: number;
  maxOnGet: number;
}

export function addressList(limits: ListLimits): Kind<Hex[]> {
  return hexList("addresses (0x and 40 hex digits each)", {
    readItem: readAddress,
    schema: ADDRESS_SCHEMA,
    ...limits,
  });
}

/** Pools by their addresses or 32-byte ids. */
export function poolList(limits: ListLimits): Kind<Hex[]> {
  return hexList("pools (addresses, 0x and 40 hex digits, or ids, 0x and 64 hex digits)", {
    readItem: readPool,
    schema: { type: "string", pattern: `^${POOL_PATTERN}$` },
    ...limits,
  });
}

/** Pools by their addresses or 32-byte ids, or `all`; alone, a pool needs no list. */
export function poolListOrAll(limits: ListLimits): Kind<Hex[] | "all"> {
  const list = poolList(limits);
  const orAll = (listSchema: object) => ({ anyOf: [poolOrAll().schema, listSchema] });
  return {
    ...list,
    allowed: (circumstances) => `all, or ${list.allowed(circumstances)}`,
    read: (given, circumstances) => (given === "all" ? "all" : list.read(given, circumstances)),
    schema: orAll(list.schema),
    schemaOnGet: orAll(list.schemaOnGet ?? list.schema),
  };
}

interface HexListForm extends ListLimits {
  readItem(given: unknown): Hex | undefined;
  schema: Record<string, unknown>;
}

/** A list is a JSON list, or text with commas; a query parameter that is repeated joins its lists. */
function hexList(what: string, { readItem, schema: items, max, maxOnGet }: HexListForm): Kind<Hex[]> {
  const schema = { type: "array", items, minItems: 1, ...(max === undefined ? {} : { maxItems: max }) };
  const posted =
    max === undefined ? { few: "more", all: what } : { few: `up to ${max}`, all: `1 to ${max} ${what}` };
  return {
    allowed: ({ method }) =>
      method === "GET"
        ? `1 to ${maxOnGet} ${what}, separated by commas; POST a JSON body for ${posted.few}`
        : `a list of ${posted.all}`,
    read(given, { method }) {
      const read = listOf(given)?.map(readItem);
      if (read === undefined || !read.every((item) => item !== undefined)) return undefined;
      const distinct = [...new Set(read)];
      const limit = method === "GET" ? maxOnGet : (max ?? Number.POSITIVE_INFINITY);
      return distinct.length > 0 && distinct.length <= limit ? distinct : undefined;
    },
    fault(given) {
      const list = listOf(given) ?? [];
      const wrong = list.findIndex((item) => readItem(item) === undefined);
      if (wrong >= 0) return `${shown(list[wrong])} (item ${wrong + 1} of ${list.length})`;
      return list.length > 0 ? `a list of ${list.length}` : shown(given);
    },
    schema,
    schemaOnGet: { ...schema, maxItems: maxOnGet },
  };
}

function listOf(given: unknown): unknown[] | undefined {
  if (typeof given === "string") return given.split(",");
  if (!Array.isArray(given)) return undefined;
  return given.flatMap((item) => (typeof item === "string" ? item.split(",") : [item]));
}

const UNIT_SECONDS = { s: 1, m: MINUTE_SECONDS, h: HOUR_SECONDS, d: DAY_SECONDS };

type Unit = keyof typeof UNIT_SECONDS;

/** The length of a candle, such as `15m`, in seconds. */
export function interval(): Kind<number> {
  return duration({
    units: ["m", "h", "d"],
    shortest: "1m",
    longest: "365d",
    maxSeconds: 365 * UNIT_SECONDS.d,
  });
}

/** How far a period reaches back, such as `24h`, in seconds. */
export function lookback(): Kind<number> {
  return duration({
    units: ["s", "m", "h", "d"],
    shortest: "1s",
    longest: "30d",
    maxSeconds: 30 * UNIT_SECONDS.d,
  });
}

interface Durations {
  units: readonly Unit[];
  shortest: string;
  longest: string;
  maxSeconds: number;
}

/** A length of time, in seconds. */
function duration({ units, shortest, longest, maxSeconds }: Durations): Kind<number> {
  const pattern = `([0-9]{1,8})([${units.join("")}])`;
  const form = new RegExp(`^\\s*${pattern}\\s*$`);
  const named = `${units.slice(0, -1).join(", ")} or ${units.at(-1)}`;
  return {
    allowed: () => `<number><unit> with the unit ${named}, from ${shortest} to ${longest}`,
    read(given) {
      const [, count, unit] = (typeof given === "string" && form.exec(given)) || [];
      if (count === undefined) return undefined;
      const seconds = Number(count) * UNIT_SECONDS[unit as Unit];
      return seconds > 0 && seconds <= maxSeconds ? seconds : undefined;
    },
    schema: { type: "string", pattern: `^${pattern}$` },
  };
}
