import type { BlockSpan, Damage, Invariant } from "./invariant.ts";

/** An invariant that the store breaks, and where it does so. */
export interface Finding {
  invariant: string;
  doc: string;
  impact: string;
  /**
   * See `Invariant`. `store`: no block is damaged. The damage is repaired when the store is opened for
   * writing, or must be repaired by hand.
   */
  remedy: Invariant["remedy"] | "store";
  /** Ascending, neither overlapping nor adjacent. */
  spans: BlockSpan[];
  /** Number of damaged blocks, and of the rows in them that break the invariant. */
  blocks: number;
  rows: number;
  examples: string[];
  /** False if there is more damage than listed. */
  complete: boolean;
}

/**
 * Maximum number of spans listed for one invariant. A store with more scattered damage must be indexed again,
 * not repaired.
 */
const MAX_SPANS = 10_000;
/** Maximum number of examples for one invariant. */
export const MAX_EXAMPLES = 3;

/** Collects damage, which must be added in ascending order, into one finding for each invariant. */
export class FindingList {
  readonly #findings = new Map<string, Finding>();

  get findings(): Finding[] {
    return [...this.#findings.values()];
  }

  has(invariant: string): boolean {
    return this.#findings.has(invariant);
  }

  add(
    invariant: Omit<Invariant, "query" | "remedy"> & Pick<Finding, "remedy">,
    damage: readonly Damage[],
  ): void {
    if (damage.length === 0) return;
    const finding = this.#findings.get(invariant.name) ?? emptyFinding(invariant);
    this.#findings.set(invariant.name, finding);
    for (const { first, last, rows, example } of damage) {
      finding.rows += rows;
      if (finding.examples.length < MAX_EXAMPLES)
        finding.examples.push(`${spanText({ first, last })}: ${example}`);
    }
    const spans = mergeSpans([...finding.spans, ...damage]);
    finding.complete &&= spans.length <= MAX_SPANS;
    finding.spans = spans.slice(0, MAX_SPANS);
    finding.blocks = blocksIn(finding.spans);
  }
}

function emptyFinding({ name, doc, impact, remedy }: Parameters<FindingList["add"]>[0]): Finding {
  return {
    invariant: name,
    doc,
    impact,
    remedy,
    spans: [],
    blocks: 0,
    rows: 0,
    examples: [],
    complete: true,
  };
}

/**
 * Returns the same blocks in as few spans as possible, in ascending order. Adjacent spans become one.
 *
 * @param maxGap spans with at most this many blocks between them also become one, including these blocks
 */
export function mergeSpans(spans: readonly BlockSpan[], maxGap = 0): BlockSpan[] {
  const merged: BlockSpan[] = [];
  for (const { first, last } of [...spans].sort((a, b) => a.first - b.first)) {
    const newest = merged.at(-1);
    if (newest !== undefined && first <= newest.last + 1 + maxGap) newest.last = Math.max(newest.last, last);
    else merged.push({ first, last });
  }
  return merged;
}

export function blocksIn(spans: readonly BlockSpan[]): number {
  return spans.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

export function spanText({ first, last }: BlockSpan): string {
  return first === last ? `block ${first}` : `blocks ${first} to ${last}`;
}
