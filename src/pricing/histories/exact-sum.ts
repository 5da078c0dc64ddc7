/**
 * A sum of doubles without rounding: it is kept as a list of doubles that do not overlap (Shewchuk, "Adaptive
 * Precision Floating-Point Arithmetic", 1997) and rounded once, when it is read. So it depends neither on the
 * order of the terms nor on what was added and taken away again, and equals a fresh sum bit for bit.
 * Terms must be finite, and so must the sum of their magnitudes.
 */
export class ExactSum {
  /** Ascending by magnitude; empty for zero. */
  readonly #partials: number[] = [];

  /** To take a term away, add its negative. */
  add(term: number): void {
    const partials = this.#partials;
    let kept = 0;
    let carried = term;
    for (let i = 0; i < partials.length; i += 1) {
      const partial = partials[i] ?? 0;
      const sum = carried + partial;
      const error = roundingError(carried, partial, sum);
      if (error !== 0) partials[kept++] = error;
      carried = sum;
    }
    if (carried !== 0) partials[kept++] = carried;
    while (partials.length > kept) partials.pop();
  }

  /** The sum, rounded correctly: half to even, as one addition would be. */
  value(): number {
    const partials = this.#partials;
    let at = partials.length - 1;
    let sum = partials[at] ?? 0;
    let error = 0;
    while (at > 0 && error === 0) {
      const next = partials[--at] ?? 0;
      const rounded = sum + next;
      error = roundingError(sum, next, rounded);
      sum = rounded;
    }
    return at > 0 ? breakTie(sum, error, partials[at - 1] ?? 0) : sum;
  }
}

/** What fl(a + b) lost (Knuth's TwoSum: exact for any order of magnitudes). */
function roundingError(a: number, b: number, sum: number): number {
  const bPart = sum - a;
  return a - (sum - bPart) + (b - bPart);
}

/** A tie between two doubles was rounded to even although what follows says which one is nearer. */
function breakTie(sum: number, error: number, following: number): number {
  if (Math.sign(error) !== Math.sign(following)) return sum;
  const moved = sum + 2 * error;
  return moved - sum === 2 * error ? moved : sum;
}
