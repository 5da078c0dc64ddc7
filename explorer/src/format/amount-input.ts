/** A number, its thousands with or without commas, in the units that sums are shown in: `$1,000`, `12.5k`, `4M`. */
const SUM = /^\$?\s*(\d+|\d{1,3}(?:,\d{3})+)?(\.\d+)?\s*([kmbt])?$/i;

const EXPONENTS: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9, t: 12 };

/** A sum as somebody types it, in any of the forms that sums are shown in; undefined where it is none. */
export function parseAmount(text: string): number | undefined {
  const [, whole, fraction, unit] = SUM.exec(text.trim()) ?? [];
  if (whole === undefined && fraction === undefined) return undefined;
  const exponent = EXPONENTS[unit?.toLowerCase() ?? ""] ?? 0;
  return Number(`${(whole ?? "0").replaceAll(",", "")}${fraction ?? ""}e${exponent}`);
}
