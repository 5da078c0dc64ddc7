import { hexText, join, sql } from "../../engine-sql/sql-text.ts";
import { BOOLEAN, TEXT } from "../types/value-type.ts";
import { apply, type Checked, type Operation } from "./checked-expression.ts";
import { toDouble } from "./operators.ts";

const AND: Operation = { name: "and", print: (...terms) => sql`(${join(terms, " AND ")})` };
const OR: Operation = { name: "or", print: (...terms) => sql`(${join(terms, " OR ")})` };
const NOT: Operation = { name: "not", print: (condition) => sql`(NOT ${condition})` };
const IN: Operation = { name: "in", print: (value, ...items) => sql`(${value} IN (${join(items)}))` };
const IS_NULL: Operation = { name: "is-null", print: (value) => sql`isNull(${value})` };
const LIKE: Operation = { name: "like", print: (value, pattern) => sql`(${value} LIKE ${pattern})` };
const MATCHES: Operation = { name: "matches", print: (value, pattern) => sql`match(${value}, ${pattern})` };
const HEX_TEXT: Operation = { name: "hex-text", print: hexText };

export const and = (...terms: Checked[]) => apply(AND, BOOLEAN, ...terms);
export const or = (...terms: Checked[]) => apply(OR, BOOLEAN, ...terms);
export const not = (condition: Checked) => apply(NOT, BOOLEAN, condition);
export const isIn = (value: Checked, items: Checked[]) => apply(IN, BOOLEAN, value, ...items);
export const like = (value: Checked, pattern: Checked) => apply(LIKE, BOOLEAN, value, pattern);
export const matches = (value: Checked, pattern: Checked) => apply(MATCHES, BOOLEAN, value, pattern);
export const toHexText = (value: Checked) => apply(HEX_TEXT, TEXT, value);

/** Conditions that all hold when the given one does. */
export function conjunctsOf(condition: Checked | null): readonly Checked[] {
  if (condition === null) return [];
  const isAnd = condition.node === "apply" && condition.operation === AND;
  return isAnd ? condition.operands.flatMap(conjunctsOf) : [condition];
}

/** What functions make of a dictionary's texts is again a dictionary, which not all of the engine can take. */
const PLAIN_TEXT: Operation = {
  name: "plain-text",
  print: (value) => sql`CAST(${value} AS Nullable(String))`,
};

/** A text or hex bytes as a text that every function of the engine takes. */
export function plainText(value: Checked): Checked {
  if (value.type.kind === "bytes") return toHexText(value);
  return value.type.kind === "text" && value.type.dictionary ? apply(PLAIN_TEXT, TEXT, value) : value;
}

export function isNull(value: Checked): Checked {
  return apply(IS_NULL, BOOLEAN, value.type.kind === "sum" ? toDouble(value) : value);
}

/** A condition, or its opposite where the client wrote NOT. */
export function negateIf(negated: boolean, condition: Checked): Checked {
  return negated ? not(condition) : condition;
}

/** The engine's pattern for a LIKE pattern of the dialect: there only `escapeChar` escapes, here the backslash. */
export function likePattern(pattern: string, escapeChar: string): string | null {
  let translated = "";
  let escaped = false;
  for (const char of pattern) {
    if (!escaped && escapeChar !== "" && char === escapeChar) {
      escaped = true;
      continue;
    }
    if (escaped && char !== "%" && char !== "_" && char !== escapeChar) return null;
    const special = char === "\\" || (escaped && char !== escapeChar);
    translated += special ? `\\${char}` : char;
    escaped = false;
  }
  return escaped ? null : translated;
}
