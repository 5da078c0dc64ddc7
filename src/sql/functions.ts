import { AGGREGATES } from "./functions/aggregates.ts";
import { HISTOGRAM } from "./functions/buckets.ts";
import { CONDITIONAL } from "./functions/conditional.ts";
import { DISTRIBUTIONS } from "./functions/distributions.ts";
import { MATH } from "./functions/math.ts";
import { TEXTS } from "./functions/text.ts";
import { TIME_PART_FUNCTIONS } from "./functions/time-parts.ts";
import { TIMES } from "./functions/times.ts";
import type { SqlFunction } from "./sql-function.ts";

/** The functions of the dialect in families. A new function is a new row in one of them. */
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

/** Every name that a function has. */
export const FUNCTION_NAMES: readonly string[] = [...BY_NAME.keys()];

export function functionOf(name: string): SqlFunction | undefined {
  return BY_NAME.get(name.toUpperCase());
}
