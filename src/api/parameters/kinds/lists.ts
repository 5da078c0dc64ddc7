import type { Hex } from "../../../lib/hex.ts";
import { ADDRESS, POOL } from "../../../reads/values/hex-values.ts";
import type { DescribedKind } from "../../../reads/values/value-kind.ts";
import type { ParameterKind } from "../parameter.ts";
import { preview } from "../preview.ts";

interface ListLimits {
  /** Maximum length; default: as many items as a body can hold. */
  max?: number;
  maxOnGet: number;
}

export function addressList(limits: ListLimits): ParameterKind<Hex[]> {
  return listOf(ADDRESS, "addresses (0x and 40 hex digits each)", limits);
}

/** Makes a kind for a list of pools, each given by its address or 32-byte id. */
export function poolList(limits: ListLimits): ParameterKind<Hex[]> {
  return listOf(POOL, "pools (addresses, 0x and 40 hex digits, or ids, 0x and 64 hex digits)", limits);
}

/** One pool, given by its address or 32-byte id, or `all`. */
export const POOL_OR_ALL: DescribedKind<Hex | "all"> = {
  allowed: () => "all, or one pool: its address (0x and 40 hex digits) or id (0x and 64 hex digits)",
  parse: (given) => (isAll(given) ? "all" : POOL.parse(given)),
  schema: { type: "string", pattern: `^(all|${POOL.pattern})$` },
};

function isAll(given: unknown): boolean {
  return typeof given === "string" && given.trim().toLowerCase() === "all";
}

/**
 * Makes a kind for `all`, or for a list of pools, each given by its address or 32-byte id. A single pool need
 * not be in a list.
 */
export function poolListOrAll(limits: ListLimits): ParameterKind<Hex[] | "all"> {
  const list = poolList(limits);
  const orAll = (listSchema: object) => ({ anyOf: [POOL_OR_ALL.schema, listSchema] });
  return {
    ...list,
    allowed: (given, context) => `all, or ${list.allowed(given, context)}`,
    parse: (given, context) => (isAll(given) ? "all" : list.parse(given, context)),
    schema: orAll(list.schema),
    schemaOnGet: orAll(list.schemaOnGet ?? list.schema),
  };
}

/**
 * Makes a kind for a JSON list, or comma-separated text, which may end with a comma; the lists of a repeated
 * query parameter are joined. Duplicates count once.
 */
function listOf<T>(
  item: DescribedKind<T>,
  plural: string,
  { max, maxOnGet }: ListLimits,
): ParameterKind<T[]> {
  const schema = {
    type: "array",
    items: item.schema,
    minItems: 1,
    ...(max === undefined ? {} : { maxItems: max }),
  };
  const onPost = max === undefined ? plural : `1 to ${max} ${plural}`;
  return {
    allowed: (_given, { method }) =>
      method === "GET"
        ? `1 to ${maxOnGet} ${plural}, separated by commas; POST a JSON body for ${max === undefined ? "more" : `up to ${max}`}`
        : `a list of ${onPost}`,
    parse(given, { method }) {
      const limit = method === "GET" ? maxOnGet : (max ?? Number.POSITIVE_INFINITY);
      const distinct = new Set<T>();
      for (const one of itemsOf(given)) {
        const value = item.parse(one);
        if (value === undefined) return undefined;
        if (distinct.add(value).size > limit) return undefined;
      }
      return distinct.size > 0 ? [...distinct] : undefined;
    },
    fault(given) {
      const wrong = firstItem(itemsOf(given), (one) => item.parse(one) === undefined);
      const count = countItems(given);
      if (wrong !== undefined) return faultyItem(wrong, count);
      return count > 0 ? `a list of ${count}` : preview(given);
    },
    schema,
    schemaOnGet: { ...schema, maxItems: maxOnGet },
  };
}

/** Yields the items of a list one by one, because a string may have very many. */
function* itemsOf(given: unknown): Generator<unknown> {
  if (typeof given === "string") yield* split(given);
  if (!Array.isArray(given)) return;
  for (const item of given) {
    if (typeof item === "string" && item.includes(",")) yield* split(item);
    else yield item;
  }
}

/** Yields the items of comma-separated text; a trailing comma adds none. */
function* split(text: string): Generator<string> {
  const end = endOf(text);
  let start = 0;
  for (let comma = text.indexOf(","); comma >= 0 && comma < end; comma = text.indexOf(",", start)) {
    yield text.slice(start, comma);
    start = comma + 1;
  }
  yield text.slice(start, end);
}

/** Returns the length of the text without a trailing comma and the spaces after it. */
function endOf(text: string): number {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(",") ? trimmed.length - 1 : text.length;
}

function countItems(given: unknown): number {
  if (typeof given === "string") return countIn(given);
  if (!Array.isArray(given)) return 0;
  return given.reduce((sum: number, item) => sum + (typeof item === "string" ? countIn(item) : 1), 0);
}

/** Returns the number of items that `split` would yield. */
function countIn(text: string): number {
  const end = endOf(text);
  let count = 1;
  for (let i = 0; i < end; i++) if (text.charCodeAt(i) === COMMA) count++;
  return count;
}

const COMMA = 0x2c;

interface FoundItem {
  item: unknown;
  index: number;
}

function firstItem(items: Iterable<unknown>, isFound: (item: unknown) => boolean): FoundItem | undefined {
  let index = 0;
  for (const item of items) {
    if (isFound(item)) return { item, index };
    index++;
  }
  return undefined;
}

/** Returns a description of a list item that is not allowed. */
export function faultyItem({ item, index }: FoundItem, count: number): string {
  return `${preview(item)} (item ${index + 1} of ${count})`;
}

/** A value of a column, as a client gives it: always a string if it comes from a URL. */
type GivenValue = string | number;

/**
 * Makes a kind for values of a column, up to `max` distinct ones: a JSON list of strings and numbers, or
 * comma-separated text. The kind of the column checks each value.
 */
export function valueList(max: number): ParameterKind<GivenValue[]> {
  return {
    allowed: () => `a list of 1 to ${max} strings or numbers`,
    parse(given, { method }) {
      const values: GivenValue[] = [];
      const distinct = new Set<string>();
      for (const item of givenValues(given, method)) {
        if (!isValue(item) || distinct.add(String(item)).size > max) return undefined;
        if (values.push(item) > MAX_REPEATED) return undefined;
      }
      return values.length > 0 ? values : undefined;
    },
    fault(given) {
      const items = Array.isArray(given) ? given : [given];
      const wrong = firstItem(items, (item) => !isValue(item));
      if (wrong !== undefined) return faultyItem(wrong, items.length);
      return items.length > 1 ? `a list of ${items.length}` : preview(given);
    },
    schema: {
      type: "array",
      items: { anyOf: [{ type: "string" }, { type: "number" }] },
      minItems: 1,
      maxItems: max,
    },
  };
}

function isValue(item: unknown): item is GivenValue {
  return typeof item === "string" || Number.isFinite(item);
}

/** Maximum length of a list with duplicates: as many values as a body may have. */
const MAX_REPEATED = 25_000;

/**
 * Yields the values of a list. A string in a JSON list is one value, even if it contains commas; the lists of
 * a repeated query parameter are joined.
 */
function* givenValues(given: unknown, method: "GET" | "POST"): Generator<unknown> {
  const splits = method === "GET" || !Array.isArray(given);
  for (const item of Array.isArray(given) ? given : [given]) {
    if (splits && typeof item === "string") yield* split(item);
    else yield item;
  }
}
