import { QuarryError } from "./quarry-error.ts";

/** An answer holds everything up to this block, and nothing above it. */
export interface AsOf {
  block: number;
  /** Unix seconds. */
  timestamp: number;
  hash: string;
  /** Counts the commits and rollbacks of the chain: answers with equal numbers are as of the same blocks. */
  commit: number;
}

/** What an answer is as of that may have been asked for in parts. */
export interface PartsAsOf {
  /** Of the oldest part where the list was asked for in parts. */
  asOf: AsOf | null;
  /**
   * True when the chain moved on while the parts were asked for, or it is not known that it did not: then some items
   * may be as of newer blocks than `asOf`.
   */
  mixed: boolean;
}

interface Answered {
  headers: Headers;
}

export function asOf({ headers }: Answered): AsOf | null {
  const [block, timestamp, hash, commit] = NAMES.map((name) => headers.get(name));
  if (!block || !timestamp || !hash || !commit) return null;
  return { block: Number(block), timestamp: Number(timestamp), hash, commit: Number(commit) };
}

const NAMES = ["x-indexed-block", "x-indexed-timestamp", "x-indexed-block-hash", "x-commit"];

/** @throws QuarryError where an answer must say what it is as of, and does not */
export function requiredAsOf(answered: Answered): AsOf {
  const found = asOf(answered);
  if (found !== null) return found;
  const sentence = `The answer does not say what it is as of: let proxies pass ${NAMES.join(", ")}.`;
  throw new QuarryError("not-quarry", sentence);
}

/** What several answers together are as of. */
export function togetherAsOf(answers: readonly Answered[]): PartsAsOf {
  const all = answers.map(asOf);
  const mixed = all.length > 1 && all.some((one) => one === null || one.commit !== all[0]?.commit);
  return { asOf: all.reduce((a, b) => (a === null || (b !== null && a.block <= b.block) ? a : b)), mixed };
}
