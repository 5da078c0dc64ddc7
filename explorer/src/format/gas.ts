/**
 * Returns the percentage of a gas limit that was used; 0 if the limit is 0.
 *
 * @param limit a number, or its digits if it is above 2^53
 */
export function percentOfGas(used: number, limit: number | string): number {
  const most = Number(limit);
  return most === 0 ? 0 : (used / most) * 100;
}
