const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** Formats a size: `512 bytes`, `1.5 MiB`, `120 GiB`. */
export function sizeText(bytes: number): string {
  let unit = 0;
  let value = bytes;
  for (; value >= 1024 && unit < UNITS.length - 1; unit++) value /= 1024;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
