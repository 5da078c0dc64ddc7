import { BaseError } from "../../lib/error.ts";

export interface RpcCall {
  method: string;
  params: unknown[];
}

/** What became of one call: its result, or the endpoint's refusal. */
export type RpcOutcome = { result: unknown } | { refusal: RpcRefusal };

/**
 * Kinds of refusals that are treated differently:
 *
 * - `rate`: too many requests; ask later.
 * - `method`: the endpoint does not offer the method.
 * - `size`: the question spans too much (a range of blocks, an answer too large, a batch too long, a call that
 *   takes the endpoint too much time).
 * - `revert`: the EVM failed the call. This is an answer, not a fault.
 * - `other`: anything else; may work later or elsewhere.
 */
export type RefusalKind = "rate" | "method" | "size" | "revert" | "other";

export interface RpcRefusal {
  kind: RefusalKind;
  code: number;
  message: string;
}

/** Codes that several node families and providers agree on; the rest is told by the words of the message. */
const KIND_OF_CODE: Record<number, RefusalKind> = {
  3: "revert",
  429: "rate",
  [-32601]: "method",
  [-32015]: "revert",
};

/** In this order: "exceeds block range limit" is about size although it speaks of a limit, as rates do. */
const KIND_OF_WORDS: readonly [RefusalKind, RegExp][] = [
  [
    "revert",
    /revert|out ?of ?gas|opcode|invalid jump|stack (under|over|limit)|write protection|evm error|vm execution|bad ?instruction/i,
  ],
  [
    "method",
    /method.*(not (found|exist|available|supported|allowed|enabled)|does not exist|unsupported|disabled|whitelist)|unsupported method/i,
  ],
  [
    "size",
    /\brange\b|too (large|big|many (results|blocks|logs|calls))|response size|more than \d+ results|query returned|batch|payload|time.?out|timed out|execution aborted/i,
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
  const text = typeof message === "string" ? message : (JSON.stringify(error) ?? "no reason given");
  const number = typeof code === "number" ? code : 0;
  const kind = KIND_OF_CODE[number] ?? KIND_OF_WORDS.find(([, words]) => words.test(text))?.[0] ?? "other";
  return { kind, code: number, message: text.slice(0, MESSAGE_LENGTH) };
}

/** Some endpoints put whole HTML pages or stack traces into messages. */
const MESSAGE_LENGTH = 300;

/** JSON-RPC 2.0: "the JSON sent is not a valid request object"; what those say of a batch that know none. */
const INVALID_REQUEST = -32600;

/** A single call goes as an object, since some endpoints know no batches. */
export function encodeCalls(calls: readonly RpcCall[]): string {
  const requests = calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call }));
  return JSON.stringify(requests.length === 1 ? requests[0] : requests);
}

/**
 * The outcome of each call, in the order of the calls; answers of a batch may come in any order.
 *
 * @throws MalformedAnswer when the body is not JSON-RPC, leaves calls out, or answers other calls
 * @throws BatchRefused when the batch as a whole is answered with one error
 */
export function decodeAnswers(body: string, count: number): RpcOutcome[] {
  const json = parseJson(body);
  if (count === 1) return [onlyOutcome(json)];
  if (!Array.isArray(json)) return refusedTogether(outcomeOf(json), count);
  const byId = new Map(json.map((answer) => [idOf(answer), answer]));
  if (byId.size !== json.length) throw new MalformedAnswer("several answers of a batch have one id");
  return Array.from({ length: count }, (_, id) => outcomeOf(byId.get(id)));
}

/** An answer without an id can only be to the one call that was made; one with another id is to another. */
function onlyOutcome(json: unknown): RpcOutcome {
  const answer = Array.isArray(json) && json.length === 1 ? json[0] : json;
  const outcome = outcomeOf(answer);
  const id = idOf(answer);
  if ("result" in outcome && id !== null && id !== 0) {
    throw new MalformedAnswer(`call 0 was answered with the result of call ${String(id)}`);
  }
  return outcome;
}

/** Some endpoints give a number back as text. */
function idOf(answer: unknown): unknown {
  const { id } = (answer ?? {}) as { id?: unknown };
  return typeof id === "string" && /^\d+$/.test(id) ? Number(id) : (id ?? null);
}

/** One error for a whole batch: no batches, too long a one, or what would befall a single call as well. */
function refusedTogether(outcome: RpcOutcome, count: number): RpcOutcome[] {
  if (!("refusal" in outcome)) throw new MalformedAnswer("a batch was answered with one result");
  const { kind, code } = outcome.refusal;
  if (kind === "size" || code === INVALID_REQUEST) throw new BatchRefused(outcome.refusal);
  return Array.from({ length: count }, () => outcome);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new MalformedAnswer(`the answer is not JSON or was cut (${body.length} characters)`, cause);
  }
}

function outcomeOf(answer: unknown): RpcOutcome {
  if (typeof answer !== "object" || answer === null)
    throw new MalformedAnswer("a call was left without an answer");
  if ("error" in answer && answer.error !== null && answer.error !== undefined)
    return { refusal: refusalOf(answer.error) };
  if ("result" in answer) return { result: answer.result };
  throw new MalformedAnswer("an answer has neither result nor error");
}

/** The body is not what JSON-RPC promises: cut on the way, or a page of some proxy. */
export class MalformedAnswer extends BaseError {
  constructor(message: string, cause?: unknown) {
    super("endpoint", message, { retryable: true, cause });
  }
}

/** The endpoint answered a batch with a single error: it knows no batches, or none so long. */
export class BatchRefused extends BaseError {
  readonly refusal: RpcRefusal;

  constructor(refusal: RpcRefusal) {
    super("endpoint", `batch refused: ${refusal.message}`, { retryable: true });
    this.refusal = refusal;
  }
}
