import { excessOf, type JsonForm } from "../../lib/json/json-form.ts";
import { HttpError } from "../errors/errors.ts";

/**
 * Limits on the parts of a body. 10,000 addresses, or 100 calls with their parameters, have less than half as
 * many values. Each distinct name of a field takes about a microsecond.
 */
export const BODY_FORM: JsonForm = { values: 25_000, fields: 5_000, depth: 32 };

/**
 * Checks, before a body is parsed, that it does not have too many parts.
 *
 * @param what names the text in the error
 * @throws HttpError 400
 */
export function requireForm(body: string, form: JsonForm, what = "body"): void {
  const excess = excessOf(body, form);
  if (excess !== null) throw new HttpError(400, `The ${what} has ${excess}, which is not allowed.`);
}
