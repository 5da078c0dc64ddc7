import type { BlockRef } from "../../schema/block.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { reasonOf } from "../endpoints/endpoint-error.ts";
import type { EndpointPool, EndpointResult } from "../endpoints/endpoint-pool.ts";
import type { TimedHead } from "./head-polling.ts";
import { type Header, requestBlock, requestNewestHeader, requireBlock } from "./header-requests.ts";

/**
 * A reported head that does not exist counts as missing if it is at most this far above all known blocks. If
 * it is further above, it counts as invalid, because no replica lags that much.
 */
const INVALID_LEAD = 64;

/**
 * An endpoint whose newest block is this far below the head, and this old, has stopped following the chain or
 * has yet to catch up. The age follows from the block's timestamp and the local clock. It is checked so that
 * an endpoint that reports a head far above the real one cannot make all others count as stuck.
 */
const STUCK_BLOCKS = 64;
const STUCK_AFTER_MS = 300_000;

type ReportedHead = EndpointResult<Header>;
type Known = BlockRef | null | undefined;

/**
 * Finds the newest block of the chain among the heads that several endpoints report.
 *
 * The highest head wins, because the fastest endpoint may have stopped following the chain. But an endpoint
 * can report any number. Therefore a head that is two or more blocks above the newest block known from
 * elsewhere (other endpoints, the indexed tip) counts only if its endpoint returns the head's block and the
 * lowest block that would be fetched. A head with a timestamp in the future counts only if the timestamps of
 * all heads are in the future. If a head does not count, Quarry backs off from its endpoint. If there is only
 * one endpoint, it is followed as far as it has blocks.
 *
 * Among heads of the same height, the `known` block wins, then a child of it.
 */
export class ChainHead {
  readonly #pool: EndpointPool;
  readonly #stuck = new Set<Endpoint>();

  constructor(pool: EndpointPool) {
    this.#pool = pool;
  }

  async find(known: Known): Promise<TimedHead> {
    const heads = await this.#pool.requestAll(requestNewestHeader);
    for (const { endpoint, result } of heads) endpoint.report({ kind: "head", block: result.number });
    const confirmed = await this.#confirmed(this.#notInFuture(heads), known);
    const [head] = confirmed.sort((a, b) => continuity(b, known) - continuity(a, known));
    if (head === undefined) return this.#ofBestEndpoint(known);
    for (const reported of heads) this.#noteStuck(reported, head);
    return head;
  }

  /**
   * Returns true if the endpoint's newest block was far below the head, and old, when both were last known.
   */
  isStuck(endpoint: Endpoint): boolean {
    return this.#stuck.has(endpoint);
  }

