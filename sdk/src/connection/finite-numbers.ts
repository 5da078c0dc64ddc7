import { QuarryError } from "./quarry-error.ts";

/**
 * Rejects NaN and infinite numbers, which are results of failed computations. In JSON, they would become
 * null. The service takes null for an absent parameter, so a filter would be dropped silently.
 *
 * @param name name of the value, for the error
 * @throws QuarryError `bad-options`
 */
export function requireFinite(value: unknown, name = ""): void {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new QuarryError("bad-options", `${name} must be a finite number; got ${value}.`);
  if (Array.isArray(value)) for (const [i, item] of value.entries()) requireFinite(item, `${name}[${i}]`);
  else if (typeof value === "object" && value !== null)
    for (const [key, field] of Object.entries(value))
      requireFinite(field, name === "" ? key : `${name}.${key}`);
}
