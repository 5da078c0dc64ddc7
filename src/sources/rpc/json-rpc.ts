import { BaseError } from "../../lib/error.ts";
import { requireResponseForm } from "./response-form.ts";

export interface RpcCall {
  method: string;
  params: unknown[];
}

/** The result of one call, or the endpoint's refusal. */
export type RpcOutcome = { result: unknown } | { refusal: RpcRefusal };

/**
 * Why an endpoint refused a call.
 *
 * - `rate`: too many requests; retry later.
 * - `method`: the endpoint does not offer the method.
 * - `size`: the request is too large for the endpoint (block range, response, batch, or execution time).
 * - `revert`: the call failed in the EVM. This is a result, not a fault of the endpoint.
 * - `state`: the endpoint has deleted the state of the block, as all nodes except archive nodes do.
 * - `block`: the endpoint does not have the block yet, or never will because a reorg replaced it.
 * - `other`: anything else; a retry may succeed, here or elsewhere.
 */
export type RefusalKind = "rate" | "method" | "size" | "revert" | "state" | "block" | "other";

export interface RpcRefusal {
  kind: RefusalKind;
  code: number;
  message: string;
}

/**
 * Codes that several node families and providers agree on. For other codes, the words of the message decide.
 */
const KIND_OF_CODE: Record<number, RefusalKind> = {
  3: "revert",
  429: "rate",
  [-32601]: "method",
  [-32015]: "revert",
};

/**
 * First match wins: "exceeds block range limit" is about size, although it mentions a limit, as rate errors
 * do.
 */
const KIND_OF_WORDS: readonly [RefusalKind, RegExp][] = [
  [
    "revert",
    /revert|out ?of ?gas|opcode|(invalid|bad) ?jump|stack ?(under|over|limit)|write protection|evm error|vm execution|bad ?instruction|return data out of bounds|gas uint64 overflow|memory expansion|access ?violation|static ?call ?violation|max call depth|max (init)?code size|invalid code: /i,
  ],
  [
    "state",
    /missing trie node|state.*(not available|unavailable|not found)|no state available|\bpruned\b|\bpruning\b|\barchive\b|state recreation|block height is \d+ but requested/i,
  ],
  [
    "method",
    /method.*(not (found|exist|available|supported|allowed|enabled)|does not exist|unsupported|disabled|whitelist)|unsupported method/i,
  ],
  [
    "block",
    /\b(header|block|resource)\b.*(not found|not available|not be found|does not exist)|\bunknown block\b|cannot find block/i,
  ],
  [
    "size",
    /\brange\b|too (large|big|many (results|blocks|logs|calls))|response size|more than \d+ results|query returned|batch|payload|time.?out|timed out|deadline exceeded|execution aborted|result on length/i,
  ],
  [
    "rate",
    /\brate\b|rate.?limit|too many|limit exceeded|exceeded.*(limit|quota|capacity)|throttl|capacity|credits|quota/i,
  ],
];

export function refusalOf(error: unknown): RpcRefusal {
  const { code, message } = (typeof error === "object" && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  const whole = typeof message === "string" ? message : (JSON.stringify(error) ?? "no reason given");
  const text = whole.slice(0, MATCHED_LENGTH);
  const number = typeof code === "number" ? code : 0;
  const kind = KIND_OF_CODE[number] ?? KIND_OF_WORDS.find(([, words]) => words.test(text))?.[0] ?? "other";
  return { kind, code: number, message: text.slice(0, MESSAGE_LENGTH) };
}

/** Returns whether any of the calls was refused for a reason of this kind. */
export function hasRefusal(outcomes: readonly RpcOutcome[], kind: RefusalKind): boolean {
  return outcomes.some((outcome) => "refusal" in outcome && outcome.refusal.kind === kind);
}

/**
 * Number of characters of a message that are matched. The time that matching takes grows with the square of
 * this number, so a long message would block the process. Reasons come first, and stack traces after them.
 */
const MATCHED_LENGTH = 2_000;

/** Maximum length of a message. Some endpoints put whole HTML pages or stack traces into messages. */
const MESSAGE_LENGTH = 300;

/**
 * JSON-RPC 2.0: "the JSON sent is not a valid request object"; also the reply to a batch if batches are
 * unsupported.
 */
const INVALID_REQUEST = -32600;

/**
 * Encodes calls for one request. A single call is sent as an object, because some endpoints do not support
 * batches.
 */
export function encodeCalls(calls: readonly RpcCall[]): string {
  const requests = calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call }));
  return JSON.stringify(requests.length === 1 ? requests[0] : requests);
}

