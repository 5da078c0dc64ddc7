import type { Alternative } from "../expressions/alternatives.ts";
import type { CheckedExpression } from "../expressions/checked-expression.ts";
import type { Expression } from "../syntax/syntax-tree.ts";
import type { ValueKind } from "../types/value-type.ts";

/**
 * What an argument may be: of one kind, any kind but an interval, or any number. A `text` may be hex bytes too,
 * which are then their `0x…` text, and a `time` may be such a text as times are compared with.
 */
export type Taken = ValueKind | "any" | "number";

/** One way to call a function. */
export interface Overload {
  takes: readonly Taken[];
  /** Any number of further arguments. */
  rest?: Taken;
  /** `*`: instead of arguments, COUNT(*). `DISTINCT`: the argument has that word before it. */
  form?: "*" | "DISTINCT";
  /** What is wrong with the arguments' values, or null. */
  complaint?(...operands: CheckedExpression[]): string | null;
  /** The checked call. */
  call(...operands: CheckedExpression[]): CheckedExpression;
}

/** A row of the table of functions. */
export interface SqlFunction {
  name: string;
  /** Other names of the same function. */
  synonyms?: readonly string[];
  signature: string;
  doc: string;
  /** An expression over the trades of the documentation, and its value in an answer. */
  example: readonly [expression: string, value: string | number | boolean | null];
  aggregate?: true;
  overloads?: readonly Overload[];
  /** Of a function without arguments: its value in a query that is asked at `now` (unix seconds). */
  constant?(now: number): CheckedExpression;
  /** Of a function that chooses among its arguments, which may be NULL. */
  choice?: Choice;
}

export interface Choice {
  /** Numbers of arguments that it takes. */
  least: number;
  most: number;
  /** `call` is the client's, for messages. Throws SqlError. */
  choose(operands: readonly Alternative[], call: Expression): CheckedExpression;
}
