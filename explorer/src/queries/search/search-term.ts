import { ADDRESS, HASH } from "../../format/hex.ts";

/** What a text can stand for. */
export type Subject =
  | { kind: "address"; address: string }
  | { kind: "hash"; hash: string }
  | { kind: "block"; number: number; text: string }
  | { kind: "name"; text: string };

/** So long a text is looked for at most: no symbol or name that one types is longer. */
const LONGEST = 80;

/** So much of a pasted link is read. */
const LONGEST_LINK = 2_000;

const LINK = /^(?:https?:\/\/|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\/)\S+$/i;

/**
 * Reads what was typed or pasted: blanks around it and commas in numbers do not count, an address or hash may lack its
 * `0x`, and of a link to any block explorer the address, hash or block in it counts. Null where it is empty.
 */
export function parseSearchTerm(typed: string): Subject | null {
  const whole = typed.trim().slice(0, LONGEST_LINK);
  const hex = hexOf(whole);
  if (hex !== null)
    return ADDRESS.test(hex) ? { kind: "address", address: hex } : { kind: "hash", hash: hex };
  const text = whole.slice(0, LONGEST).toLowerCase();
  if (text === "") return null;
  const block = LINK.test(whole) ? /\/block\/(\d+)/i.exec(whole)?.[1] : undefined;
  const digits = block ?? text.replaceAll(/[, _]/g, "").replace(/^#/, "");
  if (/^\d{1,15}$/.test(digits)) return { kind: "block", number: Number(digits), text };
  return { kind: "name", text };
}

/** The address or hash that a text is, or that a link has in it, in lower case. */
function hexOf(text: string): string | null {
  const inLink = LINK.test(text) ? /0x(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])/i.exec(text)?.[0] : undefined;
  const hex = inLink ?? (/^0x/i.test(text) ? text : `0x${text}`);
  return ADDRESS.test(hex) || HASH.test(hex) ? hex.toLowerCase() : null;
}

/** The two tokens of a pool as traders write them: `weth/usdc`, `weth usdc`, `weth-usdc`. Null where it are not two. */
export function parsePair(text: string): [string, string] | null {
  const [one, other, ...more] = text.split(/[\s/:–-]+/).filter((word) => word !== "");
  return one === undefined || other === undefined || more.length > 0 ? null : [one, other];
}

/** Why nothing can be found by a text, where its form tells; what can be searched otherwise. */
export function searchAdvice(typed: string): string {
  const subject = parseSearchTerm(typed);
  if (subject?.kind === "address")
    return "Nothing indexed names this address: no token, no pool, no sender and no holder.";
  if (subject?.kind === "hash") return "No indexed transaction or block has this hash, and no pool this id.";
  const digits = /^0x([0-9a-f]*)$/i.exec(typed.trim())?.[1]?.length;
  if (digits !== undefined)
    return `This has ${digits} hex digits: an address has 40, the hash of a transaction or block 64.`;
  return "Search for a token's symbol or name, a pair such as WETH/USDC, an address, the hash of a transaction or block, the id of a pool, or a block's number.";
}
