export type IntervalUnit = "YEAR" | "MONTH" | "DAY" | "HOUR" | "MINUTE" | "SECOND";

export interface Interval {
  kind: "interval";
  months: number;
  seconds: number;
  /** The interval as written. */
  text: string;
  /** The unit, if the interval is exactly one of that unit. */
  one: IntervalUnit | undefined;
}

export type Expression =
  | { kind: "number"; text: string }
  | { kind: "text"; text: string }
  | { kind: "null" }
  | { kind: "condition"; value: boolean }
  | Interval
  | { kind: "name"; name: string }
  | { kind: "star" }
  | { kind: "minus"; of: Expression }
  /** `inside` is true if NOT is part of the predicate, such as in `IS NOT NULL` or `NOT IN`. */
  | { kind: "not"; of: Expression; inside: boolean }
  | { kind: "binary"; operator: string; left: Expression; right: Expression }
  | { kind: "is-null"; of: Expression }
  | { kind: "in"; of: Expression; list: Expression[] }
  | { kind: "between"; of: Expression; low: Expression; high: Expression }
  | { kind: "like"; of: Expression; pattern: string; escape: string | undefined }
  | { kind: "rlike"; of: Expression; pattern: string }
  | { kind: "case"; subject: Expression | undefined; branches: Branch[]; otherwise: Expression | undefined }
  | { kind: "cast"; of: Expression; type: string }
  | { kind: "call"; name: string; distinct: boolean; list: Expression[] };

export interface Branch {
  when: Expression;
  value: Expression;
}

export interface SelectItem {
  expression: Expression;
  alias: string | undefined;
}

export interface OrderItem {
  expression: Expression;
  descending: boolean;
  nullsFirst: boolean;
}

export interface Query {
  distinct: boolean;
  items: SelectItem[];
  table: string;
  where: Expression | undefined;
  groupBy: Expression[];
  having: Expression | undefined;
  orderBy: OrderItem[];
  limit: number | undefined;
  offset: number;
}

/** Returns the operands of an expression. */
export function partsOf(expression: Expression): Expression[] {
  switch (expression.kind) {
    case "minus":
    case "not":
    case "is-null":
    case "like":
    case "rlike":
    case "cast":
      return [expression.of];
    case "binary":
      return [expression.left, expression.right];
    case "in":
      return [expression.of, ...expression.list];
    case "between":
      return [expression.of, expression.low, expression.high];
    case "call":
      return expression.list;
    case "case": {
      const { subject, branches, otherwise } = expression;
      const values = branches.flatMap((branch) => [branch.when, branch.value]);
      return [subject, ...values, otherwise].filter((part) => part !== undefined);
    }
    default:
      return [];
  }
}
