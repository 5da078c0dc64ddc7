import { type TableName, tableOf } from "../../../src/schema/tables.ts";
import { visibleColumns } from "../../../src/sql/catalogue/visible-columns.ts";
import {
  type ColumnType,
  choicesOf,
  LITERALS,
  SHAPES,
  TYPES_OF_KINDS,
  type ValueType,
  WORDS,
  wordsOf,
} from "../../sql/support/expression-shapes.ts";
import type { Draws } from "./draws.ts";

const TABLES = [
  "logs",
  "logs",
  "transactions",
  "transactions",
  "erc20",
  "dex_trades",
] as const satisfies TableName[];

/**
 * Makes random expressions over the columns of one table. They are larger than anything that people write.
 */
export class ExpensiveExpressions {
  readonly draws: Draws;
  readonly table: string;
  /** A column with nearly as many distinct values as rows. */
  readonly key = "transaction_hash";
  readonly #columns: Record<ColumnType, string[]> = { number: [], text: [], time: [], bytes: [] };

  constructor(draws: Draws) {
    this.draws = draws;
    const name = draws.pick(TABLES);
    const declared = tableOf(name);
    this.table = `eth_${name}`;
    for (const column of visibleColumns(declared)) {
      const kind = declared.columns[column]?.kind;
      if (kind !== undefined) this.#columns[TYPES_OF_KINDS[kind]].push(column);
    }
  }

  column(): string {
    return this.#of(this.draws.pick(["number", "text", "time", "bytes"]));
  }

  /** Returns a text column, or bytes as hex text. */
  text(): string {
    return this.draws.chance(0.2) ? this.#of("text") : `CAST(${this.#of("bytes")} AS VARCHAR)`;
  }

