import type { Interval } from "./interval.ts";
import type { Position } from "./sql-error.ts";

interface NodePosition {
  at: Position;
  /** Number of levels of nodes, from this node down. */
  depth: number;
}

export type ComparisonSign = "=" | "<>" | "<" | "<=" | ">" | ">=";
export type ArithmeticSign = "+" | "-" | "*" | "/" | "%";

/** The client's expression as parsed; no name is resolved yet. */
export type Expression = NodePosition &
  (
    | { node: "column"; name: string; qualifier: string | null; quoted: boolean }
    | { node: "number"; text: string }
    | { node: "text"; text: string }
    | { node: "boolean"; value: boolean }
    | { node: "null" }
    | { node: "interval"; interval: Interval; text: string }
    | { node: "call"; name: string; operands: Expression[]; distinct: boolean; star: boolean }
    | { node: "case"; operand: Expression | null; branches: Branch[]; otherwise: Expression | null }
    | { node: "cast"; operand: Expression; target: Name }
    | { node: "extract"; part: Name; operand: Expression }
    | { node: "negation"; operand: Expression }
    | { node: "arithmetic"; sign: ArithmeticSign; left: Expression; right: Expression }
    | { node: "comparison"; sign: ComparisonSign; left: Expression; right: Expression }
    | { node: "and" | "or"; terms: Expression[] }
    | { node: "not"; operand: Expression }
    | { node: "in"; operand: Expression; items: Expression[]; negated: boolean }
    | { node: "between"; operand: Expression; low: Expression; high: Expression; negated: boolean }
    | { node: "is-null"; operand: Expression; negated: boolean }
    | { node: "like"; operand: Expression; pattern: Expression; escapeChar: string; negated: boolean }
    | { node: "rlike"; operand: Expression; pattern: Expression; negated: boolean }
  );

/** WHEN and THEN of a CASE. */
export interface Branch {
  condition: Expression;
  value: Expression;
}

export type ExpressionOf<N extends Expression["node"]> = Extract<Expression, { node: N }>;

/** A name in the client's text, with its position. */
export interface Name {
  text: string;
  at: Position;
}

export type SelectItem =
  | { node: "star"; at: Position }
  | { node: "item"; value: Expression; alias: Name | null };

export interface OrderItem {
  value: Expression;
  descending: boolean;
  nullsFirst: boolean;
}

export interface Select {
  statement: "select";
  distinct: boolean;
  items: SelectItem[];
  table: Name;
  tableAlias: Name | null;
  where: Expression | null;
  groupBy: Expression[];
  having: Expression | null;
  orderBy: OrderItem[];
  /** From LIMIT or TOP. */
  limit: { value: number; at: Position } | null;
  offset: { value: number; at: Position } | null;
}

export type Statement = Select | { statement: "show-tables" } | { statement: "describe"; table: Name };
