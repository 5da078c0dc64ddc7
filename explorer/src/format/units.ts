import { formatInteger } from "./number.ts";

const GWEI_DECIMALS = 9;

/** A gas price, given in wei: `1.5 gwei`. */
export function formatGwei(wei: number | string): string {
  return `${formatUnits(String(wei), GWEI_DECIMALS)} gwei`;
}

/**
 * An amount in base units as whole tokens, exact to the last digit: `12345` with 3 decimals is `12.345`.
 * Without known decimals, returns the base units.
 */
export function formatUnits(base: string, decimals: number | null): string {
  if (decimals === null || decimals === 0) return formatInteger(base);
  const digits = base.padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  const whole = formatInteger(digits.slice(0, -decimals));
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
