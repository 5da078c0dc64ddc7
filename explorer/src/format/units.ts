import { formatInteger } from "./number.ts";

const GWEI_DECIMALS = 9;

/** Formats a gas price, given in wei, in gwei: `1.5 gwei`. */
export function formatGwei(wei: number | string): string {
  return `${formatUnits(String(wei), GWEI_DECIMALS)} gwei`;
}

/**
 * Converts an amount in base units to whole tokens, exact to the last digit: `12345` with 3 decimals becomes
 * `12.345`. Returns the base units if the decimals are unknown.
 */
export function formatUnits(base: string, decimals: number | null): string {
  if (decimals === null || decimals === 0) return formatInteger(base);
  const digits = base.padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  const whole = formatInteger(digits.slice(0, -decimals));
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
