/** Maximum bits of a whole number. Wider results are doubles. */
export const MOST_BITS = 255;

/** Returns the number of bits of a whole number without its sign. */
export const bitsOf = (value: bigint): number => (value === 0n ? 1 : absolute(value).toString(2).length);

export const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** Rounds a whole number to a multiple of a power of ten above 1. Halves go away from zero. */
export function roundWhole(value: bigint, places: number): bigint {
  return atScale(value, places, (size, scale) => (size + scale / 2n) / scale);
}

export function truncateWhole(value: bigint, places: number): bigint {
  return atScale(value, places, (size, scale) => size / scale);
}

/** Maximum number of digits to round. With more, every number in a table is less than half a unit. */
const MOST_DIGITS = 1_000;

function atScale(value: bigint, places: number, times: (size: bigint, scale: bigint) => bigint): bigint {
  if (places >= 0) return value;
  const scale = 10n ** BigInt(Math.min(-places, MOST_DIGITS));
  const size = times(absolute(value), scale) * scale;
  return value < 0n ? -size : size;
}

/** Returns the largest multiple of a step that is not above a number. */
export function floorTo(value: bigint, step: bigint): bigint {
  const rest = value % step;
  return value - (rest < 0n ? rest + step : rest);
}

/** Parses a 64-bit whole number. Returns null for any other text. */
export function wholeOfText(text: string): bigint | null {
  return /^[+-]?\d+$/.test(text) ? within64Bits(BigInt(text.replace("+", ""))) : null;
}

export const within64Bits = (value: bigint): bigint | null =>
  value < 2n ** 63n && value >= -(2n ** 63n) ? value : null;
