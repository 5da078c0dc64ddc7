import { read, readNumber } from "../operators/literals.ts";
import { unknown } from "../unknown.ts";
import type { Compiled, Sort } from "../values/types.ts";

/** What a call compiles to; `now` is the time of the query. */
export type BuildFunction = (list: readonly Compiled[], now: number) => Compiled;

/** The argument at a place, which must be there. */
export function argument(list: readonly Compiled[], place: number): Compiled {
  const found = list[place];
  if (found === undefined) throw unknown("function with so few arguments");
  return found;
}

export const numberAt = (list: readonly Compiled[], place: number) => readNumber(argument(list, place));

export const at = (list: readonly Compiled[], place: number, sort: Sort) => read(argument(list, place), sort);

/** The text that a literal holds, such as a unit. */
export function literalText(list: readonly Compiled[], place: number): string {
  const { literal } = argument(list, place);
  if (literal === undefined || literal.kind === "interval") throw unknown("constant");
  return literal.text;
}
