/**
 * Types of entries in era1 and ere files, as little-endian numbers. The specification
 * (https://github.com/eth-clients/e2store-format-specs) lists the two bytes in file order.
 */
export const ENTRY_TYPES = {
  version: 0x3265,
  header: 0x03,
  body: 0x04,
  receipts: 0x05,
  totalDifficulty: 0x06,
  accumulator: 0x07,
  slimReceipts: 0x0a,
  proof: 0x0b,
  blockIndex: 0x3266,
  dynamicIndex: 0x3267,
} as const;

export type EntryKind = keyof typeof ENTRY_TYPES;

const KINDS = new Map<number, EntryKind>(
  Object.entries(ENTRY_TYPES).map(([kind, type]) => [type, kind as EntryKind]),
);

/** Returns null for a type that these files do not have. */
export function kindOf(type: number): EntryKind | null {
  return KINDS.get(type) ?? null;
}
