import { distinctAddresses } from "./address-list.ts";
import { asOf, type PartsAsOf, togetherAsOf } from "./as-of.ts";
import type { Connection } from "./connection.ts";
import { QuarryError } from "./quarry-error.ts";
import { ask, type CallOptions, type Question, type Reply } from "./request.ts";

/** The service takes so many tokens in one request. */
export const MAX_TOKENS_PER_REQUEST = 10_000;

interface Parts<Body> extends CallOptions {
  path: Question["path"];
  /** One for each part. */
  bodies: readonly Body[];
}

interface Answers<Answer> extends PartsAsOf {
  answers: Answer[];
}

/** How often parts are asked for again that the chain moved on behind: on a fast chain it always does. */
const MAX_ROUNDS = 2;

/**
 * Asks a question in parts, `concurrency` of them at a time. Where the chain moves on between them, those of older
 * commits are asked again, so that all are as of the same blocks if that can be had.
 */
export async function askInParts<Answer, Body extends object>(
  connection: Connection,
  { bodies, ...question }: Parts<Body>,
): Promise<Answers<Answer>> {
  const askAll = (some: readonly Body[]) =>
    sideBySide<Body, Reply<Answer>>(connection, { some, ...question });
  const replies = new Map<Body, Reply<Answer>>();
  let pending: readonly Body[] = bodies;
  for (let round = 0; round <= MAX_ROUNDS && pending.length > 0; round++) {
    for (const [i, reply] of (await askAll(pending)).entries()) replies.set(pending[i] as Body, reply);
    pending = outdated(replies);
  }
  const inOrder = [...replies.values()];
  return { answers: inOrder.map(({ body }) => body), ...togetherAsOf(inOrder) };
}

/** The parts that are not as of the newest commit; none where that is unknown of one. */
function outdated<Body>(replies: ReadonlyMap<Body, Reply<unknown>>): Body[] {
  const commits = [...replies].map(([body, reply]) => ({ body, commit: asOf(reply)?.commit ?? null }));
  if (commits.some(({ commit }) => commit === null)) return [];
  const newest = Math.max(...commits.map(({ commit }) => commit ?? 0));
  return commits.filter(({ commit }) => commit !== newest).map(({ body }) => body);
}

interface SideBySide<Body> extends CallOptions {
  path: Question["path"];
  some: readonly Body[];
}

/** The first that fails ends all. */
async function sideBySide<Body extends object, R>(
  connection: Connection,
  { some, path, signal }: SideBySide<Body>,
): Promise<R[]> {
  const failed = new AbortController();
  const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const found: R[] = [];
  const rest = some.entries();
  const work = async () => {
    for (const [i, body] of rest) found[i] = (await ask(connection, { path, body, signal: either })) as R;
  };
  const workers = Array.from({ length: Math.min(connection.concurrency, some.length) }, work);
  try {
    await Promise.all(workers);
  } catch (error) {
    failed.abort(error);
    // Nothing of this call goes on once it has failed.
    await Promise.allSettled(workers);
    throw error;
  }
  return found;
}

/** Asks about any number of tokens. */
export async function askAboutTokens<Item>(
  connection: Connection,
  { path, body, ...options }: { path: Question["path"]; body: { token_address: string[] } } & CallOptions,
): Promise<PartsAsOf & { items: Item[] }> {
  const tokens = distinctAddresses("token_address", body.token_address);
  const bodies = parts(tokens, MAX_TOKENS_PER_REQUEST).map((token_address) => ({ ...body, token_address }));
  const { answers, ...known } = await askInParts<Item[], typeof body>(connection, {
    path,
    bodies,
    ...options,
  });
  return { items: answers.flat(), ...known };
}

/** An empty list is one part: it is the service's to refuse. */
export function parts<T>(list: readonly T[], most: number): T[][] {
  const count = Math.max(1, Math.ceil(list.length / most));
  return Array.from({ length: count }, (_, i) => list.slice(i * most, (i + 1) * most));
}

/** How many groups fit into one request where `size` rows of each count towards `rows`. */
export function groupsPerRequest(size: number, { groups, rows }: { groups: number; rows: number }): number {
  const fitting = Math.floor(rows / size);
  // A size that cannot be meant is the service's to refuse.
  return fitting >= 1 ? Math.min(groups, fitting) : groups;
}

interface Timed<F extends string> {
  question: { [K in F]?: number };
  /** Names the time that the question is about; absent: now. */
  field: F;
  /** In how many parts it is asked. */
  parts: number;
}

/** The field of a question that says `now` to all its parts alike; none where it says a time itself, or has one part. */
export async function sharedTime<F extends string>(
  connection: Connection,
  { question, field, parts: count }: Timed<F>,
  options?: CallOptions,
): Promise<{ [K in F]?: number }> {
  if (question[field] !== undefined || count <= 1) return {};
  return { [field]: await serviceTime(connection, options) } as { [K in F]?: number };
}

/** What time it is for the service, unix seconds: this machine's clock may differ. */
async function serviceTime(connection: Connection, options?: CallOptions): Promise<number> {
  const { headers } = await ask(connection, { path: "/health", ...options });
  const ms = Date.parse(headers.get("date") ?? "");
  if (!Number.isNaN(ms)) return Math.floor(ms / 1000);
  throw new QuarryError("not-quarry", "The answer has no header Date: let proxies pass it.");
}
