import { unknown } from "../unknown.ts";
import type { Compiled } from "../values/types.ts";
import type { BuildFunction } from "./arguments.ts";
import { choiceFunctions } from "./choice-functions.ts";
import { numberFunctions } from "./number-functions.ts";
import { textFunctions } from "./text-functions.ts";
import { timeFunctions } from "./time-functions.ts";

/** The scalar functions by name, including synonyms. */
const FUNCTIONS: Readonly<Record<string, BuildFunction>> = {
  ...numberFunctions,
  ...textFunctions,
  ...timeFunctions,
  ...choiceFunctions,
};

export function callFunction(name: string, list: readonly Compiled[], now: number): Compiled {
  const build = FUNCTIONS[name];
  if (build === undefined) throw unknown(`function: ${name}`);
  return build(list, now);
}
