import { distinctAddresses } from "./address-list.ts";
import { asOf, type PartsAsOf, togetherAsOf } from "./as-of.ts";
import type { Connection } from "./connection.ts";
import { QuarryError } from "./quarry-error.ts";
import { type CallOptions, type Reply, request, type ServiceRequest } from "./request.ts";

/** Maximum number of tokens that the service accepts in one request. */
export const MAX_TOKENS_PER_REQUEST = 10_000;

interface Parts<Body> extends CallOptions {
  path: ServiceRequest["path"];
  /** The parameters of each part. */
  bodies: readonly Body[];
}

interface Answers<Answer> extends PartsAsOf {
  answers: Answer[];
}

/**
 * Maximum number of times that older parts are requested again. The limit is needed because commits always
 * differ on a fast chain.
 */
const MAX_ROUNDS = 2;

/**
 * Sends a request in parts, `concurrency` of them at a time. If the chain advances between them, requests the
 * parts of older commits again, so all parts are as of the same blocks if possible.
 */
export async function requestInParts<Answer, Body extends object>(
  connection: Connection,
  { bodies, ...params }: Parts<Body>,
): Promise<Answers<Answer>> {
  const requestAll = (some: readonly Body[]) =>
    concurrently<Body, Reply<Answer>>(connection, { some, ...params });
  const replies = new Map<Body, Reply<Answer>>();
  let pending: readonly Body[] = bodies;
  for (let round = 0; round <= MAX_ROUNDS && pending.length > 0; round++) {
    for (const [i, reply] of (await requestAll(pending)).entries()) replies.set(pending[i] as Body, reply);
    pending = outdated(replies);
  }
  const inOrder = [...replies.values()];
  return { answers: inOrder.map(({ body }) => body), ...togetherAsOf(inOrder) };
}

/**
 * Returns the parts that are older than the newest commit. Returns none if the commit of any part is unknown.
 */
function outdated<Body>(replies: ReadonlyMap<Body, Reply<unknown>>): Body[] {
  const commits = [...replies].map(([body, reply]) => ({ body, commit: asOf(reply)?.commit ?? null }));
  if (commits.some(({ commit }) => commit === null)) return [];
  const newest = Math.max(...commits.map(({ commit }) => commit ?? 0));
  return commits.filter(({ commit }) => commit !== newest).map(({ body }) => body);
}

interface Concurrent<Body> extends CallOptions {
  path: ServiceRequest["path"];
  some: readonly Body[];
}

/** Sends the requests concurrently. The first failure aborts all other requests. */
async function concurrently<Body extends object, R>(
  connection: Connection,
  { some, path, signal }: Concurrent<Body>,
): Promise<R[]> {
  const failed = new AbortController();
  const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const found: R[] = [];
  const rest = some.entries();
  const work = async () => {
    for (const [i, body] of rest)
      found[i] = (await request(connection, { path, params: body, signal: either })) as R;
  };
  const workers = Array.from({ length: Math.min(connection.concurrency, some.length) }, work);
  try {
    await Promise.all(workers);
  } catch (error) {
    failed.abort(error);
    // Waits until the other requests have ended, so that none of them is still running when this call fails.
    await Promise.allSettled(workers);
    throw error;
  }
  return found;
}

/** Requests items for any number of tokens. */
export async function requestTokens<Item>(
  connection: Connection,
  {
    path,
    body,
    ...options
  }: { path: ServiceRequest["path"]; body: { token_address: string[] } } & CallOptions,
): Promise<PartsAsOf & { items: Item[] }> {
  const tokens = distinctAddresses("token_address", body.token_address);
  const bodies = parts(tokens, MAX_TOKENS_PER_REQUEST).map((token_address) => ({ ...body, token_address }));
  const { answers, ...known } = await requestInParts<Item[], typeof body>(connection, {
    path,
    bodies,
    ...options,
  });
  return { items: answers.flat(), ...known };
}

/** Splits a list into parts. An empty list is one part, because the service must reject it. */
export function parts<T>(list: readonly T[], most: number): T[][] {
  const count = Math.max(1, Math.ceil(list.length / most));
  return Array.from({ length: count }, (_, i) => list.slice(i * most, (i + 1) * most));
}

/** Returns the number of groups that fit into one request if each counts as `size` rows. */
export function groupsPerRequest(size: number, { groups, rows }: { groups: number; rows: number }): number {
  const fitting = Math.floor(rows / size);
  // If `size` is invalid, the service rejects the request.
  return fitting >= 1 ? Math.min(groups, fitting) : groups;
}

interface SharedTimeOptions<F extends string> {
  params: { [K in F]?: number };
  /** The parameter with the time. If it is absent, the time is now. */
  field: F;
  /** Number of parts in which the list is requested. */
  parts: number;
}

/**
 * Returns the service's time as a parameter for all parts. Returns no parameter if the caller gave a time, or
 * if there is only one part.
 */
export async function sharedTime<F extends string>(
  connection: Connection,
  { params, field, parts: count }: SharedTimeOptions<F>,
  options?: CallOptions,
): Promise<{ [K in F]?: number }> {
  if (params[field] !== undefined || count <= 1) return {};
  return { [field]: await serviceTime(connection, options) } as { [K in F]?: number };
}

/** Returns the service's time in unix seconds. The clock of this machine may differ from it. */
async function serviceTime(connection: Connection, options?: CallOptions): Promise<number> {
  const { headers } = await request(connection, { path: "/health", ...options });
  const ms = Date.parse(headers.get("date") ?? "");
  if (!Number.isNaN(ms)) return Math.floor(ms / 1000);
  throw new QuarryError("not-quarry", "The response has no Date header: proxies must pass it on.");
}
