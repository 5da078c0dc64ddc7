/** Splits a positive double exactly into `mantissa * 2^exponent`. */
function binary(x: number): { mantissa: bigint; exponent: number } {
  let [mantissa, exponent] = [x, 0];
  for (; !Number.isInteger(mantissa); exponent--) mantissa *= 2;
  return { mantissa: BigInt(mantissa), exponent };
}

/** A number of units of 10^-decimals. */
type Decimal = [units: bigint, decimals: number];

const parsed = ([units, decimals]: Decimal) => Number(`${units}e${-decimals}`);

/**
 * Returns how many times a decimal number fits into a double that is not negative. To compare a multiple with
 * the double, reads the multiple's digits as a double.
 */
function timesIn(x: number, [units, decimals]: Decimal): bigint {
  const { mantissa, exponent } = binary(x);
  const power = (of: bigint, by: number) => of ** BigInt(Math.max(by, 0));
  const times = (mantissa * power(10n, decimals)) / (units * power(10n, -decimals) * power(2n, -exponent));
  return parsed([(times + 1n) * units, decimals]) <= x ? times + 1n : times;
}

/** Returns the largest multiple of 10^-places that is not above a double, which must not be negative. */
export function cutOff(x: number, places: number): number {
  return parsed([timesIn(x, [1n, places]), places]);
}

/** Rounds a double that is not negative to the nearest multiple of 10^-places. Halves go up. */
export function halfAway(x: number, places: number): number {
  const times = timesIn(x, [1n, places]);
  return parsed([x >= parsed([10n * times + 5n, places + 1]) ? times + 1n : times, places]);
}

/**
 * Returns a function that rounds a double in the same way on both sides of 0. It leaves a double unchanged if
 * the double is too large to have this many places.
 */
export const toPlaces = (round: (x: number, places: number) => number, places: number) => (x: number) => {
  const scale = 10 ** Math.abs(places);
  if (Math.abs(places < 0 ? x / scale : x * scale) >= 2 ** 52) return x;
  return Math.sign(x) * round(Math.abs(x), places);
};

export const toWhole = toPlaces(halfAway, 0);

/** Returns the largest multiple of a step that is not above a number. */
export const bucket = (step: Decimal) => (x: number) => {
  const [units, decimals] = step;
  const times = timesIn(Math.abs(x), step);
  const start = parsed([times * units, decimals]);
  return x >= 0 ? start : start === -x ? x : -parsed([(times + 1n) * units, decimals]);
};
