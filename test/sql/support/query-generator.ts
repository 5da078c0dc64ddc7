import fc from "fast-check";
import type { Column } from "../../../src/schema/column.ts";
import { type TableName, tableOf } from "../../../src/schema/tables.ts";
import { visibleColumns } from "../../../src/sql/catalogue/visible-columns.ts";

/** Tables of the fixture that have rows. Random queries over them are valid by construction. */
const TABLES: TableName[] = ["blocks", "transactions", "dex_trades", "erc20", "pool_metadata"];

type Text = fc.Arbitrary<string>;

const NUMBERS = new Set<Column["kind"]>(["integer", "uint64", "small", "wei", "amount", "double"]);
const BYTES: Partial<Record<Column["kind"], number>> = { address: 20, hash: 32, pool_id: 32 };

const intervals: Text = fc.oneof(
  fc
    .tuple(
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom("YEAR", "MONTHS", "day", "Hours", "MINUTE", "second"),
    )
    .map(([count, unit]) => `INTERVAL ${count} ${unit}`),
  fc.constantFrom("INTERVAL '1-2' YEAR TO MONTH", "INTERVAL '3 4:05:06' DAY TO SECOND", "INTERVAL '6' MONTH"),
);

const numberLiterals: Text = fc.oneof(
  fc.integer({ min: 0, max: 1_000 }).map(String),
  fc.double({ min: 0, max: 1e9, noNaN: true }).map(String),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
  fc.constantFrom("1e18", "0.5", "9007199254740993", "18446744073709551616", "1000000000000000000.0"),
);

const timeLiterals: Text = fc.oneof(
  fc.integer({ min: -10, max: 5_000_000_000 }).map(String),
  fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => `'${new Date(seconds * 1000).toISOString()}'`),
  intervals.map((interval) => `NOW() - ${interval}`),
  fc.constantFrom("'2024-02-29'", "'2024-02-29 00:00:00.5'", "NOW()"),
);

const texts: Text = fc
  .oneof(
    fc.string({ maxLength: 8, unit: "grapheme" }),
    fc.constantFrom("buy", "ALPHA", "it's", "100%_\\", "%", "_"),
  )
  .map((text) => `'${text.replaceAll("'", "''")}'`);

const signs = fc.constantFrom("=", "<>", "<", "<=", ">", ">=");
const rangeSigns = fc.constantFrom("<", "<=", ">", ">=");

interface Grammar {
  columns: readonly string[];
  times: string[];
  numbers: Text;
  conditions: Text;
  aggregates: Text;
}

/** # means a number, and ~ means another number. */
const NUMBER_SHAPES = [
  ..."-(#)|ABS(#)|SIGN(#)|CEIL(#)|FLOOR(#)|ROUND(#)|ROUND(#, 3)|ROUND(#, -2)|TRUNCATE(#, -1)|TRUNCATE(#, 2)".split(
    "|",
  ),
  ..."SQRT(#)|CBRT(#)|EXPM1(#)|LN(#)|LOG10(#)|EXP(#)|POWER(#, ~)|MOD(#, ~)|ATAN2(#, ~)|COT(#)|DEGREES(#)|COALESCE(#, 0)".split(
    "|",
  ),
  ..."IFNULL(#, NULL)|NULLIF(#, ~)|GREATEST(#, 7, NULL)|LEAST(#, 7)|IIF(# > ~, #)|IIF(# <= ~, #, 3)|(#)::DOUBLE".split(
    "|",
  ),
  ..."CAST(# AS BIGINT)|CAST(CAST(# AS VARCHAR) AS DOUBLE)|CASE WHEN # > ~ THEN # WHEN ~ IS NULL THEN 1 ELSE NULL END".split(
    "|",
  ),
  ..."CASE # WHEN ~ THEN 1.5 ELSE 2 END|LENGTH(CAST(# AS VARCHAR))|(# > ~)::INT".split("|"),
];

function fill([shape, first, second]: [string, string, string]): string {
  return shape.replaceAll("#", () => first).replaceAll("~", () => second);
}

const PARTS = ["YEAR", "QUARTER", "WEEK", "ISO_WEEK", "DOW", "DOY", "MINUTE_OF_DAY", "SECOND"];
const UNITS = ["year", "quarter", "month", "week", "day", "hours", "mi", "ss"];

function ofTimes(times: readonly string[]): Text[] {
  if (times.length === 0) return [];
  const time = fc.constantFrom(...times);
  return [
    fc.tuple(fc.constantFrom(...PARTS), time).map(([part, t]) => `EXTRACT(${part} FROM ${t})`),
    fc.tuple(fc.constantFrom(...UNITS), time).map(([unit, t]) => `DATE_DIFF('${unit}', ${t}, NOW())`),
    fc
      .tuple(fc.constantFrom(...UNITS), fc.integer({ min: -500, max: 500 }), time)
      .map(
        ([unit, count, t]) => `CAST(DATE_ADD('${unit}', ${count}, DATE_TRUNC('${unit}', ${t})) AS BIGINT)`,
      ),
  ];
}

