import { QuarryError } from "./quarry-error.ts";

/**
 * The block that a response is as of. The response reflects everything up to this block and nothing after it.
 */
export interface AsOf {
  block: number;
  /** Unix seconds. */
  timestamp: number;
  hash: string;
  /** Number of commits and rollbacks of the chain. Responses with equal numbers are as of the same blocks. */
  commit: number;
}

/** The block that a result is as of, for results that may consist of several responses. */
export interface PartsAsOf {
  /** The block. If the list was requested in parts, the oldest block of the parts. Null if it is unknown. */
  asOf: AsOf | null;
  /**
   * True if the chain has advanced between the parts, or may have. Some items may then reflect newer blocks
   * than `asOf`.
   */
  mixed: boolean;
}

interface WithHeaders {
  headers: Headers;
}

export function asOf({ headers }: WithHeaders): AsOf | null {
  const [block, timestamp, hash, commit] = NAMES.map((name) => headers.get(name));
  if (!block || !timestamp || !hash || !commit) return null;
  return { block: Number(block), timestamp: Number(timestamp), hash, commit: Number(commit) };
}

const NAMES = ["x-indexed-block", "x-indexed-timestamp", "x-indexed-block-hash", "x-commit"];

/**
 * Returns the block that a response is as of.
 *
 * @throws QuarryError if the response does not say which block it is as of
 */
export function requiredAsOf(found: AsOf | null): AsOf {
  if (found !== null) return found;
  const message = `The response does not say which block it reflects: proxies must pass on ${NAMES.join(", ")}.`;
  throw new QuarryError("not-quarry", message);
}

/** Returns the block that several responses together are as of. */
export function togetherAsOf(answers: readonly WithHeaders[]): PartsAsOf {
  const all = answers.map(asOf);
  const mixed = all.length > 1 && all.some((one) => one === null || one.commit !== all[0]?.commit);
  return { asOf: all.reduce((a, b) => (a === null || (b !== null && a.block <= b.block) ? a : b)), mixed };
}
