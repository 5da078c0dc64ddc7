/** Content encodings that the service offers, best first. */
const ENCODINGS = ["br", "gzip"] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Maximum number of items read from an Accept-Encoding header: more than any client sends. */
const MAX_ITEMS = 16;

/**
 * Returns the encoding that an Accept-Encoding header requests (RFC 9110, 12.5.3): the one with the highest
 * quality, or the first of `ENCODINGS` among equals. Null if there is none, or if the client prefers the
 * answer unencoded.
 */
export function encodingFor(accepted: string | undefined): Encoding | null {
  if (accepted === undefined) return null;
  const qualities = new Map(accepted.split(",", MAX_ITEMS).map(qualityOf));
  const others = qualities.get("*") ?? 0;
  const [best = null] = ENCODINGS.map((encoding) => ({
    encoding,
    quality: qualities.get(encoding) ?? others,
  }))
    .filter(({ quality }) => quality > 0 && quality >= (qualities.get("identity") ?? 0))
    .sort((a, b) => b.quality - a.quality);
  return best?.encoding ?? null;
}

function qualityOf(item: string): [name: string, quality: number] {
  const [name = "", parameter = ""] = item.split(";", 2);
  const [, value] = parameter.split("=", 2);
  const quality = value === undefined ? 1 : Number(value);
  return [name.trim().toLowerCase(), quality >= 0 && quality <= 1 ? quality : 0];
}
