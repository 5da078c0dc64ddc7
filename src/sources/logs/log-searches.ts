import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { LogFilter } from "../../schema/log-filter.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { EndpointPool } from "../endpoints/endpoint-pool.ts";
import type { SourceLogger } from "../endpoints/warnings.ts";
import { LogSearch } from "./log-search.ts";

/** Logs by id, which is their second topic. */
export type FoundLogs = Map<Hex, Log>;

/**
 * Times to wait before an id may be requested again if no endpoint had a log for it. The second applies if an
 * endpoint was searched in parts.
 */
const RETRY_MS = 600_000;
const RETRY_SEARCH_MS = 3_600_000;
/**
 * Maximum number of ids per range whose results are kept, at about 1 kB each. Above it, all results of the
 * range are dropped, and the ids may be requested again.
 */
const MAX_IDS = 50_000;

/** The searches of one range, one for each endpoint, and their results. */
interface RangeSearches {
  byEndpoint: Map<Endpoint, LogSearch>;
  found: FoundLogs;
  /** Ids for which no endpoint had a log, with the time from which they may be requested again. */
  missedUntil: Map<Hex, number>;
}

/**
 * Searches old logs in the background. Searches one endpoint after another, each for the ids for which the
 * previous one has no log. Keeps progress and results in memory while the source is open.
 */
export class LogSearches {
  readonly #pool: EndpointPool;
  readonly #logger: SourceLogger;
  readonly #ranges = new Map<string, RangeSearches>();
  #hasWarned = false;
  #hasReported = false;

  constructor(pool: EndpointPool, logger: SourceLogger) {
    this.#pool = pool;
    this.#logger = logger;
  }

  /** Returns the logs that have been found so far for these ids. */
  found(filter: LogFilter): FoundLogs {
    const { found } = this.#rangeOf(filter);
    return new Map(
      filter.ids.flatMap((id) => {
        const log = found.get(id);
        return log === undefined ? [] : [[id, log] as const];
      }),
    );
  }

  /** Returns the ids that were not found, are not being searched, and were not missed recently. */
  unsearched(filter: LogFilter): Hex[] {
    const { byEndpoint, found, missedUntil } = this.#rangeOf(filter);
    const now = this.#pool.clock.monotonic();
    const isSearched = (id: Hex) => [...byEndpoint.values()].some((search) => search.has(id));
    return filter.ids.filter(
      (id) => !found.has(id) && (missedUntil.get(id) ?? Number.NEGATIVE_INFINITY) <= now && !isSearched(id),
    );
  }

  /**
   * Adds these endpoints to the searches of the range, and starts the first search. Returns false if no
   * endpoint can be searched.
   *
   * @param reasons why the whole range was not returned
   */
  start(filter: LogFilter, endpoints: ReadonlySet<Endpoint>, reasons: readonly string[]): boolean {
    const range = this.#rangeOf(filter);
    if (range.found.size + range.missedUntil.size > MAX_IDS) {
      range.found.clear();
      range.missedUntil.clear();
      for (const search of range.byEndpoint.values()) search.forgetLacking();
    }
    const { ids, ...rest } = filter;
    for (const endpoint of endpoints) {
      if (!range.byEndpoint.has(endpoint)) this.#addSearch(endpoint, rest, range);
    }
    const [first] = range.byEndpoint.values();
    if (first === undefined) {
      this.#missed(ids, reasons, range);
      return false;
    }
    this.#report(reasons);
    first.add(ids);
    return true;
  }

  #addSearch(endpoint: Endpoint, range: Omit<LogFilter, "ids">, searches: RangeSearches): void {
    const { clock, signal } = this.#pool;
    const onMissed = (ids: readonly Hex[], reason: string) => {
      const order = [...searches.byEndpoint.values()];
      const next = order[order.indexOf(search) + 1];
      if (next !== undefined) next.add(ids);
      else this.#missed(ids, [`${endpoint.name}: ${reason}`], searches);
    };
    const onFound = (id: Hex, log: Log) => {
      searches.found.set(id, log);
      for (const other of searches.byEndpoint.values()) other.drop(id);
    };
    const search = new LogSearch({ endpoint, range, clock, signal, onFound, onMissed });
    searches.byEndpoint.set(endpoint, search);
  }

  #missed(
    ids: readonly Hex[],
    failures: readonly string[],
    { missedUntil, byEndpoint }: RangeSearches,
  ): void {
    const wait = byEndpoint.size > 0 ? RETRY_SEARCH_MS : RETRY_MS;
    for (const id of ids) missedUntil.set(id, this.#pool.clock.monotonic() + wait);
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#logger.warn(
      { failures },
      "no endpoint returns all logs from before the first indexed block: swaps in some older Uniswap V4 " +
        "pools are left out",
    );
  }

  #report(failures: readonly string[]): void {
    if (this.#hasReported) return;
    this.#hasReported = true;
    this.#logger.info(
      { failures },
      "searching logs from before the first indexed block in parts, in the background; swaps in a Uniswap V4 " +
        "pool are left out until the log of its creation is found",
    );
  }

  #rangeOf({ address, topic, from, to }: LogFilter): RangeSearches {
    const key = `${address}:${topic}:${from}:${to}`;
    const range = this.#ranges.get(key) ?? {
      byEndpoint: new Map(),
      found: new Map(),
      missedUntil: new Map(),
    };
    this.#ranges.set(key, range);
    return range;
  }
}