/**
 * Returns the outcome of each call, in the order of the calls. The responses of a batch may be in any order.
 *
 * @throws MalformedResponse if the body is not JSON-RPC, omits calls, or responds to other calls
 * @throws TooManyParts before the body is parsed
 * @throws BatchRefused if one error refuses the whole batch
 */
export function decodeResponses(body: string, count: number): RpcOutcome[] {
  const json = parseJson(body);
  if (count === 1) return [onlyOutcome(json)];
  if (!Array.isArray(json)) return refusedAsOne(outcomeOf(json), count);
  const byId = new Map(json.map((response) => [idOf(response), response]));
  if (byId.size !== json.length) throw new MalformedResponse("several responses in a batch have the same id");
  return Array.from({ length: count }, (_, id) => outcomeOf(byId.get(id)));
}

/**
 * Returns the outcome of the only call. A response without an id must belong to it. A result with another id
 * belongs to another call.
 */
function onlyOutcome(json: unknown): RpcOutcome {
  const response = Array.isArray(json) && json.length === 1 ? json[0] : json;
  const outcome = outcomeOf(response);
  const id = idOf(response);
  if ("result" in outcome && id !== null && id !== 0) {
    throw new MalformedResponse(`call 0 received the result of call ${String(id)}`);
  }
  return outcome;
}

/** Returns the id of a response. Some endpoints return a numeric id as text. */
function idOf(response: unknown): unknown {
  const { id } = (response ?? {}) as { id?: unknown };
  return typeof id === "string" && /^\d+$/.test(id) ? Number(id) : (id ?? null);
}

/**
 * Returns the outcomes of a batch whose response is one error: every call would fail in the same way.
 *
 * @throws BatchRefused if the endpoint does not support batches, or not batches of this length
 * @throws MalformedResponse if the response is a result
 */
function refusedAsOne(outcome: RpcOutcome, count: number): RpcOutcome[] {
  if (!("refusal" in outcome)) throw new MalformedResponse("a batch received a single result");
  const { kind, code } = outcome.refusal;
  if (kind === "size" || code === INVALID_REQUEST) throw new BatchRefused(outcome.refusal);
  return Array.from({ length: count }, () => outcome);
}

function parseJson(body: string): unknown {
  requireResponseForm(body);
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new MalformedResponse(`the response is truncated or not JSON (${body.length} characters)`, cause);
  }
}

function outcomeOf(response: unknown): RpcOutcome {
  if (typeof response !== "object" || response === null)
    throw new MalformedResponse("a call received no response");
  if ("error" in response && response.error !== null && response.error !== undefined)
    return { refusal: refusalOf(response.error) };
  if ("result" in response) return { result: response.result };
  throw new MalformedResponse("a response has neither result nor error");
}

/** The body is not JSON-RPC: it is truncated, or a proxy sent an HTML page. */
export class MalformedResponse extends BaseError {
  constructor(message: string, cause?: unknown) {
    super("endpoint", message, { retryable: true, cause });
  }
}

/**
 * The endpoint refused a batch with a single error: it does not support batches, or not batches of this
 * length.
 */
export class BatchRefused extends BaseError {
  readonly refusal: RpcRefusal;

  constructor(refusal: RpcRefusal) {
    super("endpoint", `batch refused: ${refusal.message}`, { retryable: true });
    this.refusal = refusal;
  }
}
