/** Placeholder for an unknown value. */
export const UNKNOWN = "–";

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";
/** Maximum number of zeros written out after the decimal point; more zeros are counted: 0.0₅1234. */
const WRITTEN_ZEROS = 3;
const PRICE_DIGITS = 5;
const SMALL_DIGITS = 4;

/**
 * Formats a price as traders expect it: two decimals from 1,000, five significant digits from 1, four below
 * 1, with a zero count for very small prices: `64,250.12`, `3.1416`, `0.05123`, `0.0₅1234`. Prices of a
 * billion or more are abbreviated.
 */
export function formatPrice(price: number | null | undefined): string {
  if (price === null || price === undefined || !Number.isFinite(price)) return UNKNOWN;
  const size = Math.abs(price);
  if (size === 0) return "0";
  if (size >= 1e9) return formatCompact(price);
  if (size >= 1000) return fixed(price, 2);
  if (size >= 1) return fixed(price, PRICE_DIGITS - 1 - Math.floor(Math.log10(size)));
  return small(price);
}

/** Formats a price in US dollars: `$0.0₅1234`, `−$12.50`. */
export function formatUsd(price: number | null | undefined): string {
  return withDollar(price, formatPrice);
}

/** Abbreviates an amount: `950.12`, `12.35k`, `4.56M`, `7.89B`, `1.23e+15`. */
export function formatCompact(amount: number | null | undefined): string {
  if (amount === null || amount === undefined || !Number.isFinite(amount)) return UNKNOWN;
  const size = Math.abs(amount);
  if (size >= 1e15 * ROUNDS_UP) return amount.toExponential(2).replace("-", "−");
  const unit = UNITS.find(({ from }) => size >= from * ROUNDS_UP);
  if (unit !== undefined) return `${threeDigits(amount / unit.from)}${unit.name}`;
  if (size >= 1 || size === 0) return fixed(amount, size === 0 ? 0 : 2);
  return small(amount);
}

/** Abbreviates an amount in US dollars: `$4.56M`. */
export function formatUsdCompact(amount: number | null | undefined): string {
  return withDollar(amount, formatCompact);
}

/** Formats a count in full: `12,345`. */
export function formatCount(count: number | null | undefined): string {
  return count === null || count === undefined ? UNKNOWN : fixed(count, 0);
}

/** Formats a count with its noun: `1 pool`, `12,345 pools`. The plural is the noun with an s by default. */
export function formatCounted(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Formats a relative change (0.01 is 1 %) with its sign: `+1.25 %`, `−0.40 %`, `+1,204 %`. */
export function formatChange(change: number | null | undefined): string {
  if (change === null || change === undefined || !Number.isFinite(change)) return UNKNOWN;
  const percent = change * 100;
  const digits = Math.abs(percent) >= 1000 ? 0 : Math.abs(percent) >= 100 ? 1 : 2;
  const sign = changeSign(change);
  return `${sign === "up" ? "+" : ""}${fixed(sign === undefined ? 0 : percent, digits)} %`;
}

/** Smallest change with a sign; smaller changes print as 0.00 %. */
const MIN_CHANGE = 0.00005;

/** Returns the direction of a change; undefined if it prints as zero. */
export function changeSign(change: number | null | undefined): "up" | "down" | undefined {
  if (change === null || change === undefined || !(Math.abs(change) >= MIN_CHANGE)) return undefined;
  return change > 0 ? "up" : "down";
}

/** Formats a number with all its digits: `1,234.567890123`. */
export function formatExact(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return UNKNOWN;
  return exactly.format(value).replace("-", "−");
}

const exactly = new Intl.NumberFormat("en-US", { maximumFractionDigits: 20 });

/** Formats a share (0.625 is 62.5 %) without a sign: `62.5 %`. */
export function formatShare(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return UNKNOWN;
  return `${fixed(share * 100, 1)} %`;
}

/** Converts a percentage from the API to a fraction: 5 becomes 0.05. */
export function shareOf(percent: number | null | undefined): number | null {
  return percent == null ? null : percent / 100;
}

/** Groups the digits of an integer, which may be too large for a number: `1,234,567`. */
export function formatInteger(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Amounts of at least this share of a unit are shown in that unit: 999.7 is `1.00k`. */
const ROUNDS_UP = 0.9995;

const UNITS = [
  { from: 1e12, name: "T" },
  { from: 1e9, name: "B" },
  { from: 1e6, name: "M" },
  { from: 1e3, name: "k" },
];

function threeDigits(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e4) return fixed(value, 0);
  return fixed(value, size >= 99.95 ? 1 : 2);
}

function small(value: number): string {
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  const zeros = -exponent - 1;
  const digits = Math.abs(value).toExponential(SMALL_DIGITS - 1);
  const [mantissa = "0", power = "0"] = digits.split("e");
  // Rounding may have carried: 0.0099999 becomes 0.01.
  const carried = -Number(power) - 1;
  if (carried < 0) return fixed(value, SMALL_DIGITS);
  const shown = mantissa.replace(".", "").replace(/0+$/, "");
  const sign = value < 0 ? "−" : "";
  if (Math.min(zeros, carried) <= WRITTEN_ZEROS) return `${sign}0.${"0".repeat(carried)}${shown}`;
  return `${sign}0.0${subscript(carried)}${shown}`;
}

function subscript(count: number): string {
  return [...String(count)].map((digit) => SUBSCRIPTS[Number(digit)]).join("");
}

const formats = new Map<number, Intl.NumberFormat>();

function fixed(value: number, digits: number): string {
  const format =
    formats.get(digits) ??
    new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  formats.set(digits, format);
  return format.format(Object.is(value, -0) ? 0 : value).replace("-", "−");
}

function withDollar(value: number | null | undefined, format: (value: number) => string): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return UNKNOWN;
  return value < 0 ? `−$${format(-value)}` : `$${format(value)}`;
}
