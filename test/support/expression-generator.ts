import fc from "fast-check";
import { AGGREGATES, choicesOf, LITERALS, SHAPES, type Sort, WORDS } from "./expression-shapes.ts";

type Columns = Record<Exclude<Sort, "condition">, string>;

/** Tables with rows in the fixture, and columns of them by their sorts. */
const TABLES: Record<string, Columns> = {
  dex_trades: {
    number:
      "log_index amount_usd amount_eth amount_token record_index price_token_usd_robust_tick_1 price_token_eth block_number",
    text: "side protocol_name token_symbol token_name",
    time: "timestamp",
    bytes: "token_address pool_address interacted_with_address block_hash",
  },
  transactions: {
    number: "nonce value_base value_eth gas_price type status max_fee_per_gas",
    text: "'eth'",
    time: "timestamp",
    bytes: "to_address contract_address input method_id",
  },
  blocks: {
    number: "size gas_used base_fee_per_gas transaction_count",
    text: "'block'",
    time: "timestamp",
    bytes: "miner extra_data",
  },
  pool_metadata: {
    number: "block_number_created fee",
    text: "protocol",
    time: "timestamp_created",
    bytes: "pool_address token_1_address",
  },
  erc20: {
    number: "log_index value_base value_usd",
    text: "token_name token_symbol",
    time: "timestamp",
    bytes: "token_address to_address",
  },
  token_balances: {
    number: "balance_base balance_token block_number",
    text: "token_symbol",
    time: "timestamp",
    bytes: "wallet_address token_address",
  },
};

type Text = fc.Arbitrary<string>;

/** One of the words of a list, which has commas or else blanks between them. */
const oneOf = (list: string): Text =>
  fc.constantFrom(...list.split(list.includes(",") ? /,(?=(?:[^']|'[^']*')*$)/ : " "));

const isSort = (name: string): name is Sort => name in SHAPES;

/** Texts in the form of a shape; what stands in braces is drawn for each place anew. */
function written(shape: string, ofSort: (sort: Sort) => Text): Text {
  const pieces = shape.split(/\{(\w+)\}/).map((piece, i) => {
    if (i % 2 === 0) return fc.constant(piece);
    return isSort(piece) ? ofSort(piece) : oneOf(WORDS[piece] ?? "");
  });
  return fc.tuple(...pieces).map((parts) => parts.join(""));
}

/** Expressions of each sort over the columns of a table. */
function expressionsOver(columns: Columns): Record<Sort, Text> {
  return fc.letrec<Record<Sort, string>>((tie) => {
    const column = (sort: Sort) =>
      sort === "condition" ? tie("number").map((n) => `${n} IS NULL`) : oneOf(columns[sort]);
    const ofSort = (sort: Sort) =>
      fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        { weight: 6, arbitrary: column(sort) },
        { weight: 2, arbitrary: written(LITERALS[sort], tie) },
        ...[...SHAPES[sort], ...choicesOf(sort)].map((shape) => written(shape, tie)),
      );
    return {
      number: ofSort("number"),
      text: ofSort("text"),
      time: ofSort("time"),
      condition: ofSort("condition"),
      bytes: ofSort("bytes"),
    };
  });
}

const VALUES = ["{number}", "{text}", "{time}", "{condition}", "{bytes}"];

function queriesOf(table: string, columns: Columns): Text {
  const sorts = expressionsOver(columns);
  const any = (shapes: readonly string[]) =>
    fc.oneof(...shapes.map((shape) => written(shape, (sort) => sorts[sort])));
  const parts = fc.record({
    distinct: fc.constantFrom("", "", "DISTINCT "),
    a: any(VALUES),
    b: any(VALUES),
    total: any(AGGREGATES),
    other: any(AGGREGATES),
    where: fc.oneof(
      fc.constant(""),
      sorts.condition.map((condition) => ` WHERE ${condition}`),
    ),
    having: oneOf("a IS NOT NULL,COUNT(*) > 1,b IS NULL OR COUNT(*) >= 2"),
    order: fc.constantFrom("1", "2", "a", "b, a", "COUNT(*), a"),
    direction: oneOf(WORDS.direction ?? ""),
    limit: fc.constantFrom("", "", " LIMIT 3", " LIMIT 4 OFFSET 2"),
  });
  const rows = parts.map(
    (q) =>
      `SELECT ${q.distinct}${q.a} AS a, ${q.b} AS b FROM eth_${table}${q.where} ORDER BY ${q.order.replace("COUNT(*)", "2")}${q.direction}${q.limit}`,
  );
  const groups = parts.map(
    (q) =>
      `SELECT ${q.a} AS a, ${q.total} AS b, ${q.other} AS c FROM eth_${table}${q.where} GROUP BY a HAVING ${q.having} ORDER BY ${q.order}${q.direction}${q.limit}`,
  );
  const totals = parts.map((q) => `SELECT ${q.total} AS a, ${q.other} AS b FROM eth_${table}${q.where}`);
  return fc.oneof({ weight: 3, arbitrary: rows }, { weight: 2, arbitrary: groups }, totals);
}

/**
 * Random queries with expressions of every sort within each other. Most are valid; some the compiler refuses, such as a choice
 * between an amount and a column of whole numbers.
 */
export const anyQueries: Text = fc.oneof(
  ...Object.entries(TABLES).map(([table, columns]) => queriesOf(table, columns)),
);
