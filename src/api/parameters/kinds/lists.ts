import type { Hex } from "../../../lib/hex.ts";
import { ADDRESS, POOL } from "../../../reads/values/hex-values.ts";
import type { DescribedKind } from "../../../reads/values/value-kind.ts";
import type { ParameterKind } from "../parameter.ts";
import { preview } from "../preview.ts";

interface ListLimits {
  /** Default: as many as a body can hold. */
  max?: number;
  maxOnGet: number;
}

export function addressList(limits: ListLimits): ParameterKind<Hex[]> {
  return listOf(ADDRESS, "addresses (0x and 40 hex digits each)", limits);
}

/** Pools by their addresses or 32-byte ids. */
export function poolList(limits: ListLimits): ParameterKind<Hex[]> {
  return listOf(POOL, "pools (addresses, 0x and 40 hex digits, or ids, 0x and 64 hex digits)", limits);
}

/** One pool by its address or 32-byte id, or `all`. */
export const POOL_OR_ALL: DescribedKind<Hex | "all"> = {
  allowed: () => "all, or one pool: its address (0x and 40 hex digits) or id (0x and 64 hex digits)",
  parse: (given) => (isAll(given) ? "all" : POOL.parse(given)),
  schema: { type: "string", pattern: `^(all|${POOL.pattern})$` },
};

function isAll(given: unknown): boolean {
  return typeof given === "string" && given.trim().toLowerCase() === "all";
}

/** Pools by their addresses or 32-byte ids, or `all`; a single pool needs no list. */
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
 * A JSON list, or text with commas, also after the last item; the lists of a repeated query parameter are joined. Duplicates count
 * once.
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
      const values = itemsOf(given)?.map((one) => item.parse(one));
      if (values === undefined || !values.every((value) => value !== undefined)) return undefined;
      const distinct = [...new Set(values)];
      const limit = method === "GET" ? maxOnGet : (max ?? Number.POSITIVE_INFINITY);
      return distinct.length > 0 && distinct.length <= limit ? distinct : undefined;
    },
    fault(given) {
      const items = itemsOf(given) ?? [];
      const wrong = items.findIndex((one) => item.parse(one) === undefined);
      if (wrong >= 0) return faultyItem(items, wrong);
      return items.length > 0 ? `a list of ${items.length}` : preview(given);
    },
    schema,
    schemaOnGet: { ...schema, maxItems: maxOnGet },
  };
}

function itemsOf(given: unknown): unknown[] | undefined {
  if (typeof given === "string") return split(given);
  if (!Array.isArray(given)) return undefined;
  return given.flatMap((item) => (typeof item === "string" ? split(item) : [item]));
}

/** The items of text with commas; a trailing comma adds none. */
function split(text: string): string[] {
  return text.replace(/,\s*$/, "").split(",");
}

/** Describes an item of a list that is not allowed. */
export function faultyItem(items: readonly unknown[], index: number): string {
  return `${preview(items[index])} (item ${index + 1} of ${items.length})`;
}

/** A value of a column, as a client gives it: from a URL always text. */
type GivenValue = string | number;

/**
 * Values of a column, up to `max` distinct ones: a JSON list of texts and numbers, or text with commas. The
 * kind of the column checks each value.
 */
export function valueList(max: number): ParameterKind<GivenValue[]> {
  return {
    allowed: () => `a list of 1 to ${max} texts or numbers`,
    parse(given, { method }) {
      const values = givenValues(given, method);
      if (!values.every(isValue)) return undefined;
      const distinct = new Set(values.map(String));
      return distinct.size > 0 && distinct.size <= max ? values : undefined;
    },
    fault(given) {
      const items = Array.isArray(given) ? given : [given];
      const wrong = items.findIndex((item) => !isValue(item));
      if (wrong >= 0) return faultyItem(items, wrong);
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

/** A text in a JSON list may contain commas; the lists of a repeated query parameter are joined. */
function givenValues(given: unknown, method: "GET" | "POST"): unknown[] {
  const items = Array.isArray(given) ? given : [given];
  const splits = method === "GET" || !Array.isArray(given);
  return items.flatMap((item) => (splits && typeof item === "string" ? split(item) : [item]));
}