  #noteStuck({ endpoint, result }: ReportedHead, head: Header): void {
    const ageMs = result.timestamp === null ? 0 : this.#pool.clock.now() - result.timestamp * 1000;
    if (head.number - result.number <= STUCK_BLOCKS || ageMs <= STUCK_AFTER_MS) this.#stuck.delete(endpoint);
    else if (!this.#stuck.has(endpoint)) {
      this.#stuck.add(endpoint);
      this.#pool.warnings.stuck(endpoint.name, result.number, head.number);
    }
  }

  /**
   * Requests the head from the best endpoint. Each attempt waits longer than the previous one, so an endpoint
   * that hangs does not hide one that has recovered.
   */
  async #ofBestEndpoint(known: Known): Promise<TimedHead> {
    const { limits, signal } = this.#pool;
    let patienceMs = limits.silenceMs;
    return this.#pool.runBriefly(async (endpoint) => {
      const timeoutMs = Math.min(patienceMs, limits.requestTimeoutMs);
      patienceMs *= 2;
      const newest = await endpoint.withTimeout(timeoutMs, signal, (stop) =>
        requestNewestHeader(endpoint, stop),
      );
      return this.#newestAvailable(endpoint, newest, known);
    });
  }

  /** Returns the heads at the greatest height that can be confirmed. */
  async #confirmed(heads: ReportedHead[], known: Known): Promise<Header[]> {
    const falling = heads.sort((a, b) => b.result.number - a.result.number);
    for (const [i, head] of falling.entries()) {
      const { number } = head.result;
      const certain = Math.max(falling[i + 1]?.result.number ?? -1, known?.number ?? -1);
      if (await this.#confirm(head, certain)) {
        return falling.map(({ result }) => result).filter((other) => other.number === number);
      }
    }
    return [];
  }

  /**
   * Returns the heads whose timestamps are not in the future, and reports the others as invalid. If all
   * timestamps are in the future, the local clock is probably wrong, so all heads are returned.
   */
  #notInFuture(heads: ReportedHead[]): ReportedHead[] {
    const latestMs = this.#pool.clock.now() + this.#pool.limits.maxHeadDriftMs;
    const isInFuture = ({ result }: ReportedHead) => (result.timestamp ?? 0) * 1000 > latestMs;
    if (heads.every(isInFuture)) return heads;
    for (const { endpoint, result } of heads.filter(isInFuture)) {
      const problem = `reported as the newest block, but its timestamp ${result.timestamp} is in the future`;
      endpoint.report({ kind: "invalid", block: result.number, problem });
    }
    return heads.filter((head) => !isInFuture(head));
  }

  /**
   * Returns whether a head counts. If the head is not close to `certain`, its endpoint must return blocks
   * that show that the head exists.
   *
   * @param certain newest block that is known from elsewhere; -1 if there is none
   */
  async #confirm({ endpoint, result: { number } }: ReportedHead, certain: number): Promise<boolean> {
    if (certain >= 0 && number - certain < 2) return true;
    const needed = certain < 0 ? [number] : [certain + 1, number];
    const found = await Promise.all(needed.map((wanted) => this.#checkBlock(endpoint, wanted)));
    const absent = needed.find((_, i) => found[i] === false);
    if (absent === undefined) return found.every((has) => has === true);
    const problem = `reported as the newest block, but block ${absent} does not exist`;
    const kind = number - certain > INVALID_LEAD ? "invalid" : "missing";
    endpoint.report({ kind, block: number, problem });
    return false;
  }

  /** Returns whether the endpoint has the block; null if the request fails. */
  async #checkBlock(endpoint: Endpoint, number: number): Promise<boolean | null> {
    const { limits, signal } = this.#pool;
    const request = (stop: AbortSignal) => requestBlock(endpoint, number, stop);
    try {
      return (await endpoint.withTimeout(limits.headTimeoutMs, signal, request)) !== null;
    } catch (error) {
      signal.throwIfAborted();
      endpoint.report({ kind: "unusable", reason: reasonOf(error) });
      return null;
    }
  }

  /** Finds the newest block that the endpoint has, which may be below its reported head. */
  async #newestAvailable(endpoint: Endpoint, head: Header, known: Known): Promise<TimedHead> {
    const { number } = head;
    const { signal } = this.#pool;
    const has = async (at: number) => (await requestBlock(endpoint, at, signal)) !== null;
    endpoint.report({ kind: "head", block: number });
    if (known && number - known.number < 2) return head;
    if (await has(number)) return head;
    const floor = known && (await has(known.number)) ? known.number : 0;
    const newest = await searchNewest(floor, number, has);
    endpoint.report({ kind: "head", block: newest });
    return { ...(await requireBlock(endpoint, newest, signal)), timestamp: null };
  }
}

/**
 * Finds the newest available number from `floor` on. Doubling steps find an interval, then bisection finds
 * the number.
 */
async function searchNewest(
  floor: number,
  reported: number,
  has: (number: number) => Promise<boolean>,
): Promise<number> {
  let available = floor;
  let missing = reported;
  for (let step = 1; available + step < missing; step *= 2) {
    if (await has(available + step)) available += step;
    else missing = available + step;
  }
  while (missing - available > 1) {
    const middle = Math.floor((available + missing) / 2);
    if (await has(middle)) available = middle;
    else missing = middle;
  }
  return available;
}

/** Returns 2 for the known block itself, 1 for its child, and 0 for any other block. */
function continuity({ number, hash, parentHash }: Header, known: Known): number {
  if (!known) return 0;
  if (number === known.number && hash === known.hash) return 2;
  return number === known.number + 1 && parentHash === known.hash ? 1 : 0;
}