  #of(type: ColumnType): string {
    const names = this.#columns[type];
    return names.length === 0 ? `CAST(${this.key} AS VARCHAR)` : this.draws.pick(names);
  }

  /** Returns a random expression of a type, nested up to a depth. */
  any(type: ValueType, depth = 6): string {
    const { draws } = this;
    if (depth === 0 || draws.chance(0.1)) {
      if (type === "condition") return `${this.#of("number")} > ${draws.size(1, 1_000)}`;
      return draws.chance(0.85) ? this.#of(type) : this.#written(LITERALS[type], 0);
    }
    return this.#written(draws.pick([...SHAPES[type], ...choicesOf(type)]), depth - 1);
  }

  #written(shape: string, depth: number): string {
    return shape.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (name in SHAPES) return this.any(name as ValueType, depth);
      // A literal address has the wrong length for a hash.
      if (name === "address") return this.key;
      return this.draws.pick(wordsOf(WORDS[name] ?? ""));
    });
  }

  /** Builds a string in several steps. Each step may make it longer. */
  longText(steps: number): string {
    const { draws } = this;
    let value = this.text();
    for (let step = 0; step < steps; step++) {
      const shape = draws.pick(LENGTHENING);
      value = shape
        .replaceAll("#", () => value)
        .replaceAll("~", () => this.text())
        .replaceAll("@", () => String(draws.size(1, 3_000)))
        .replaceAll("&", () => String(draws.size(1, 12)));
      if (value.length > 20_000) break;
    }
    return value;
  }

  #scanned(): string {
    return this.draws.chance(0.4) ? this.text() : this.longText(this.draws.size(1, 4));
  }

  patternMatch(): string {
    return `${this.#scanned()} ${this.match()}`;
  }

  match(): string {
    const { draws } = this;
    if (draws.chance(0.75)) return `RLIKE '${this.pattern()}'`;
    return `LIKE '${draws.list(draws.size(1, 100), () => draws.pick(["%", "_", "a", "0", "ff", "%7%", "____"]), "")}'`;
  }

  pattern(depth = 2): string {
    const { draws } = this;
    return draws
      .list(draws.size(1, 7), () => this.#patternPart(depth), "")
      .slice(0, 1_000)
      .replace(/\\$/, "");
  }

  #patternPart(depth: number): string {
    const { draws } = this;
    if (depth > 0 && draws.chance(0.2)) {
      const inner = draws.list(draws.size(1, 4), () => this.pattern(depth - 1), "|");
      return `(${inner})${draws.pick(["", "*", "+", "?", `{${draws.size(1, 4)}}`])}`;
    }
    const part = draws.pick([".", ".", "[0-9]", "[a-f]", "[^7]", "[0-9a-f]", "\\w", "\\d", "a", "0x", "ff"]);
    return part + draws.pick(["*", "*", "+", "?", "", `{${draws.size(1, 200)}}`, `{0,${draws.size(1, 30)}}`]);
  }

  search(): string {
    const { draws } = this;
    const part = draws.pick([
      `'${"f".repeat(draws.size(1, 250))}'`,
      `'${draws.size(1, 1e9)}'`,
      `LEFT(${this.text()}, ${draws.size(1, 250)})`,
    ]);
    const whole = this.#scanned();
    return draws.pick([
      `LOCATE(${part}, ${whole}) > ${draws.size(1, 1_000)}`,
      `LOCATE(${part}, ${whole}, ${draws.size(1, 1_000)}) = 7`,
      `LENGTH(REPLACE(${whole}, ${part}, ${this.text()})) > ${draws.size(1, 10_000)}`,
      `ENDS_WITH(${whole}, ${part})`,
    ]);
  }

  sortKey(): string {
    const { draws } = this;
    return draws.pick([
      this.column(),
      `REVERSE(${this.text()})`,
      `CONCAT(${this.text()}, ${this.text()})`,
      `SIN(${this.#of("number")})`,
      `REPEAT(${this.text()}, ${draws.size(1, 50)})`,
      this.any(draws.pick(["number", "text"]), 2),
    ]);
  }

  groupKey(): string {
    const { draws } = this;
    return draws.pick([
      this.key,
      this.key,
      `HISTOGRAM(record_index, ${draws.size(1, 1e6)})`,
      `LEFT(${this.text()}, ${draws.size(1, 66)})`,
      `REVERSE(CAST(${this.key} AS VARCHAR))`,
    ]);
  }

  aggregate(): string {
    const { draws } = this;
    const number = () => (draws.chance(0.5) ? this.#of("number") : this.any("number", 2));
    return draws.pick([
      `${draws.pick(["SUM", "AVG", "MEDIAN", "MAD", "SKEWNESS", "KURTOSIS", "STDDEV_POP", "SUM_OF_SQUARES"])}(${number()})`,
      `PERCENTILE(${number()}, ${draws.size(1, 99)})`,
      `COUNT(DISTINCT ${this.column()})`,
      `FIRST(${this.column()}, ${number()})`,
      this.aggregateText(),
    ]);
  }

  aggregateText(): string {
    return `${this.draws.pick(["MIN", "MAX"])}(${this.#scanned()})`;
  }

  /** Returns nested functions and operators. */
  deep(levels: number): string {
    const { draws } = this;
    let value = this.#of("number");
    for (let level = 0; level < levels; level++) {
      value = draws
        .pick(NESTING)
        .replaceAll("#", () => value)
        .replaceAll("~", () => this.#of("number"));
      if (value.length > 60_000) break;
    }
    return value;
  }

  /** Returns an expression with many arguments or terms next to each other. */
  wide(count: number): string {
    const { draws } = this;
    const term = draws.pick(TERMS);
    const items = Array.from({ length: count }, (_, i) =>
      term
        .replaceAll("#", () => this.#of("number"))
        .replaceAll("~", () => this.text())
        .replaceAll("@", () => String(i)),
    );
    return draws.pick([
      () => `GREATEST(${items.join(", ")})`,
      () => `COALESCE(${items.map((item) => `NULLIF(${item}, ${item})`).join(", ")})`,
      () => `CASE ${items.map((item) => `WHEN ${item} = 7.5 THEN 1`).join(" ")} ELSE 0 END`,
      () => inTree(items, (a, b) => `(${a} ${draws.pick(["+", "+", "-"])} ${b})`),
      () => `CAST((${items.map((item) => `${item} > 1e9`).join(" OR ")}) AS INT)`,
    ])();
  }

  list(): string {
    const { draws } = this;
    const count = draws.size(10, 7_000);
    const number = this.#of("number");
    return draws.pick([
      () =>
        `${this.key} IN (${draws.list(Math.min(count, 3_500), (i) => `'0x${(i * 7919).toString(16).padStart(64, "0")}'`)})`,
      () => `${number} IN (${draws.list(count, (i) => String(i * 31))})`,
      () =>
        draws.list(
          Math.ceil(count / 4),
          (i) => `block_number BETWEEN ${17_686_000 + 3 * i} AND ${17_686_001 + 3 * i}`,
          " OR ",
        ),
      () =>
        draws.list(Math.ceil(count / 3), (i) => `record_index % ${i + 2} = 1`, draws.pick([" OR ", " AND "])),
      () => `${this.text()} IN (${draws.list(count, (i) => `'0x${i}'`)})`,
      () =>
        `NOT (${draws.list(Math.ceil(count / 4), (i) => `timestamp < '20${10 + (i % 80)}-01-01'`, " AND ")})`,
    ])();
  }
}

const LENGTHENING = [
  "REPEAT(#, &)",
  "REPEAT(#, @)",
  "CONCAT(#, ~)",
  "CONCAT(#, #)",
  "REPLACE(#, '0', ~)",
  "REPLACE(#, 'f', 'gg')",
  "INSERT(#, @, &, ~)",
  "UCASE(#)",
  "LCASE(#)",
  "REVERSE(#)",
  "TRIM(#)",
  "CONCAT(SPACE(@), #)",
  "SUBSTRING(#, &)",
  "LEFT(#, @)",
  "RIGHT(#, @)",
  "LTRIM(#)",
  "RTRIM(CONCAT(#, SPACE(@)))",
  "COALESCE(#, ~)",
];

const NESTING = [
  "ABS(#)",
  "SIN(#)",
  "EXP(SIN(#))",
  "POWER(ABS(#), 0.5)",
  "(# + ~)",
  "(# * 1.0001)",
  "COALESCE(#, ~)",
  "ROUND(#, 3)",
  "ATAN2(#, ~)",
  "CBRT(#)",
  "NULLIF(#, ~)",
  "GREATEST(#, ~)",
  "CAST(CAST(# AS VARCHAR) AS DOUBLE)",
  "IIF(# > ~, ~, 1)",
  "LN(ABS(#) + 1)",
  "(# % 97)",
  "LENGTH(REPEAT('x', CAST(ABS(#) % 100 AS INT)))",
  "CAST(# AS BIGINT)",
  "HISTOGRAM(#, 0.5)",
  "TRUNCATE(#, 2)",
];

const TERMS = [
  "SIN(#)",
  "POWER(#, @)",
  "(# + @)",
  "(# * @ % 97)",
  "LENGTH(~)",
  "LENGTH(REVERSE(~))",
  "LENGTH(UCASE(CONCAT(~, '@')))",
  "ROUND(#, 3)",
  "CAST(CAST(# AS VARCHAR) AS DOUBLE)",
  "EXTRACT(WEEK FROM timestamp + INTERVAL @ DAY)",
  "DATE_DIFF('month', timestamp, NOW())",
  "ATAN2(#, @)",
  "ASCII(LEFT(~, 5))",
  "LENGTH(DATE_FORMAT(timestamp, '%Y-%m-%d'))",
  "(# / 3)",
];

/** Joins the items in pairs, because a chain of a + b + c is as deep as it is long. */
function inTree(items: readonly string[], join: (a: string, b: string) => string): string {
  if (items.length === 1) return items[0] ?? "1";
  const middle = Math.ceil(items.length / 2);
  return join(inTree(items.slice(0, middle), join), inTree(items.slice(middle), join));
}
