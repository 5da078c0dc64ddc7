import { isJSONRPCRequest, type RequestId } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { BaseError } from "../../lib/error.ts";
import { isObject } from "../../lib/is-object.ts";
import { HttpError } from "../errors/errors.ts";

/**
 * Maximum number of values in a message, not counting those inside a tool's arguments. Clients send fewer
 * than 100, most of them in the client's description of itself.
 */
export const MAX_VALUES = 500;

const STRING = z.string("a string");
const OBJECT = z.custom<Record<string, unknown>>(isObject, "an object");

/** The parameters that this server reads, by method. For other methods, it reads none. */
const PARAMETERS = new Map<string, z.ZodType<Record<string, unknown>>>([
  [
    "initialize",
    z.object({
      protocolVersion: STRING,
      // The server sends no requests to its clients, so it does not need their capabilities.
      capabilities: OBJECT.transform(() => ({})),
      clientInfo: z.object({ name: STRING, version: STRING }, "an object"),
    }),
  ],
  ["tools/call", z.object({ name: STRING, arguments: OBJECT.optional() })],
  ["resources/read", z.object({ uri: STRING })],
]);

/**
 * Returns the parts of a message that this server reads. The MCP library would also check everything else:
 * several times, with an error for each wrong value.
 *
 * @param given a parsed body; if it is not a valid message, it is returned as it is, so that the library
 * rejects it
 * @throws HttpError 400 if it has too many values; InvalidRequestParameter
 */
export function readMessage(given: unknown): unknown {
  requireFewValues(given);
  if (!isObject(given)) return given;
  const { params = {}, ...rest } = given;
  if (!isObject(params)) return given;
  if (!isJSONRPCRequest(rest)) return rest;
  const read = PARAMETERS.get(rest.method)?.safeParse(params);
  if (read === undefined) return rest;
  if (read.success) return { ...rest, params: read.data };
  throw new InvalidRequestParameter(rest, read.error.issues);
}

/** @throws HttpError 400 */
function requireFewValues(message: unknown): void {
  const given = argumentsIn(message);
  const values: unknown[] = [message];
  for (const value of values) {
    const parts = partsOf(value === given ? Object.keys(given) : value);
    if (values.length + parts.length > MAX_VALUES) throw new TooManyValues();
    values.push(...parts);
  }
}

/** Returns the arguments of a call; an empty object for other messages, which are counted completely. */
function argumentsIn(message: unknown): object {
  if (!isObject(message) || message.method !== "tools/call" || !isObject(message.params)) return {};
  return isObject(message.params.arguments) ? message.params.arguments : {};
}

function partsOf(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}

class TooManyValues extends HttpError {
  constructor() {
    super(400, `The message has more than ${MAX_VALUES} values, which is not allowed.`);
  }
}

/** A parameter that is missing or has the wrong type. */
export class InvalidRequestParameter extends BaseError {
  readonly id: RequestId;

  constructor({ id, method }: { id: RequestId; method: string }, [issue]: readonly z.core.$ZodIssue[]) {
    const name = issue?.path.join(".");
    super("bad-input", `Invalid parameter ${name} of ${method}: it must be ${issue?.message}.`);
    this.id = id;
  }
}
