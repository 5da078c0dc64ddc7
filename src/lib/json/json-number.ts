/** JavaScript prints numbers of this size and above with an exponent and a plus sign. */
const LARGE = 1e21;

/**
 * Returns a finite double as ClickHouse prints it in JSON. As in JavaScript, the digits are the shortest that
 * parse to the same double. But an exponent has no plus sign, and negative zero keeps its sign.
 */
export function engineNumber(value: number): string {
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  if (value < LARGE && value > -LARGE) return String(value);
  return String(value).replace("+", "");
}
