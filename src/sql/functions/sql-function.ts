import type { Alternative } from "../expressions/alternatives.ts";
import type { CheckedExpression } from "../expressions/checked-expression.ts";
import type { Expression } from "../syntax/syntax-tree.ts";
import type { ValueKind } from "../types/value-type.ts";

/**
 * The type of an argument: one kind, any kind but an interval, or any number. `text` also accepts hex bytes,
 * as their `0x…` text, and `time` also accepts a text literal that contains a time.
 */
export type ParameterType = ValueKind | "any" | "number";

/** One way to call a function. */
export interface Overload {
  takes: readonly ParameterType[];
  /** Type of further arguments, of which there may be any number. */
  rest?: ParameterType;
  /** `*` instead of arguments, as in COUNT(*), or `DISTINCT` before the argument. */
  form?: "*" | "DISTINCT";
  /** Returns the problem with the arguments' values, or null if there is none. */
  problem?(...operands: CheckedExpression[]): string | null;
  /** Returns the checked expression of the call. */
  call(...operands: CheckedExpression[]): CheckedExpression;
}

/** A row of the table of functions. */
export interface SqlFunction {
  name: string;
  /** Other names of the same function. */
  synonyms?: readonly string[];
  signature: string;
  doc: string;
  /** An expression over the example trades in the documentation, and its value in an answer. */
  example: readonly [expression: string, value: string | number | boolean | null];
  aggregate?: true;
  overloads?: readonly Overload[];
  /** For a function without arguments: returns its value in a query at `now` (unix seconds). */
  constant?(now: number): CheckedExpression;
  /** For a function that chooses one of its arguments, which may be NULL. */
  choice?: Choice;
}

export interface Choice {
  /** Minimum and maximum number of arguments. */
  least: number;
  most: number;
  /** Chooses a value. `call` is the client's expression, for messages. Throws SqlError. */
  choose(operands: readonly Alternative[], call: Expression): CheckedExpression;
}
