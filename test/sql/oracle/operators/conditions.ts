import { unknown } from "../unknown.ts";
import {
  CONDITION,
  type Compiled,
  compareValues,
  constant,
  derived,
  isNumeric,
  type Type,
  type Value,
} from "../values/types.ts";
import { commonKind, read } from "./literals.ts";

const COMPARISONS: Record<string, (order: number) => boolean> = {
  "=": (order) => order === 0,
  "<>": (order) => order !== 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

export function compare(operator: string, left: Compiled, right: Compiled): Compiled {
  const holds = COMPARISONS[operator];
  if (holds === undefined) throw unknown(`operator: ${operator}`);
  return derived(CONDITION, comparable([left, right]), (a, b) => holds(compareValues(a, b)));
}

/**
 * Makes values comparable. Numbers of different types compare exactly. A literal is read as the type of the
 * other side.
 */
function comparable(parts: readonly Compiled[]): Compiled[] {
  const fixed = parts.filter(({ literal }) => literal === undefined);
  const kind = commonKind(fixed.some(({ type }) => isNumeric(type)) ? fixed : parts);
  const keep = ({ type, literal }: Compiled) => literal === undefined && isNumeric(type);
  return parts.map((part) => (keep(part) ? part : read(part, kind)));
}

export function isNull(of: Compiled): Compiled {
  return { type: CONDITION, value: (scope) => of.value(scope) === null };
}

export function not(of: Compiled): Compiled {
  return derived(CONDITION, [read(of, "condition")], (value) => value !== true);
}

/** Compiles an AND: false if a term is false, null if none is false but one is null, and true otherwise. */
export function and(parts: readonly Compiled[]): Compiled {
  return decide(parts, false);
}

export function or(parts: readonly Compiled[]): Compiled {
  return decide(parts, true);
}

function decide(parts: readonly Compiled[], decisive: boolean): Compiled {
  const conditions = parts.map((part) => read(part, "condition"));
  return {
    type: CONDITION,
    value(scope) {
      const values = conditions.map((condition) => condition.value(scope));
      if (values.includes(decisive)) return decisive;
      return values.includes(null) ? null : !decisive;
    },
  };
}

/** Compiles the comparison of a string, or of the `0x…` text of bytes, with a pattern. */
export function fits(of: Compiled, pattern: (isBytes: boolean) => RegExp): Compiled {
  const expression = pattern(of.type.kind === "bytes");
  return derived(CONDITION, [read(of, "text")], (value) => expression.test(String(value)));
}

export interface Choice {
  condition: Compiled;
  value: Compiled;
}

/** Compiles a choice: the value for the first condition that is true, or `otherwise` if none is. */
export function choose(choices: readonly Choice[], otherwise: Compiled): Compiled {
  const [type, parts] = alike([...choices.map(({ value }) => value), otherwise]);
  return {
    type,
    value(scope) {
      const at = choices.findIndex(({ condition }) => condition.value(scope) === true);
      return parts.at(at)?.value(scope) ?? null;
    },
  };
}

/** Converts the values of a choice to a common type. Returns the type and the values. */
export function alike(parts: readonly Compiled[]): [Type, Compiled[]] {
  const kind = commonKind(parts);
  const readParts = parts.map((part) => read(part, kind));
  const bits = Math.max(...readParts.map(({ type }) => type.bits));
  return [{ kind, bits }, readParts];
}

/** Compiles an expression that picks one of the values in a list that are not null. */
export function among(list: readonly Compiled[], pick: (values: NonNullable<Value>[]) => Value): Compiled {
  const [type, parts] = alike(list);
  return {
    type,
    value: (scope) => pick(parts.map((part) => part.value(scope)).filter((value) => value !== null)),
  };
}

export const NOTHING = constant({ kind: "null", bits: 0 }, null);
