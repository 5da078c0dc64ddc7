import type { BlockRef } from "../../schema/block.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { Answered, EndpointPool } from "../endpoints/endpoint-pool.ts";
import { askBlock, type Header, newestHeader, requireBlock } from "./header-requests.ts";

/** A head so far above all that is known, and not there, is no replica that lags: the endpoint lies. */
const FALSE_LEAD = 64;

type Claim = Answered<Header>;
type Known = BlockRef | null | undefined;

/**
 * The newest block of the chain, out of what several endpoints say it is.
 *
 * The highest head counts, since the quickest endpoint may be one that has stopped following the chain. But
 * anyone can name a number: a head two or more above what is known from elsewhere (the other endpoints, the
 * indexed tip) counts only if its endpoint has that block by its number, and the one that would be needed
 * first. A head of a time that is yet to come does not count where another's is of the past. Whoever shows
 * such a head is left alone for a while, and its head with it. An endpoint that stands alone is followed as
 * far as it has blocks.
 *
 * Among heads of one height the one that keeps `known` wins, then a child of it.
 */
export class ChainHead {
  readonly #pool: EndpointPool;

  constructor(pool: EndpointPool) {
    this.#pool = pool;
  }

  async find(known: Known): Promise<BlockRef> {
    const claims = await this.#pool.askAll(newestHeader);
    for (const { endpoint, answer } of claims) endpoint.newest = answer.number;
    const believed = await this.#believed(this.#ofThePast(claims), known);
    const [head] = believed.sort((a, b) => keeping(b, known) - keeping(a, known));
    if (head !== undefined) return { number: head.number, hash: head.hash };
    return this.#ofOneAlone(known);
  }

  /** Each is waited for longer than the one before: one that hangs does not hide that another is back. */
  async #ofOneAlone(known: Known): Promise<BlockRef> {
    const { limits, signal } = this.#pool;
    let patienceMs = limits.silenceMs;
    return this.#pool.runBriefly(async (endpoint) => {
      const atMostMs = Math.min(patienceMs, limits.requestTimeoutMs);
      patienceMs *= 2;
      const newest = await endpoint.within(atMostMs, signal, (stop) => newestHeader(endpoint, stop));
      return this.#held(endpoint, newest, known);
    });
  }

  /** The heads of the greatest height that holds. */
  async #believed(claims: Claim[], known: Known): Promise<Header[]> {
    const falling = claims.sort((a, b) => b.answer.number - a.answer.number);
    for (const [i, claim] of falling.entries()) {
      const { number } = claim.answer;
      const certain = Math.max(falling[i + 1]?.answer.number ?? -1, known?.number ?? -1);
      if (await this.#holds(claim, certain)) {
        return falling.map(({ answer }) => answer).filter((other) => other.number === number);
      }
    }
    return [];
  }

  #ofThePast(claims: Claim[]): Claim[] {
    const latestMs = Date.now() + this.#pool.limits.maxHeadDriftMs;
    const isToCome = ({ answer }: Claim) => (answer.timestamp ?? 0) * 1000 > latestMs;
    if (claims.every(isToCome)) return claims;
    for (const { endpoint, answer } of claims.filter(isToCome)) {
      this.#pool.blame(endpoint, answer.number, `as a head it is of a time to come (${answer.timestamp})`);
    }
    return claims.filter((claim) => !isToCome(claim));
  }

  /** @param certain newest block that is known from elsewhere; -1: none is */
  async #holds({ endpoint, answer: { number } }: Claim, certain: number): Promise<boolean> {
    if (certain >= 0 && number - certain < 2) return true;
    const needed = certain < 0 ? [number] : [certain + 1, number];
    const found = await Promise.all(needed.map((wanted) => this.#has(endpoint, wanted)));
    const lacking = needed.find((_, i) => found[i] === false);
    if (lacking === undefined) return found.every((has) => has === true);
    const problem = `it is shown as the newest, and block ${lacking} is not there`;
    if (number - certain > FALSE_LEAD) this.#pool.blame(endpoint, number, problem);
    else this.#pool.miss(endpoint, number, problem);
    return false;
  }

  /** Null when the endpoint does not tell. */
  async #has(endpoint: Endpoint, number: number): Promise<boolean | null> {
    const { limits, signal } = this.#pool;
    const ask = (stop: AbortSignal) => askBlock(endpoint, number, stop);
    try {
      return (await endpoint.within(limits.headTimeoutMs, signal, ask)) !== null;
    } catch (error) {
      signal.throwIfAborted();
      endpoint.distrust(error instanceof Error ? error.message : String(error));
      return null;
    }
  }

  /** What the endpoint has, be it less than it says. */
  async #held(endpoint: Endpoint, { number, hash }: Header, known: Known): Promise<BlockRef> {
    const { signal } = this.#pool;
    endpoint.newest = number;
    if (known && number - known.number < 2) return { number, hash };
    if ((await askBlock(endpoint, number, signal)) !== null) return { number, hash };
    const floor = known && (await askBlock(endpoint, known.number, signal)) !== null ? known.number : 0;
    const held = await newestHeld(
      floor,
      number,
      async (at) => (await askBlock(endpoint, at, signal)) !== null,
    );
    endpoint.newest = held;
    return requireBlock(endpoint, held, signal);
  }
}

/** Newest number from `floor` on that is there, found in steps that double, then halve. */
async function newestHeld(
  floor: number,
  claimed: number,
  has: (number: number) => Promise<boolean>,
): Promise<number> {
  let held = floor;
  let missing = claimed;
  for (let step = 1; held + step < missing; step *= 2) {
    if (await has(held + step)) held += step;
    else missing = held + step;
  }
  while (missing - held > 1) {
    const middle = Math.floor((held + missing) / 2);
    if (await has(middle)) held = middle;
    else missing = middle;
  }
  return held;
}

function keeping({ number, hash, parentHash }: Header, known: Known): number {
  if (!known) return 0;
  if (number === known.number && hash === known.hash) return 2;
  return number === known.number + 1 && parentHash === known.hash ? 1 : 0;
}
