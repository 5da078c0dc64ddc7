import { AGGREGATES } from "./aggregates.ts";
import { HISTOGRAM } from "./buckets.ts";
import { CONDITIONAL } from "./conditional.ts";
import { DISTRIBUTIONS } from "./distributions.ts";
import { MATH } from "./math.ts";
import type { SqlFunction } from "./sql-function.ts";
import { TEXTS } from "./text.ts";
import { TIME_PART_FUNCTIONS } from "./time-parts.ts";
import { TIMES } from "./times.ts";

/** Functions of the dialect, by family. To add a function, add a row to one of them. */
export const FUNCTION_FAMILIES = {
  aggregates: [...AGGREGATES, ...DISTRIBUTIONS],
  buckets: [HISTOGRAM],
  conditions: CONDITIONAL,
  times: [...TIMES, ...TIME_PART_FUNCTIONS],
  numbers: MATH,
  texts: TEXTS,
} as const satisfies Record<string, readonly SqlFunction[]>;

export const FUNCTIONS: readonly SqlFunction[] = Object.values(FUNCTION_FAMILIES).flat();

const BY_NAME = new Map(
  FUNCTIONS.flatMap((declared) =>
    [declared.name, ...(declared.synonyms ?? [])].map((name) => [name, declared] as const),
  ),
);

/** All function names, including synonyms. */
export const FUNCTION_NAMES: readonly string[] = [...BY_NAME.keys()];

export function functionOf(name: string): SqlFunction | undefined {
  return BY_NAME.get(name.toUpperCase());
}
