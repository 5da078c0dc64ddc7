import type { ColumnKind } from "../../../src/schema/column.ts";

/**
 * Words for shapes. They are separated by spaces, or by commas if the text has any. One word is drawn for
 * each use.
 */
export const WORDS: Record<string, string> = {
  sign: "= <> != < <= > >=",
  order: "< <= > >=",
  not: ",NOT ",
  unit: "year quarter month week day hour minute second yy q mm ww d hh mi ss",
  part:
    "YEAR QUARTER MONTH WEEK ISO_WEEK DAY DOY DOW ISO_DAY_OF_WEEK HOUR MINUTE MINUTE_OF_DAY SECOND MONTH_OF_YEAR IDOW " +
    "DAY_OF_MONTH HOUR_OF_DAY SECOND_OF_MINUTE WEEK_OF_YEAR IW",
  digits:
    "0 1 2 3 7 10 -1 -5 100 2.5 0.1 -1.5 1e3 1.5e2 9007199254740993 1e18 12345.678 1700000000 1000000000000000000.0",
  count: "0 1 3 6 -1 100",
  word: "'','a','buy','uniswap_v3','ALPHA','it''s','100%_\\','Alpha 🚀',' x ','é','1','true','-12.5','2024-02-29','0x'",
  moment:
    "'2024-01-31','2024-02-29T12:00:00Z','2023-12-31T23:30:00-02:00','1700000000',1700000000,NOW(),TODAY(),CURRENT_DATE," +
    "'1970-01-01','2106-02-07T06:28:15Z'",
  interval:
    "INTERVAL 1 DAY,INTERVAL 1 MONTH,INTERVAL 1 YEAR,INTERVAL 7 DAYS,INTERVAL '3' HOURS,INTERVAL '1-2' YEAR TO MONTH,INTERVAL 12 MONTH," +
    "INTERVAL '1 2:03:04' DAY TO SECOND,INTERVAL '5:06' MINUTE TO SECOND,INTERVAL 100000 SECONDS,INTERVAL '4 5' DAY TO HOUR",
  like: "'%a%','u%','_u%','0X%1','100!%%' ESCAPE '!','%\\%','it''_','%🚀','___%'",
  regular:
    "'[a-z]+','.*v[23]','(buy|sell)','\\w+','[^a]*','0X0{3,}.*','A.*\\s.','^s.*$','\\d*','[\\w%\\\\]+'",
  address: "'0x00000000000000000000000000000000000e0001','0x00000000000000000000000000000000000F0000'",
  format: "'%Y-%m','%d.%m.%Y %H:%i:%s','%j%%'",
  pattern: "'yyyy-MM-dd''T''HH:mm:ss','EEE, d. MMMM yy','h a; DDD''.'''",
  direction: ", DESC, ASC NULLS FIRST, DESC NULLS LAST, DESC NULLS FIRST",
};

/**
 * The forms of expressions of each type. `{number}`, `{text}`, `{time}`, `{condition}` and `{bytes}` mean any
 * expression of that type. Other words in braces are keys of WORDS.
 */
