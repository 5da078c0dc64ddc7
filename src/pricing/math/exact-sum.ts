/**
 * A sum of doubles without rounding. It is kept as a list of doubles that do not overlap (Shewchuk, "Adaptive
 * Precision Floating-Point Arithmetic", 1997) and rounded once, when it is read. It therefore depends neither
 * on the order of the terms nor on terms that were added and subtracted again, and equals a fresh sum bit for
 * bit. Terms and the sum of their magnitudes must be finite.
 */
export class ExactSum {
  /** Ascending by magnitude; empty for zero. */
  readonly #partials: number[] = [];

  /** Adds a term. To subtract a term, add its negative. */
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

  /** Returns the sum, rounded half to even, as a single addition is. */
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

/** Returns the rounding error of fl(a + b), by Knuth's TwoSum, which is exact for any order of magnitudes. */
function roundingError(a: number, b: number, sum: number): number {
  const bPart = sum - a;
  return a - (sum - bPart) + (b - bPart);
}

/** Corrects a tie that was rounded to even, if the next part shows which double is nearer. */
function breakTie(sum: number, error: number, following: number): number {
  if (Math.sign(error) !== Math.sign(following)) return sum;
  const moved = sum + 2 * error;
  return moved - sum === 2 * error ? moved : sum;
}
