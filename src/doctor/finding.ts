import type { BlockSpan, Damage, Law } from "./invariant.ts";

/** A law that the store breaks, and where. */
export interface Finding {
  law: string;
  doc: string;
  harm: string;
  /** See `Law`; `store`: it lies in no block, and opening the store for writing or advice mends it. */
  cure: Law["cure"] | "store";
  /** Ascending, apart from each other. */
  spans: BlockSpan[];
  /** Damaged blocks, and the rows in them that break the law. */
  blocks: number;
  rows: number;
  examples: string[];
  /** False when more was found than is listed. */
  complete: boolean;
}

/** Spans that are listed of one law: a store with more scattered damage is fetched anew, not mended. */
const MAX_SPANS = 10_000;
const MAX_EXAMPLES = 3;

/** Adds damage, which comes in ascending order, to the finding of its law. */
export class FindingList {
  readonly #findings = new Map<string, Finding>();

  get findings(): Finding[] {
    return [...this.#findings.values()];
  }

  has(law: string): boolean {
    return this.#findings.has(law);
  }

  add(law: Omit<Law, "query" | "cure"> & Pick<Finding, "cure">, damage: readonly Damage[]): void {
    if (damage.length === 0) return;
    const finding = this.#findings.get(law.name) ?? emptyFinding(law);
    this.#findings.set(law.name, finding);
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

function emptyFinding({ name, doc, harm, cure }: Parameters<FindingList["add"]>[0]): Finding {
  return { law: name, doc, harm, cure, spans: [], blocks: 0, rows: 0, examples: [], complete: true };
}

/** The same blocks as few spans, ascending; neighbours become one. */
export function mergeSpans(spans: readonly BlockSpan[]): BlockSpan[] {
  const merged: BlockSpan[] = [];
  for (const { first, last } of [...spans].sort((a, b) => a.first - b.first)) {
    const newest = merged.at(-1);
    if (newest !== undefined && first <= newest.last + 1) newest.last = Math.max(newest.last, last);
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
