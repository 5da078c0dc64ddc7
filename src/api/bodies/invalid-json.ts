import { systemCode } from "../../lib/system-error.ts";
import { SMALL_BODY_BYTES } from "../admission/limits.ts";
import { HttpError } from "../errors/errors.ts";

/**
 * Returns a JSON parser error with the position of the mistake. The usual mistake is a multi-line SQL query
 * put between the quotes without escaping. Returns any other error unchanged.
 */
export function explainInvalidJson(error: Error, body: string): Error {
  if (systemCode(error) !== "FST_ERR_CTP_INVALID_JSON_BODY") return error;
  // The parser's own message is lost, so the body is parsed again; a large one takes too long for that.
  const reason = body.length > SMALL_BODY_BYTES ? "" : syntaxErrorOf(body);
  const position = /position (\d+)/.exec(reason)?.[1];
  if (position === undefined) return new HttpError(400, "The body is not valid JSON.");
  const advice = reason.startsWith("Bad control character")
    ? ": in a string, write a line break as \\n and a tab as \\t"
    : "";
  return new HttpError(400, `The body is not valid JSON at character ${Number(position) + 1}${advice}.`);
}

function syntaxErrorOf(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return error instanceof SyntaxError ? error.message : "";
  }
}
