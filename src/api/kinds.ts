import { type Hex, isHex } from "../lib/hex.ts";
import { type Circumstances, type Kind, shown } from "./parameter.ts";

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

/** The engine's times end here (2106-02-07). */
const MAX_TIMESTAMP = 2 ** 32 - 1;

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

/** An address in any case; lower-case from here on. */
export function address(): Kind<Hex> {
  return {
    allowed: () => "an address, 0x and 40 hex digits",
    read: (given) => readHex(given, ADDRESS_BYTES),
    schema: ADDRESS_SCHEMA,
  };
}

/** A pool's address or 32-byte id, or `all`. */
export function poolOrAll(): Kind<Hex | "all"> {
  return {
    allowed: () => "all, or one pool: its address (0x and 40 hex digits) or id (0x and 64 hex digits)",
    read: (given) =>
      given === "all" ? "all" : (readHex(given, ADDRESS_BYTES) ?? readHex(given, POOL_ID_BYTES)),
    schema: { type: "string", pattern: "^(all|0x([0-9a-fA-F]{40}|[0-9a-fA-F]{64}))$" },
  };
}

function readHex(given: unknown, bytes: number): Hex | undefined {
  const hex = typeof given === "string" ? given.trim().toLowerCase() : "";
  return isHex(hex, bytes) ? hex : undefined;
}

/** A list is a JSON list, or text with commas; a query parameter that is repeated joins its lists. */
export function addressList({ max, maxOnGet }: { max: number; maxOnGet: number }): Kind<Hex[]> {
  const schema = { type: "array", items: ADDRESS_SCHEMA, minItems: 1, maxItems: max };
  return {
    allowed: (circumstances) => allowedList(circumstances, { max, maxOnGet }),
    read(given, { method }) {
      const items = readList(given);
      const addresses = items?.map((item) => readHex(item, ADDRESS_BYTES));
      if (addresses === undefined || !addresses.every((item) => item !== undefined)) return undefined;
      const distinct = [...new Set(addresses)];
      const limit = method === "GET" ? maxOnGet : max;
      return distinct.length > 0 && distinct.length <= limit ? distinct : undefined;
    },
    fault: listFault,
    schema,
    schemaOnGet: { ...schema, maxItems: maxOnGet },
  };
}

function readList(given: unknown): unknown[] | undefined {
  if (typeof given === "string") return given.split(",");
  if (!Array.isArray(given)) return undefined;
  return given.flatMap((item) => (typeof item === "string" ? item.split(",") : [item]));
}

function listFault(given: unknown): string {
  const items = readList(given) ?? [];
  const wrong = items.findIndex((item) => readHex(item, ADDRESS_BYTES) === undefined);
  if (wrong >= 0) return `${shown(items[wrong])} (item ${wrong + 1} of ${items.length})`;
  return items.length > 0 ? `a list of ${items.length}` : shown(given);
}

function allowedList({ method }: Circumstances, limits: { max: number; maxOnGet: number }): string {
  const addresses = "addresses (0x and 40 hex digits each)";
  return method === "GET"
    ? `1 to ${limits.maxOnGet} ${addresses}, separated by commas; POST a JSON body for up to ${limits.max}`
    : `a list of 1 to ${limits.max} ${addresses}`;
}

const UNIT_SECONDS = { m: 60, h: 3600, d: 86_400 };
const MAX_INTERVAL_SECONDS = 365 * UNIT_SECONDS.d;

/** A length of time such as `15m`, in seconds. */
export function interval(): Kind<number> {
  return {
    allowed: () => "<number><unit> with the unit m, h or d, from 1m to 365d",
    read(given) {
      const [, count, unit] = (typeof given === "string" && /^\s*(\d{1,7})([mhd])\s*$/.exec(given)) || [];
      if (count === undefined) return undefined;
      const seconds = Number(count) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
      return seconds > 0 && seconds <= MAX_INTERVAL_SECONDS ? seconds : undefined;
    },
    schema: { type: "string", pattern: "^[0-9]+[mhd]$" },
  };
}
