import { DAY_SECONDS } from "../../lib/seconds.ts";

/**
 * A request that took longer than the threshold. Its parameters are left out, because they may contain keys.
 */
export interface SlowRequest {
  requestId: string;
  /** When it arrived; unix seconds. */
  at: number;
  method: string;
  /** Pattern of the route. */
  route: string;
  /** Id of the client's key, or its address if the service is open. */
  client: string;
  /** Null if the request is about no chain, or about several. */
  chain: string | null;
  status: number;
  /** Time until the response was ready, or until the client disconnected. */
  ms: number;
  /** Time for which the request waited for its SQL to run; null for other requests. */
  runMs: number | null;
  /** Rows that the database read; null if it does not report them. */
  rowsRead: number | null;
  /** Identifies the SQL text, as in the log; null if there is none. */
  fingerprint: string | null;
  /** Beginning of the SQL text; null unless it may be kept. */
  text: string | null;
}

export interface SlowLists {
  /** Number of slow requests since the process started. */
  total: number;
  /** Newest first. */
  latest: readonly SlowRequest[];
  /** Slowest first. */
  slowest: readonly SlowRequest[];
}

/**
 * Maximum numbers of requests that are kept. 100 slow requests are about an hour of an unhealthy service, and
 * 50 are more than a page shows.
 */
export const LATEST = 100;
export const SLOWEST = 50;

/** Maximum age of the slowest requests, so that last week's incident does not hide today's. */
const SLOWEST_SECONDS = DAY_SECONDS;

/**
 * Maximum number of characters of a string that is kept. All kept strings together take less than a megabyte.
 */
export const MAX_TEXT = 2_000;

/** The latest and the slowest requests of this process. */
export class SlowRequests {
  #total = 0;
  #latest: readonly SlowRequest[] = [];
  #slowest: readonly SlowRequest[] = [];

  get total(): number {
    return this.#total;
  }

  add(request: SlowRequest): void {
    this.#total++;
    this.#latest = [request, ...this.#latest].slice(0, LATEST);
    this.#slowest = slowestOf([request, ...this.#slowest], request.at);
  }

  /** @param now unix seconds */
  lists(now: number): SlowLists {
    return { total: this.#total, latest: this.#latest, slowest: slowestOf(this.#slowest, now) };
  }
}

/** Combines the lists of several processes. */
export function mergedLists(lists: readonly SlowLists[], now: number): SlowLists {
  const latest = lists.flatMap((one) => one.latest).sort((a, b) => b.at - a.at);
  return {
    total: lists.reduce((sum, { total }) => sum + total, 0),
    latest: latest.slice(0, LATEST),
    slowest: slowestOf(
      lists.flatMap((one) => one.slowest),
      now,
    ),
  };
}

function slowestOf(requests: readonly SlowRequest[], now: number): readonly SlowRequest[] {
  const recent = requests.filter(({ at }) => now - at < SLOWEST_SECONDS);
  return recent.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST);
}
