import { formatInteger, UNKNOWN } from "./number.ts";

const GWEI_DECIMALS = 9;

/** Formats a gas price, given in wei, in gwei: `1.5 gwei`. */
export function formatGwei(wei: number | string): string {
  return `${formatUnits(String(wei), GWEI_DECIMALS)} gwei`;
}

/**
 * Returns the percentage of a gas limit that was used; 0 if the limit is 0.
 *
 * @param limit a number, or a string of its digits from 2^53 on
 */
export function percentOfGas(used: number, limit: number | string): number {
  const most = Number(limit);
  return most === 0 ? 0 : (used / most) * 100;
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

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** Formats a number of bytes in the units that the settings use: `0 B`, `812 MiB`, `5.2 GiB`. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes)) return UNKNOWN;
  const unit = unitOf(bytes);
  const value = bytes / 1024 ** unit;
  return `${value < 9.95 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${BYTE_UNITS[unit]}`;
}

/** Returns the index of the unit in which a number of bytes has at most three digits before the point. */
function unitOf(bytes: number): number {
  const unit = BYTE_UNITS.findIndex((_, i) => Math.abs(bytes) < 999.5 * 1024 ** i);
  return unit === -1 ? BYTE_UNITS.length - 1 : unit;
}
