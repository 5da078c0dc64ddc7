import { among, choose, compare, NOTHING } from "../operators/conditions.ts";
import { synonyms } from "../synonyms.ts";
import { type Compiled, compareValues } from "../values/types.ts";
import { argument, at, type BuildFunction } from "./arguments.ts";

/** Builds the function that returns the lowest or the highest value that is not null. */
const extreme =
  (sign: number): BuildFunction =>
  (list) =>
    among(list, (values) => values.toSorted((a, b) => sign * compareValues(a, b))[0] ?? null);

const coalesce: BuildFunction = (list) => among(list, ([first]) => first ?? null);

function nullIf(list: readonly Compiled[]): Compiled {
  const [value, other] = [argument(list, 0), argument(list, 1)];
  const equal = compare("=", value, other);
  return { type: value.type, value: (scope) => (equal.value(scope) === true ? null : value.value(scope)) };
}

export const choiceFunctions: Record<string, BuildFunction> = {
  COALESCE: coalesce,
  ...synonyms("IFNULL ISNULL NVL", coalesce),
  GREATEST: extreme(-1),
  LEAST: extreme(1),
  IIF: (list) =>
    choose([{ condition: at(list, 0, "condition"), value: argument(list, 1) }], list[2] ?? NOTHING),
  NULLIF: nullIf,
};
