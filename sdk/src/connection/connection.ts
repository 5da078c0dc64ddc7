import { QuarryError } from "./quarry-error.ts";

export interface ClientOptions {
  /** Address of the service, e.g. `http://127.0.0.1:8080`; in a page also relative to it. */
  url: string;
  /** Where the service asks for one. */
  key?: string | undefined;
  /** Another `fetch` than the global one. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Longest wait for one whole answer; 60,000 unless told otherwise. */
  timeoutMs?: number | undefined;
  /** How often a question is repeated that the service was too busy for; 3 unless told otherwise. */
  retries?: number | undefined;
  /** How many parts of a long list are asked for at a time; 1 unless told otherwise, at most 8. */
  concurrency?: number | undefined;
}

/** Where and how to ask. */
export interface Connection {
  /** Address of the service, without a slash at its end. */
  url: string;
  key: string | undefined;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  retries: number;
  concurrency: number;
}

/** More than the service may take for an answer by default: 10 s in its queue and 30 s for the query. */
const DEFAULT_TIMEOUT_MS = 60_000;
/** Bridges a few seconds of load; what lasts longer, the caller shall know. */
const DEFAULT_RETRIES = 3;
const MAX_RETRIES = Number.MAX_SAFE_INTEGER;
/** Half of the questions that the service answers at a time by default. */
const MAX_CONCURRENCY = 8;
/** Timers of JavaScript end at once when they are longer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** @throws QuarryError where an option cannot be meant */
export function connect({ url, key, fetch, timeoutMs, retries, concurrency }: ClientOptions): Connection {
  return {
    url: address(url),
    key,
    // Browsers refuse a fetch that is called as a method of anything but the window.
    fetch: (...request) => (fetch ?? globalThis.fetch)(...request),
    timeoutMs: integerIn([1, MAX_TIMEOUT_MS], { timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS }),
    retries: integerIn([0, MAX_RETRIES], { retries: retries ?? DEFAULT_RETRIES }),
    concurrency: integerIn([1, MAX_CONCURRENCY], { concurrency: concurrency ?? 1 }),
  };
}

/** The address without a slash at its end. JavaScript may give anything for it. */
function address(url: unknown): string {
  if (/[?#@]/.test(String(url)))
    throw new QuarryError("bad-options", "url must be an address without user name, ? and #.");
  const bare = typeof url === "string" ? url.replace(/\/+$/, "") : null;
  if (bare !== null && isHttp(`${bare}/`)) return bare;
  const given = typeof url === "string" ? JSON.stringify(url) : typeof url;
  throw new QuarryError(
    "bad-options",
    `url must be the address of the service, such as http://127.0.0.1:8080; given is ${given}.`,
  );
}

/** What only a browser has. */
interface Surroundings {
  document?: { baseURI: string };
  location?: { href: string };
}

/** In a page an address may be relative, as for `fetch`; elsewhere there is nothing that it could be relative to. */
function isHttp(url: string): boolean {
  const { document, location } = globalThis as Surroundings;
  try {
    return /^https?:$/.test(new URL(url, document?.baseURI ?? location?.href).protocol);
  } catch {
    return false;
  }
}

export function integerIn([min, max]: [number, number], given: Record<string, number>): number {
  const [[name, value] = ["", Number.NaN]] = Object.entries(given);
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  const bound = max === Number.MAX_SAFE_INTEGER ? "" : ` to ${max}`;
  throw new QuarryError("bad-options", `${name} must be an integer from ${min}${bound}; given is ${value}.`);
}
