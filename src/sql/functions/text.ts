import { integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { apply, type CheckedExpression, type Operation } from "../expressions/checked-expression.ts";
import { naming } from "../expressions/naming.ts";
import { LONGEST_TEXT, literalCount, shortened, textCost } from "../expressions/text-cost.ts";
import { BOOLEAN, integerType, SAFE_BITS, TEXT, type ValueType } from "../types/value-type.ts";
import type { Overload, SqlFunction } from "./sql-function.ts";
import { countOrText, position, signed } from "./text-counts.ts";
import { LOCATE, REPLACE } from "./text-search.ts";

type Print = (...operands: Sql[]) => Sql;

interface TextFunction {
  signature: string;
  doc: string;
  example: SqlFunction["example"];
  synonyms?: readonly string[];
  takes: Overload["takes"];
  gives: ValueType;
  print: Print;
  /** Number of nodes in its printed form, if many. */
  weight?: number;
  longest?: NonNullable<Operation["longest"]>;
  isPart?: boolean;
}

const COUNT_TYPE = integerType(SAFE_BITS);

/** Declares a string function. Clamps arguments that count characters to the maximum length of a string. */
function ofText(
  name: string,
  { takes, gives, print, weight = 1, longest, isPart = false, ...row }: TextFunction,
): SqlFunction {
  const operation: Operation = { name, print, weight, isPart, ...(longest === undefined ? {} : { longest }) };
  const call = (...operands: CheckedExpression[]) => apply(operation, gives, ...operands.map(countOrText));
  return { ...row, name, overloads: [{ takes, call }] };
}

/** Maximum length of a result, in bytes. The engine keeps whole columns of such strings in memory. */
const longest = integer(LONGEST_TEXT);

const LENGTH_OF_BYTES: Operation = { name: "byte-length", print: (value) => sql`length(${value})` };
/**
 * Uses `concat`, because for the length of a FixedString column, the engine (26.7) reads a subcolumn that
 * contains only zeros.
 */
const LENGTH_OF_FIXED: Operation = {
  name: "fixed-length",
  weight: 2,
  print: (value) => sql`length(concat(${value}, ''))`,
};
const LENGTH_OF_TEXT: Operation = { name: "char-length", print: (value) => sql`lengthUTF8(${value})` };

function byteLength(value: CheckedExpression): CheckedExpression {
  const fixed = value.type.kind === "bytes" && value.type.lengths?.length === 1;
  return apply(fixed ? LENGTH_OF_FIXED : LENGTH_OF_BYTES, COUNT_TYPE, value);
}

const LENGTH: SqlFunction = {
  name: "LENGTH",
  synonyms: ["CHAR_LENGTH", "CHARACTER_LENGTH"],
  signature: "LENGTH(text), LENGTH(bytes)",
  doc: "number of characters in a text, or of bytes in hex bytes",
  example: ["LENGTH(protocol_name)", 10],
  overloads: [
    { takes: ["bytes"], call: byteLength },
    { takes: ["text"], call: (value) => apply(LENGTH_OF_TEXT, COUNT_TYPE, value) },
  ],
};

const JOIN_TEXTS: Operation = {
  name: "concat",
  print: (...texts) => sql`concat(${join(texts.map((value) => sql`ifNull(${value}, '')`))}, '')`,
};

/** Concatenation whose result may be too long: checks the length first. */
const JOIN_LONG_TEXTS: Operation = {
  name: "concat-long",
  weight: 4,
  print: (...texts) => {
    const joined = sql`if(arraySum(arrayMap(y -> length(y), x)) <= ${longest}, arrayStringConcat(x), NULL)`;
    return naming([[sql`x`, sql`[${join(texts.map((value) => sql`ifNull(${value}, '')`))}]`]], joined);
  },
};

function joinTexts(...texts: CheckedExpression[]): CheckedExpression {
  const bytes = texts.reduce((sum, value) => sum + textCost(value).bytes, 0);
  return apply(bytes <= LONGEST_TEXT ? JOIN_TEXTS : JOIN_LONG_TEXTS, TEXT, ...texts);
}

const CONCAT: SqlFunction = {
  name: "CONCAT",
  signature: "CONCAT(text, text, …)",
  doc: "the concatenated strings; null counts as an empty string; the result is null if it is longer than a million bytes",
  example: ["CONCAT(side, ' ', token_symbol)", "sell it's"],
  overloads: [{ takes: ["text"], rest: "text", call: joinTexts }],
};

const SUBSTRING_FROM: Operation = {
  name: "substring-from",
  print: (whole, start) => sql`substringUTF8(${whole}, ${position(start)})`,
  isPart: true,
};
const SUBSTRING_OF: Operation = {
  name: "substring",
  print: (whole, start, length) => sql`substringUTF8(${whole}, ${position(start)}, ${length})`,
  longest: ([bytes = 0], [, , length]) => shortened([bytes], [length, length]),
  isPart: true,
};

const SUBSTRING: SqlFunction = {
  name: "SUBSTRING",
  synonyms: ["SUBSTR"],
  signature: "SUBSTRING(text, start), SUBSTRING(text, start, length)",
  doc: "the part of the text from the given start to the end, or of the given length; positions are counted from 1, and lower ones count as 1",
  example: ["SUBSTRING(protocol_name, 4, 4)", "swap"],
  overloads: [SUBSTRING_FROM, SUBSTRING_OF].map((operation, i) => ({
    takes: i === 0 ? ["text", "integer"] : ["text", "integer", "integer"],
    call: (...operands) => apply(operation, TEXT, ...operands.map(countOrText)),
  })),
};

/** Prints a character in UTF-8, in which codes from 128 on take two bytes. */
const CHARACTER: Operation = {
  name: "char",
  weight: 14,
  print: (code) =>
    naming(
      [[sql`x`, sql`toInt64(clamp(${code}, -1, 256))`]],
      sql`multiIf(x < 0, NULL, x < 128, char(x), x < 256, char(192 + intDiv(x, 64), 128 + x % 64), NULL)`,
    ),
};

const CHAR: SqlFunction = {
  name: "CHAR",
  signature: "CHAR(code)",
  doc: "the character with a code from 0 to 255; null for other codes",
  example: ["CHAR(65)", "A"],
  overloads: [{ takes: ["integer"], call: (code) => apply(CHARACTER, TEXT, signed(code)) }],
};

/** Prints an insertion. If the text ends before the start, the replacement is appended. */
const insertAt: Print = (whole, start, length, part) => {
  const operands = [
    [sql`x`, whole],
    [sql`y`, position(start)],
    [sql`s`, length],
    [sql`w`, part],
  ] as const;
  const inserted = sql`concat(leftUTF8(x, y - 1), w, substringUTF8(x, y + s))`;
  return naming(operands, sql`if(length(x) + length(w) <= ${longest}, ${inserted}, NULL)`);
};

/**
 * Prints a repetition. An empty string stays empty for any count, so `least` keeps the count below the
 * engine's own limit.
 */
const repeated: Print = (part, count) => {
  const operands = [[sql`x`, part] as const, [sql`y`, count] as const];
  return naming(operands, sql`if(length(x) * y <= ${longest}, repeat(x, least(y, ${longest})), NULL)`);
};

/** String functions. Hex bytes are converted to their `0x…` text. */
export const TEXTS: readonly SqlFunction[] = [
  ofText("ASCII", {
    signature: "ASCII(text)",
    doc: "code of the first byte of the text; 0 for an empty string",
    example: ["ASCII('A')", 65],
    takes: ["text"],
    gives: integerType(8),
    print: (value) => sql`ascii(${value})`,
  }),
  ofText("BIT_LENGTH", {
    signature: "BIT_LENGTH(text)",
    doc: "number of bits of the text in UTF-8",
    example: ["BIT_LENGTH('é')", 16],
    takes: ["text"],
    gives: COUNT_TYPE,
    print: (value) => sql`(length(${value}) * 8)`,
  }),
  CHAR,
  CONCAT,
  ofText("ENDS_WITH", {
    signature: "ENDS_WITH(text, end)",
    doc: "true if the first text ends with the second; case-sensitive",
    example: ["ENDS_WITH(protocol_name, '_v3')", true],
    takes: ["text", "text"],
    gives: BOOLEAN,
    print: (value, end) => sql`endsWith(${value}, ${end})`,
  }),
  ofText("INSERT", {
    signature: "INSERT(text, start, length, replacement)",
    doc: "the text in which the replacement takes the place of the part with the given start and length; positions are counted from 1, and lower ones count as 1; null if the text and the replacement together are longer than a million bytes",
    example: ["INSERT(protocol_name, 8, 2, ' V')", "uniswap V3"],
    takes: ["text", "integer", "integer", "text"],
    gives: TEXT,
    print: insertAt,
    weight: 16,
  }),
  ofText("LCASE", {
    synonyms: ["LOWER"],
    signature: "LCASE(text)",
    doc: "the text in lower case",
    example: ["LCASE('WETH')", "weth"],
    takes: ["text"],
    gives: TEXT,
    print: (value) => sql`lowerUTF8(${value})`,
    isPart: true,
  }),
  ofText("LEFT", {
    signature: "LEFT(text, count)",
    doc: "the given number of characters from the beginning of the text",
    example: ["LEFT(transaction_hash, 6)", "0x0000"],
    takes: ["text", "integer"],
    gives: TEXT,
    print: (value, count) => sql`leftUTF8(${value}, ${count})`,
    longest: shortened,
    isPart: true,
  }),
  LENGTH,
  LOCATE,
  ofText("LTRIM", {
    signature: "LTRIM(text)",
    doc: "the text without leading blanks",
    example: ["LTRIM('  a ')", "a "],
    takes: ["text"],
    gives: TEXT,
    print: (value) => sql`trimLeft(${value})`,
  }),
  ofText("OCTET_LENGTH", {
    signature: "OCTET_LENGTH(text)",
    doc: "number of bytes of the text in UTF-8",
    example: ["OCTET_LENGTH('é')", 2],
    takes: ["text"],
    gives: COUNT_TYPE,
    print: (value) => sql`length(${value})`,
  }),
  ofText("REPEAT", {
    signature: "REPEAT(text, count)",
    doc: "the text repeated the given number of times; null if the result is longer than a million bytes",
    example: ["REPEAT('=', 3)", "==="],
    takes: ["text", "integer"],
    gives: TEXT,
    print: repeated,
    weight: 8,
    longest: ([bytes = 0], [, count]) => bytes * literalCount(count),
  }),
  REPLACE,
  ofText("REVERSE", {
    signature: "REVERSE(text)",
    doc: "the characters in reverse order",
    example: ["REVERSE(side)", "lles"],
    takes: ["text"],
    gives: TEXT,
    print: (value) => sql`reverseUTF8(${value})`,
  }),
  ofText("RIGHT", {
    signature: "RIGHT(text, count)",
    doc: "the given number of characters from the end of the text",
    example: ["RIGHT(protocol_name, 2)", "v3"],
    takes: ["text", "integer"],
    gives: TEXT,
    print: (value, count) => sql`rightUTF8(${value}, ${count})`,
    longest: shortened,
    isPart: true,
  }),
  ofText("RTRIM", {
    signature: "RTRIM(text)",
    doc: "the text without trailing blanks",
    example: ["RTRIM(' a  ')", " a"],
    takes: ["text"],
    gives: TEXT,
    print: (value) => sql`trimRight(${value})`,
  }),
  ofText("SPACE", {
    signature: "SPACE(count)",
    doc: "a string of the given number of blanks; null for more than a million",
    example: ["CONCAT('a', SPACE(2), 'b')", "a  b"],
    takes: ["integer"],
    gives: TEXT,
    print: (count) => repeated(text(" "), count),
    weight: 8,
    longest: (_, [count]) => literalCount(count),
  }),
  ofText("STARTS_WITH", {
    signature: "STARTS_WITH(text, start)",
    doc: "true if the first text starts with the second; case-sensitive",
    example: ["STARTS_WITH(protocol_name, 'uni')", true],
    takes: ["text", "text"],
    gives: BOOLEAN,
    print: (value, start) => sql`startsWith(${value}, ${start})`,
  }),
  SUBSTRING,
  ofText("TRIM", {
    signature: "TRIM(text)",
    doc: "the text without leading and trailing blanks",
    example: ["TRIM('  a ')", "a"],
    takes: ["text"],
    gives: TEXT,
    print: (value) => sql`trimBoth(${value})`,
  }),
  ofText("UCASE", {
    synonyms: ["UPPER"],
    signature: "UCASE(text)",
    doc: "the text in upper case",
    example: ["UCASE(side)", "SELL"],
    takes: ["text"],
    gives: TEXT,
    print: (value) => sql`upperUTF8(${value})`,
    isPart: true,
  }),
];
