import { BaseError } from "../../lib/error.ts";
import { excessOf, type JsonForm } from "../../lib/json/json-form.ts";

/**
 * Limits on the parts of a response. Real blocks have one value per 50 bytes or more, and their lists are
 * nested eight deep at most. A block full of empty logs has one value per 30 bytes: if its receipts exceed
 * these limits, they are fetched in parts.
 */
const RESPONSE_FORM: JsonForm = { values: 2_000_000, fields: Number.POSITIVE_INFINITY, depth: 64 };

/**
 * Checks, before a response is parsed, that it does not have too many parts. Otherwise, a small compressed
 * response could use up the memory, and a deeply nested one could exhaust the stack of the code that reads
 * it.
 *
 * @throws TooManyParts
 */
export function requireResponseForm(text: string): void {
  const excess = excessOf(text, RESPONSE_FORM);
  if (excess !== null) throw new TooManyParts(excess);
}

/** The response is larger or more deeply nested than any real block. */
class TooManyParts extends BaseError {
  constructor(excess: string) {
    super("too-large", `the response has ${excess}`, { retryable: true });
  }
}
