const MAX_PREVIEW = 100;

/** A value that a client gave, shortened and safe to print, for error messages. */
export function preview(given: unknown): string {
  const json = jsonOf(given) ?? typeof given;
  return json.length > MAX_PREVIEW ? `${json.slice(0, MAX_PREVIEW)}…` : json;
}

/**
 * Values can be nested more deeply than the stack allows: parsers accept more levels than `JSON.stringify`
 * can print.
 */
function jsonOf(given: unknown): string | undefined {
  try {
    return JSON.stringify(given);
  } catch (error) {
    if (error instanceof RangeError) return "a value of too many levels";
    throw error;
  }
}
