import { QuarryError } from "./quarry-error.ts";

type Item = string | undefined;

/** What the items of a list are, and how a right one looks in lower case. */
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
 * The addresses of a list in lower case; one counts once, in whatever case it is listed again: in one request the
 * service sees to it, here in all.
 *
 * @throws QuarryError `bad-input` where one is none: asked in parts, the service does not know its place in the list
 */
export function distinctAddresses(field: string, list: readonly string[]): string[] {
  return distinct(field, list, ADDRESSES);
}

/** As `distinctAddresses`, for pools by their addresses or ids. */
export function distinctPools(field: string, list: readonly string[]): string[] {
  return distinct(field, list, POOLS);
}

/** JavaScript may give anything in a list; an item with commas is several, as it is for the service. */
function distinct(field: string, list: readonly Item[], { what, pattern }: ListForm): string[] {
  const items = list.flatMap((item): Item[] => (typeof item === "string" ? item.split(",") : [item]));
  const found = new Set<string>();
  for (const [i, item] of items.entries()) {
    const address = typeof item === "string" ? item.trim().toLowerCase() : "";
    if (!pattern.test(address)) {
      const given = `${shown(item)} (item ${i + 1} of ${items.length})`;
      const sentence = `Invalid parameter ${field}: given is ${given}, allowed is a list of ${what}.`;
      throw new QuarryError("bad-input", sentence);
    }
    found.add(address);
  }
  return [...found];
}

const MAX_SHOWN = 100;

function shown(item: unknown): string {
  const text = typeof item === "string" ? JSON.stringify(item) : String(item);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
