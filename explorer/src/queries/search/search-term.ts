import { ADDRESS, HASH } from "../../format/hex.ts";
import { formatCounted } from "../../format/number.ts";

/** A parsed search term. */
export type SearchTerm =
  | { kind: "address"; address: string }
  | { kind: "hash"; hash: string }
  | { kind: "block"; number: number; text: string }
  | { kind: "name"; text: string };

/** Maximum length of the searched text; symbols and names are shorter. */
const MAX_LENGTH = 80;

/** Maximum length of the part of a pasted link that is read. */
const MAX_LINK_LENGTH = 2_000;

const LINK = /^(?:https?:\/\/|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\/)\S+$/i;

/**
 * Parses typed or pasted text. Ignores surrounding whitespace and commas in numbers, accepts addresses and
 * hashes without `0x`, and reads the address, hash or block from a link to any block explorer. Returns null
 * if the text is empty.
 */
export function parseSearchTerm(typed: string): SearchTerm | null {
  const whole = typed.trim().slice(0, MAX_LINK_LENGTH);
  const hex = hexOf(whole);
  if (hex !== null)
    return ADDRESS.test(hex) ? { kind: "address", address: hex } : { kind: "hash", hash: hex };
  const text = whole.slice(0, MAX_LENGTH).toLowerCase();
  if (text === "") return null;
  const block = LINK.test(whole) ? /\/block\/(\d+)/i.exec(whole)?.[1] : undefined;
  const digits = block ?? text.replaceAll(/[, _]/g, "").replace(/^#/, "");
  if (/^\d{1,15}$/.test(digits)) return { kind: "block", number: Number(digits), text };
  return { kind: "name", text };
}

/** Returns the address or hash in a string or link, in lower case; null if there is none. */
function hexOf(text: string): string | null {
  const inLink = LINK.test(text) ? /0x(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])/i.exec(text)?.[0] : undefined;
  const hex = inLink ?? (/^0x/i.test(text) ? text : `0x${text}`);
  return ADDRESS.test(hex) || HASH.test(hex) ? hex.toLowerCase() : null;
}

/**
 * Splits a pair into its two tokens: `weth/usdc`, `weth usdc`, `weth-usdc`. Returns null if there are not
 * exactly two.
 */
export function parsePair(text: string): [string, string] | null {
  const [one, other, ...more] = text.split(/[\s/:–-]+/).filter((word) => word !== "");
  return one === undefined || other === undefined || more.length > 0 ? null : [one, other];
}

/**
 * Explains why a search has no results, if the searched text shows the reason. Otherwise, says what can be
 * searched.
 */
export function searchAdvice(typed: string): string {
  const term = parseSearchTerm(typed);
  if (term?.kind === "address") return "No indexed token, pool, sender or holder has this address.";
  if (term?.kind === "hash") return "No indexed transaction, block or V4 pool has this hash or ID.";
  const digits = /^0x([0-9a-f]*)$/i.exec(typed.trim())?.[1]?.length;
  if (digits !== undefined)
    return `This has ${formatCounted(digits, "hex digit")}: an address has 40, a transaction or block hash has 64.`;
  return "Search for a token symbol or name, a pair like WETH/USDC, an address, a transaction or block hash, a pool ID, or a block number.";
}
