import { hexBytesArray } from "../../engine-sql/sql-text.ts";
import { type Hex, isHex } from "../../lib/hex.ts";
import type { DescribedKind, StoredKind } from "./value-kind.ts";

interface HexKind extends StoredKind<Hex>, DescribedKind<Hex> {
  /** Regular expression of the value in any letter case, without anchors. */
  pattern: string;
}

/** Returns a kind of value: bytes as hex in any letter case. The canonical form is lower case. */
function hex(allowed: string, ...lengths: [bytes: number, ...others: number[]]): HexKind {
  const [first, ...others] = lengths.map((bytes) => `[0-9a-fA-F]{${2 * bytes}}`);
  const pattern = others.length === 0 ? `0x${first}` : `0x(${[first, ...others].join("|")})`;
  return {
    allowed: () => allowed,
    parse(given) {
      const text = typeof given === "string" ? given.trim().toLowerCase() : "";
      return lengths.some((bytes) => isHex(text, bytes)) ? (text as Hex) : undefined;
    },
    pattern,
    schema: { type: "string", pattern: `^${pattern}$` },
    print: (values) => hexBytesArray(values, others.length === 0 ? lengths[0] : undefined),
  };
}

export const ADDRESS = hex("an address, 0x and 40 hex digits", 20);

/** A pool is identified by its address or, in protocols such as Uniswap V4, by its 32-byte id. */
export const POOL = hex("a pool's address (0x and 40 hex digits) or id (0x and 64 hex digits)", 20, 32);

export const HASH = hex("0x and 64 hex digits", 32);

/** The first four bytes of call data. The column has bytes of any length in the engine. */
export const METHOD_ID: HexKind = {
  ...hex("0x and 8 hex digits", 4),
  print: (values) => hexBytesArray(values),
};