const TEXT_SHAPES =
  "LENGTH(#)|LOCATE('a', #, 2)|OCTET_LENGTH(LCASE(#))|LENGTH(CONCAT(#, NULLIF(#, 'buy')))|CAST(RIGHT(#, 1) AS BIGINT)|LENGTH(REVERSE(COALESCE(#, 'x')))|BIT_LENGTH(REPEAT(#, 3))|LENGTH(INSERT(#, 2, 3, 'of'))".split(
    "|",
  );

function ofTexts(columns: readonly string[]): Text[] {
  if (columns.length === 0) return [];
  return [
    fc
      .tuple(fc.constantFrom(...TEXT_SHAPES), fc.constantFrom(...columns))
      .map(([shape, column]) => shape.replaceAll("#", column)),
  ];
}

function conditionsOf(predicates: Text[]): Text {
  return fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      ...predicates,
      fc
        .tuple(tie("condition"), fc.constantFrom("AND", "OR"), tie("condition"))
        .map((parts) => `(${parts.join(" ")})`),
      tie("condition").map((inner) => `NOT (${inner})`),
      fc
        .tuple(tie("condition"), tie("condition"))
        .map(([first, second]) => `CASE WHEN ${first} THEN ${second} ELSE FALSE END`),
    ),
  })).condition;
}

function aggregatesOf(columns: readonly string[], numbers: Text): Text {
  return fc.oneof(
    fc.constant("COUNT(*)"),
    fc
      .tuple(
        fc.constantFrom(
          "SUM",
          "AVG",
          "MIN",
          "MAX",
          "COUNT",
          "MEDIAN",
          "VAR_POP",
          "KURTOSIS",
          "MAD",
          "SUM_OF_SQUARES",
        ),
        numbers,
      )
      .map(([f, a]) => `${f}(${a})`),
    fc
      .tuple(fc.constantFrom("MIN", "MAX", "COUNT"), fc.constantFrom(...columns))
      .map(([f, a]) => `${f}(${a})`),
    fc.constantFrom(...columns).map((column) => `COUNT(DISTINCT ${column})`),
    numbers.map((a) => `PERCENTILE(${a}, 12.5)`),
    numbers.map((a) => `PERCENTILE_RANK(${a}, 1000)`),
    fc
      .tuple(fc.constantFrom("FIRST", "LAST"), fc.constantFrom(...columns), numbers)
      .map(([f, column, order]) => `${f}(${column}, ${order})`),
    numbers.map((a) => `COALESCE(SUM(${a}), 0)`),
  );
}

function grammarOf(name: TableName): Grammar {
  const table = tableOf(name);
  const columns = visibleColumns(table);
  const ofKind = (test: (kind: Column["kind"]) => boolean) =>
    columns.filter((column) => test(table.columns[column]?.kind ?? "text"));
  const numberColumns = fc.constantFrom(...ofKind((kind) => NUMBERS.has(kind)));
  const times = ofKind((kind) => kind === "time");
  const textColumns = ofKind((kind) => kind === "text" || kind === "label");
  const bytesColumns = ofKind((kind) => kind in BYTES);
  const numbers = fc.letrec<{ number: string }>((tie) => ({
    number: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      numberColumns,
      numberLiterals,
      ...ofTimes(times),
      ...ofTexts(textColumns),
      fc
        .tuple(tie("number"), fc.constantFrom(..."+-*/%"), tie("number"))
        .map(([a, sign, b]) => `(${a} ${sign} ${b})`),
      fc.tuple(tie("number"), fc.integer({ min: 1, max: 99 })).map(([a, step]) => `HISTOGRAM(${a}, ${step})`),
      fc.tuple(fc.constantFrom(...NUMBER_SHAPES), tie("number"), tie("number")).map(fill),
    ),
  })).number;
  const predicates: Text[] = [
    fc.tuple(numbers, signs, numbers).map((parts) => parts.join(" ")),
    fc
      .tuple(numbers, numberLiterals, numberLiterals)
      .map(([a, low, high]) => `${a} BETWEEN ${low} AND ${high}`),
    fc
      .tuple(numberColumns, fc.array(numberLiterals, { minLength: 1, maxLength: 4 }))
      .map(([a, list]) => `${a} IN (${list})`),
    fc.constantFrom(...columns).map((column) => `${column} IS NOT NULL`),
    fc.constantFrom("TRUE", "1 = 2"),
  ];
  if (times.length > 0) {
    const time = fc.constantFrom(...times);
    predicates.push(fc.tuple(time, rangeSigns, timeLiterals).map((parts) => parts.join(" ")));
    predicates.push(fc.tuple(timeLiterals, rangeSigns, time).map((parts) => parts.join(" ")));
    predicates.push(
      fc.tuple(time, intervals, timeLiterals).map(([t, span, bound]) => `${t} + ${span} < ${bound}`),
    );
    predicates.push(
      fc
        .tuple(time, fc.constantFrom(...UNITS), timeLiterals)
        .map(([t, unit, bound]) => `GREATEST(DATE_TRUNC('${unit}', ${t}), TODAY()) >= ${bound}`),
    );
  }
  if (textColumns.length > 0) {
    const text = fc.constantFrom(...textColumns);
    predicates.push(fc.tuple(text, signs, texts).map((parts) => parts.join(" ")));
    predicates.push(fc.tuple(text, texts).map(([column, pattern]) => `${column} NOT LIKE ${pattern}`));
    predicates.push(text.map((column) => `${column} RLIKE '([a-z]{2,}|.)+_?\\d*'`));
    predicates.push(
      fc.tuple(text, signs, texts).map(([column, sign, value]) => `LEFT(${column}, 3) ${sign} ${value}`),
    );
  }
  if (bytesColumns.length > 0) {
    const bytes = fc.constantFrom(...bytesColumns).map((column) => {
      return `${column} <> '0x${"0F".repeat(BYTES[table.columns[column]?.kind ?? "hash"] ?? 32)}'`;
    });
    predicates.push(bytes);
  }
  return {
    columns,
    times,
    numbers,
    conditions: conditionsOf(predicates),
    aggregates: aggregatesOf(columns, numbers),
  };
}

