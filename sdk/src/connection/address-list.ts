import { QuarryError } from "./quarry-error.ts";

type Item = string | undefined;

/** What the items of a list are, and the lower-case pattern of a valid one. */
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
 * The distinct addresses of a list, in lower case. The service removes duplicates within one request; this
 * does so across all parts.
 *
 * @throws QuarryError `bad-input` for an invalid one: the service sees only a part, so its position would
 *   be wrong
 */
export function distinctAddresses(field: string, list: readonly string[]): string[] {
  return distinct(field, list, ADDRESSES);
}

/** Like `distinctAddresses`, for pools by their addresses or ids. */
export function distinctPools(field: string, list: readonly string[]): string[] {
  return distinct(field, list, POOLS);
}

/** A list in JavaScript may hold anything. An item with commas is several items, as it is for the service. */
function distinct(field: string, list: readonly Item[], { what, pattern }: ListForm): string[] {
  const items = list.flatMap((item): Item[] => (typeof item === "string" ? item.split(",") : [item]));
  const found = new Set<string>();
  for (const [i, item] of items.entries()) {
    const address = typeof item === "string" ? item.trim().toLowerCase() : "";
    if (!pattern.test(address)) {
      const given = `${preview(item)} (item ${i + 1} of ${items.length})`;
      const message = `Invalid parameter ${field}: given is ${given}, allowed is a list of ${what}.`;
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
