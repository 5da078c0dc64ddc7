import { ADDRESS, HASH } from "../format/hex.ts";

/** What a text can stand for. */
export type Subject =
  | { kind: "address"; address: string }
  | { kind: "hash"; hash: string }
  | { kind: "block"; number: number; text: string }
  | { kind: "name"; text: string };

/** So long a text is looked for at most: no symbol or name that one types is longer. */
const LONGEST = 80;

/** Reads what was typed or pasted: blanks around it and commas in numbers do not count. Null where it is empty. */
export function subjectOf(typed: string): Subject | null {
  const text = typed.trim().slice(0, LONGEST);
  if (text === "") return null;
  if (ADDRESS.test(text)) return { kind: "address", address: text.toLowerCase() };
  if (HASH.test(text)) return { kind: "hash", hash: text.toLowerCase() };
  const digits = text.replaceAll(/[, _]/g, "").replace(/^#/, "");
  if (/^\d{1,15}$/.test(digits)) return { kind: "block", number: Number(digits), text: text.toLowerCase() };
  return { kind: "name", text: text.toLowerCase() };
}

/** Why nothing can be found by a text, where its form tells; what can be searched otherwise. */
export function adviceFor(typed: string): string {
  const hex = /^0x([0-9a-f]*)$/i.exec(typed.trim());
  if (hex === null)
    return "Search for a token's symbol or name, an address, the hash of a transaction or block, the id of a pool, or a block's number.";
  const digits = hex[1]?.length ?? 0;
  if (digits === 40) return "Nothing indexed names this address: no token, no pool, no sender and no holder.";
  if (digits === 64) return "No indexed transaction or block has this hash, and no pool this id.";
  return `This has ${digits} hex digits: an address has 40, the hash of a transaction or block 64.`;
}
