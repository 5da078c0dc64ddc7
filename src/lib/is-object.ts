/** Returns whether a value of unknown type, such as parsed JSON, is an object, but not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
