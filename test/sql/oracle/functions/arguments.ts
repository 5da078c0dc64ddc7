import { read, readNumber } from "../operators/literals.ts";
import { unknown } from "../unknown.ts";
import type { Compiled, Kind } from "../values/types.ts";

/** Compiles a function call. `now` is the time of the query. */
export type BuildFunction = (list: readonly Compiled[], now: number) => Compiled;

/** Returns the argument at a position. Throws if it is missing. */
export function argument(list: readonly Compiled[], place: number): Compiled {
  const found = list[place];
  if (found === undefined) throw unknown("function with so few arguments");
  return found;
}

export const numberAt = (list: readonly Compiled[], place: number) => readNumber(argument(list, place));

export const at = (list: readonly Compiled[], place: number, kind: Kind) => read(argument(list, place), kind);

/** Returns the text of a literal, such as a unit. */
export function literalText(list: readonly Compiled[], place: number): string {
  const { literal } = argument(list, place);
  if (literal === undefined || literal.kind === "interval") throw unknown("constant");
  return literal.text;
}
