import { QuarryError } from "./quarry-error.ts";

export interface ClientOptions {
  /** Address of the service, e.g. `http://127.0.0.1:8080`. In a browser, it may be relative to the page. */
  url: string;
  /** API key, if the service requires one. */
  key?: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Maximum wait for one complete response. Default: 60,000. */
  timeoutMs?: number | undefined;
  /** Number of retries if the service is too busy or not ready. Default: 3. */
  retries?: number | undefined;
  /** Number of parts of a long list to request at a time. Default: 1, maximum: 8. */
  concurrency?: number | undefined;
}

/** Determines where and how requests are sent. */
export interface Connection {
  /** Address of the service, without a trailing slash. */
  url: string;
  key: string | undefined;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  retries: number;
  concurrency: number;
}

/** Longer than the service takes by default: at most 10 s in its queue and 30 s for the query. */
const DEFAULT_TIMEOUT_MS = 60_000;
/** Enough for a few seconds of overload. The caller should see a longer overload. */
const DEFAULT_RETRIES = 3;
const MAX_RETRIES = Number.MAX_SAFE_INTEGER;
/** Maximum concurrency: half of the number of reads that the service runs concurrently by default. */
const MAX_CONCURRENCY = 8;
/** Maximum delay of a timer in JavaScript. Longer timers fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** @throws QuarryError for an invalid option */
export function connect({ url, key, fetch, timeoutMs, retries, concurrency }: ClientOptions): Connection {
  return {
    url: address(url),
    key,
    // Browsers reject a fetch that is called as a method of anything but the window.
    fetch: (...request) => (fetch ?? globalThis.fetch)(...request),
    timeoutMs: integerIn([1, MAX_TIMEOUT_MS], { timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS }),
    retries: integerIn([0, MAX_RETRIES], { retries: retries ?? DEFAULT_RETRIES }),
    concurrency: integerIn([1, MAX_CONCURRENCY], { concurrency: concurrency ?? 1 }),
  };
}

/**
 * Returns the address without trailing slashes. Checks the type, because a JavaScript caller may pass any
 * value.
 */
function address(url: unknown): string {
  if (/[?#@]/.test(String(url)))
    throw new QuarryError("bad-options", "url must be an address without a user name, ? or #.");
  const bare = typeof url === "string" ? url.replace(/\/+$/, "") : null;
  if (bare !== null && isHttp(`${bare}/`)) return bare;
  const given = typeof url === "string" ? JSON.stringify(url) : typeof url;
  throw new QuarryError(
    "bad-options",
    `url must be the address of the service, such as http://127.0.0.1:8080; got ${given}.`,
  );
}

/** Globals that only a browser has. */
interface BrowserGlobals {
  document?: { baseURI: string };
  location?: { href: string };
}

/**
 * Returns true for an HTTP address. In a browser, the address may be relative to the page, as for `fetch`.
 */
function isHttp(url: string): boolean {
  const { document, location } = globalThis as BrowserGlobals;
  try {
    return /^https?:$/.test(new URL(url, document?.baseURI ?? location?.href).protocol);
  } catch {
    return false;
  }
}

export function integerIn([min, max]: [number, number], given: Record<string, number>): number {
  const [[name, value] = ["", Number.NaN]] = Object.entries(given);
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new QuarryError("bad-options", `${name} must be an integer ${range}; got ${value}.`);
}
