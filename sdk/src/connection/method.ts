import type { ServiceRequest } from "./request.ts";

/** Maximum number of addresses that the service accepts in a URL. */
const MAX_LISTED = 25;

/** The lowest limit of any endpoint for the length of a URL, in characters. */
const MAX_URL_LENGTH = 2048;

/**
 * Puts `params` into the URL if they are short enough and have the same meaning there, and otherwise into the
 * body.
 */
export function withMethod({ params, ...call }: ServiceRequest): ServiceRequest {
  if (params === undefined) return call;
  const fits = Object.values(params).every(isSameInUrl);
  const isShort = fits && call.path.length + queryText(params).length <= MAX_URL_LENGTH;
  return isShort ? { ...call, query: params } : { ...call, body: params };
}

/**
 * Returns the query string of a URL. Leaves out absent values, and separates the items of lists by commas.
 */
export function queryText(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return given.length === 0 ? "" : `?${text}`;
}

/**
 * Returns true if a value has the same meaning in a URL. There, a comma separates items, and an empty string
 * counts as absent.
 */
function isSameInUrl(value: unknown): boolean {
  if (!Array.isArray(value)) return typeof value !== "object" || value === null;
  const isItem = (item: unknown) =>
    typeof item === "string" ? item !== "" && !item.includes(",") : Number.isFinite(item);
  return value.length > 0 && value.length <= MAX_LISTED && value.every(isItem);
}