const GRAMMARS = TABLES.map((table) => ({ table, ...grammarOf(table) }));

/** Draws a table and a condition on its rows. */
export const filters: fc.Arbitrary<{ table: string; condition: string }> = fc
  .constantFrom(...GRAMMARS)
  .chain(({ table, conditions }) => conditions.map((condition) => ({ table: `eth_${table}`, condition })));

/** Draws a table, a condition on its rows, and a number for each row. */
export const numberedRows: fc.Arbitrary<{ table: string; condition: string; number: string }> = fc
  .constantFrom(...GRAMMARS)
  .chain(({ table, conditions, numbers }) =>
    fc.record({ table: fc.constant(`eth_${table}`), condition: conditions, number: numbers }),
  );

/** Draws a table, a condition, and buckets of its rows. */
export const buckets: fc.Arbitrary<{ table: string; condition: string; bucket: string }> = fc
  .constantFrom(...GRAMMARS)
  .chain(({ table, conditions, numbers, times }) => {
    const ofNumbers = fc
      .tuple(numbers, fc.constantFrom("1", "7", "0.25"))
      .map(([number, step]) => `HISTOGRAM(${number} + record_index * 0, ${step})`);
    const ofTime = fc
      .tuple(fc.constantFrom(...times, ...times), intervals)
      .map((parts) => `HISTOGRAM(${parts.join(", ")})`);
    const bucket = times.length === 0 ? ofNumbers : fc.oneof(ofNumbers, ofTime);
    return fc.record({ table: fc.constant(`eth_${table}`), condition: conditions, bucket });
  });

const rowQueries: Text = fc.constantFrom(...GRAMMARS).chain(({ table, columns, numbers, conditions }) =>
  fc
    .record({
      distinct: fc.boolean(),
      column: fc.constantFrom(...columns),
      number: numbers,
      condition: conditions,
      flag: conditions,
      order: fc.constantFrom("1", "2 DESC", "c", "n ASC NULLS FIRST", "1, 2 DESC"),
      limit: fc.nat(20),
    })
    .map(
      (q) =>
        `SELECT ${q.distinct ? "DISTINCT " : ""}${q.column} c, ${q.number} AS n, ${q.flag} AS f FROM eth_${table} ` +
        `WHERE ${q.condition} ORDER BY ${q.order} LIMIT ${q.limit} OFFSET ${q.limit % 3}`,
    ),
);

const groupQueries: Text = fc.constantFrom(...GRAMMARS).chain(({ table, columns, conditions, aggregates }) =>
  fc
    .record({
      key: fc.constantFrom(...columns),
      first: aggregates,
      second: aggregates,
      condition: conditions,
      order: fc.constantFrom("1", "2 DESC", "a", "b DESC, 1", "COUNT(*)"),
    })
    .map(
      (q) =>
        `SELECT ${q.key}, ${q.first} AS a, ${q.second} AS b FROM eth_${table} WHERE ${q.condition} ` +
        `GROUP BY ${q.key} HAVING ${q.first} IS NOT NULL OR COUNT(*) > 1 ORDER BY ${q.order}`,
    ),
);

export const validQueries: Text = fc.oneof(rowQueries, groupQueries);
