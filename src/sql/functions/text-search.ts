import { integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { apply, type CheckedExpression, type Operation } from "../expressions/checked-expression.ts";
import { naming } from "../expressions/naming.ts";
import { LONGEST_TEXT, textCost } from "../expressions/text-cost.ts";
import { integerType, SAFE_BITS, TEXT, type ValueType } from "../types/value-type.ts";
import type { SqlFunction } from "./sql-function.ts";
import { countOrText, position } from "./text-counts.ts";

const COUNT_TYPE = integerType(SAFE_BITS);
const longest = integer(LONGEST_TEXT);

/**
 * Maximum length of the part that is searched for, in bytes. A search takes time in proportion to the product
 * of both lengths, and cannot be interrupted: searching a string of a megabyte for a part of 100 kB takes a
 * minute.
 */
const LONGEST_PART = 256;

function partProblem(part: CheckedExpression): string | null {
  const bytes = part.node === "literal" ? Buffer.byteLength(String(part.value)) : 0;
  return bytes <= LONGEST_PART ? null : `the part has ${bytes} bytes; a search takes up to ${LONGEST_PART}`;
}

/**
 * Time per byte of the text for each byte of the part, in nanoseconds. If both consist of one repeated
 * character, the engine compares most of the part at each byte.
 */
const SEARCH_NS = 0.6;

/** Declares a search that returns null if the part is too long; `partProblem` has checked literal parts. */
function search(
  name: string,
  print: (part: Sql, ...others: Sql[]) => Sql,
  bound: Pick<Operation, "longest"> = {},
) {
  const known: Operation = { name, print, ...bound };
  const computed: Operation = {
    ...bound,
    nsPerByte: 5 + SEARCH_NS * LONGEST_PART,
    name: `${name}-computed`,
    weight: 8,
    copies: 3,
    print: (part, ...others) => {
      const fits = sql`length(${part}) <= ${integer(LONGEST_PART)}`;
      return sql`if(${fits}, ${print(sql`if(${fits}, ${part}, '')`, ...others)}, NULL)`;
    },
  };
  return (type: ValueType, part: CheckedExpression, ...others: CheckedExpression[]) => {
    const nsPerByte = 5 + SEARCH_NS * textCost(part).bytes;
    return apply(part.node === "literal" ? { ...known, nsPerByte } : computed, type, part, ...others);
  };
}

const locateFrom = search(
  "locate-from",
  (part, whole, start) => sql`positionUTF8(${whole}, ${part}, toUInt64(${position(start)}))`,
);
const locateFirst = search("locate", (part, whole) => sql`positionUTF8(${whole}, ${part})`);

export const LOCATE: SqlFunction = {
  name: "LOCATE",
  synonyms: ["POSITION"],
  signature: "LOCATE(part, text), LOCATE(part, text, start)",
  doc: `position, counted from 1, of the first occurrence of the part in the text, at or after the given start (default 1); 0 if there is none; null if the part is longer than ${LONGEST_PART} bytes`,
  example: ["LOCATE('swap', protocol_name)", 4],
  overloads: [
    {
      takes: ["text", "text"],
      problem: partProblem,
      call: (part, whole) => locateFirst(COUNT_TYPE, part, whole),
    },
    {
      takes: ["text", "text", "integer"],
      problem: partProblem,
      call: (part, whole, start) => locateFrom(COUNT_TYPE, part, whole, countOrText(start)),
    },
  ],
};

/** Returns the maximum length of a string with all occurrences of the part replaced, in bytes. */
const replacedBytes: NonNullable<Operation["longest"]> = ([part = 1, whole = 0, replacement = 0], [given]) =>
  whole * Math.max(1, replacement / (given?.node === "literal" ? Math.max(1, part) : 1));

const replaceShort = search(
  "replace",
  (part, whole, replacement) => sql`replaceAll(${whole}, ${part}, ${replacement})`,
  { longest: replacedBytes },
);

/** Replacement whose result may be too long: computes the length first. */
const replaceLong = search(
  "replace-long",
  (part, whole, replacement) => {
    const operands = [
      [sql`x`, whole],
      [sql`y`, part],
      [sql`w`, replacement],
    ] as const;
    const added = sql`if(empty(y), 0, countSubstrings(x, y) * (toInt64(length(w)) - toInt64(length(y))))`;
    return naming(operands, sql`if(length(x) + ${added} <= ${longest}, replaceAll(x, y, w), NULL)`);
  },
  { longest: replacedBytes },
);

function replaceAll(part: CheckedExpression, whole: CheckedExpression, replacement: CheckedExpression) {
  const operands = [part, whole, replacement];
  const bytes = replacedBytes(
    operands.map((operand) => textCost(operand).bytes),
    operands,
  );
  return (bytes <= LONGEST_TEXT ? replaceShort : replaceLong)(TEXT, part, whole, replacement);
}

export const REPLACE: SqlFunction = {
  name: "REPLACE",
  signature: "REPLACE(text, part, replacement)",
  doc: `the text with every occurrence of the part replaced; null if the part is longer than ${LONGEST_PART} bytes or the result is longer than a million bytes`,
  example: ["REPLACE(protocol_name, '_', ' ')", "uniswap v3"],
  overloads: [
    {
      takes: ["text", "text", "text"],
      problem: (_, part) => partProblem(part),
      call: (whole, part, replacement) => replaceAll(part, whole, replacement),
    },
  ],
};
