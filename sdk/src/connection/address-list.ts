import { QuarryError } from "./quarry-error.ts";

type Item = string | undefined;

/** A description of the items of a list, and the lower-case pattern of a valid item. */
interface ListForm {
  what: string;
  pattern: RegExp;
}

const ADDRESSES: ListForm = { what: "addresses (0x and 40 hex digits each)", pattern: /^0x[0-9a-f]{40}$/ };
const POOLS: ListForm = {
  what: "pools (addresses, 0x and 40 hex digits, or ids, 0x and 64 hex digits)",
  pattern: /^0x([0-9a-f]{40}|[0-9a-f]{64})$/,
};

/**
 * Returns the distinct addresses of a list, in lower case. The service removes duplicates only within one
 * request. This function removes them across all parts.
 *
 * @throws QuarryError `bad-input` for an invalid address. The service could not report its position
 *   correctly, because it sees only a part of the list.
 */
export function distinctAddresses(field: string, list: readonly string[]): string[] {
  return distinct(field, list, ADDRESSES);
}

/** Does the same as `distinctAddresses` for pools, which are addresses or ids. */
export function distinctPools(field: string, list: readonly string[]): string[] {
  return distinct(field, list, POOLS);
}

/**
 * Returns the distinct items of a list, in lower case. Checks each item, because a list from JavaScript may
 * contain any values, or be a single string. Splits an item with commas into several items, as the service
 * does.
 */
function distinct(field: string, list: readonly Item[], { what, pattern }: ListForm): string[] {
  const items = [list]
    .flat()
    .flatMap((item): Item[] => (typeof item === "string" ? item.split(",") : [item]));
  const found = new Set<string>();
  for (const [i, item] of items.entries()) {
    const address = typeof item === "string" ? item.trim().toLowerCase() : "";
    if (!pattern.test(address)) {
      const given = `${preview(item)} (item ${i + 1} of ${items.length})`;
      const message = `Invalid parameter ${field}: got ${given}, expected a list of ${what}.`;
      throw new QuarryError("bad-input", message);
    }
    found.add(address);
  }
  return [...found];
}

const MAX_PREVIEW = 100;

function preview(item: unknown): string {
  const text = typeof item === "string" ? JSON.stringify(item) : String(item);
  return text.length > MAX_PREVIEW ? `${text.slice(0, MAX_PREVIEW)}…` : text;
}