export const SHAPES = {
  number: [
    ..."+ - * / %".split(" ").map((sign) => `({number} ${sign} {number})`),
    ..."ABS CEIL FLOOR ROUND TRUNCATE SIGN SQRT LN EXP EXPM1 LOG10 CBRT ATAN DEGREES RADIANS"
      .split(" ")
      .map((name) => `${name}({number})`),
    ..."1 2 -1 -2 5".split(" ").flatMap((n) => [`ROUND({number}, ${n})`, `TRUNCATE({number}, ${n})`]),
    ..."LENGTH OCTET_LENGTH ASCII BIT_LENGTH".split(" ").map((name) => `${name}({text})`),
    "LENGTH({bytes})",
    "LOCATE({text}, {text})",
    "LOCATE({text}, {text}, {count})",
    "EXTRACT({part} FROM {time})",
    "DATE_PART('{part}', {time})",
    "DATE_DIFF('{unit}', {time}, {time})",
    "CAST({number} AS BIGINT)",
    "CAST({text} AS INT)",
    "CAST({time} AS LONG)",
    "CAST({condition} AS INT)",
    "{text}::DOUBLE",
    "-{number}",
    "MOD({number}, {number})",
    ..."1 5 0.5 100".split(" ").map((step) => `HISTOGRAM({number}, ${step})`),
    ..."2 0.5 3 -1 0".split(" ").map((power) => `POWER({number}, ${power})`),
  ],
  text: [
    ..."LCASE UPPER TRIM LTRIM RTRIM REVERSE".split(" ").map((name) => `${name}({text})`),
    "CONCAT({text}, {text})",
    "LEFT({text}, {count})",
    "RIGHT({bytes}, {count})",
    "LEFT({text}, CAST({number} AS INT))",
    "SUBSTRING({text}, {count})",
    "SUBSTRING({text}, {count}, {count})",
    "SUBSTRING({text}, CAST({number} AS INT))",
    "REPLACE({text}, {word}, {text})",
    "INSERT({text}, {count}, {count}, {text})",
    "REPEAT({text}, {count})",
    "CHAR(LENGTH({text}) + 64)",
    "CHAR(CAST({number} AS INT))",
    "CONCAT(SPACE({count}), '|')",
    "CAST({text} AS VARCHAR)",
    "CAST({time} AS VARCHAR)",
    "CAST({condition} AS VARCHAR)",
    "CAST({bytes} AS VARCHAR)",
    "DATE_FORMAT({time}, {format})",
    "DATETIME_FORMAT({time}, {pattern})",
    "DAY_NAME({time})",
    "MONTH_NAME({time})",
  ],
  time: [
    "DATE_TRUNC('{unit}', {time})",
    ..."1 -1 13 -40 500".split(" ").map((count) => `DATE_ADD('{unit}', ${count}, {time})`),
    "DATE_ADD('{unit}', CAST({number} AS INT), {time})",
    "({time} + {interval})",
    "({time} - {interval})",
    "HISTOGRAM({time}, {interval})",
    "CAST({number} AS TIMESTAMP)",
    "CAST({moment} AS DATE)",
    "{time}::DATE",
    "COALESCE({time}, {moment})",
  ],
  condition: [
    "{number} {sign} {number}",
    "{text} {sign} {text}",
    "{time} {order} {time}",
    "{time} {order} {moment}",
    "{bytes} {sign} {address}",
    "{number} IS NULL",
    "{text} IS NOT NULL",
    "{number} {not}BETWEEN {number} AND {number}",
    "{text} {not}IN ({word}, {word}, {word})",
    "{number} {not}IN ({digits}, {digits})",
    "{text} {not}LIKE {like}",
    "{bytes} {not}LIKE {like}",
    "{text} {not}RLIKE {regular}",
    "({condition} AND {condition})",
    "({condition} OR {condition})",
    "NOT ({condition})",
    "STARTS_WITH({text}, {text})",
    "CAST({number} AS BOOLEAN)",
    "CAST({text} AS BOOLEAN)",
    "({condition}) IS NULL",
  ],
  bytes: ["COALESCE({bytes}, {address})"],
} as const satisfies Record<string, readonly string[]>;

export type ValueType = keyof typeof SHAPES;

export type ColumnType = Exclude<ValueType, "condition">;

export const TYPES_OF_KINDS: Readonly<Record<ColumnKind, ColumnType>> = {
  integer: "number",
  uint64: "number",
  small: "number",
  wei: "number",
  amount: "number",
  double: "number",
  text: "text",
  label: "text",
  time: "time",
  address: "bytes",
  hash: "bytes",
  pool_id: "bytes",
  bytes: "bytes",
};

/** Splits a list of WORDS into its words. */
export function wordsOf(list: string): string[] {
  return list.split(list.includes(",") ? /,(?=(?:[^']|'[^']*')*$)/ : " ");
}

/** Returns the forms of expressions that choose between values of a type. */
export const choicesOf = (type: ValueType) => [
  `COALESCE({${type}}, {${type}})`,
  `NULLIF({${type}}, {${type}})`,
  `CASE WHEN {condition} THEN {${type}} ELSE {${type}} END`,
  `CASE WHEN {condition} THEN {${type}} WHEN {condition} THEN {${type}} END`,
  `CASE {text} WHEN {word} THEN {${type}} ELSE {${type}} END`,
  `IIF({condition}, {${type}})`,
  ...(type === "condition"
    ? []
    : [`GREATEST({${type}}, {${type}})`, `LEAST({${type}}, {${type}}, {${type}})`]),
];

export const AGGREGATES = [
  "COUNT(*)",
  ..."{number} {text} {time} {condition}".split(" ").map((value) => `COUNT(${value})`),
  ..."{number} {text} {time}".split(" ").map((value) => `COUNT(DISTINCT ${value})`),
  ..."SUM AVG MEDIAN MAD SUM_OF_SQUARES".split(" ").map((name) => `${name}({number})`),
  // Remainders, because the variance of large doubles that are close together is only precise if it is
  // computed from a list of all values.
  ..."STDDEV_POP VAR_SAMP KURTOSIS".split(" ").map((name) => `${name}({number} % 1000)`),
  ..."MIN MAX".split(" ").flatMap((name) => [`${name}({number})`, `${name}({text})`, `${name}({bytes})`]),
  ..."FIRST LAST".split(" ").flatMap((name) => [`${name}({text}, {number})`, `${name}({number}, {time})`]),
  "PERCENTILE({number}, 33.3)",
  "PERCENTILE_RANK({number}, {digits})",
  "CASE WHEN COUNT(*) > 2 THEN MAX({text}) ELSE MIN({text}) END",
];

/** Values that are not columns. */
export const LITERALS: Record<ValueType, string> = {
  number: "{digits}",
  text: "{word}",
  time: "CAST({moment} AS TIMESTAMP)",
  condition: "{digits} {order} {digits}",
  bytes: "COALESCE({bytes}, {address})",
};
