/**
 * A number with or without thousands separators, optionally with a suffix that `formatCompact` uses:
 * `$1,000`, `12.5k`, `4M`.
 */
const AMOUNT = /^\$?\s*(\d+|\d{1,3}(?:,\d{3})+)?(\.\d+)?\s*([kmbt])?$/i;

const EXPONENTS: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9, t: 12 };

/** Parses an amount that a user typed; undefined if the text is not an amount. */
export function parseAmount(text: string): number | undefined {
  const [, whole, fraction, unit] = AMOUNT.exec(text.trim()) ?? [];
  if (whole === undefined && fraction === undefined) return undefined;
  const exponent = EXPONENTS[unit?.toLowerCase() ?? ""] ?? 0;
  return Number(`${(whole ?? "0").replaceAll(",", "")}${fraction ?? ""}e${exponent}`);
}
