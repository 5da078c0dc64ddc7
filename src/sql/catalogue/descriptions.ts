import type { Column } from "../../schema/column.ts";
import { isKeptColumn } from "../../schema/scope.ts";
import type { Name } from "../syntax/syntax-tree.ts";
import { columnType, type ValueKind } from "../types/value-type.ts";
import { docOf, findTable, type StoredChains, tablesOf } from "./table-names.ts";
import { queryableColumn, queryableColumns } from "./visible-columns.ts";

/** An answer that depends only on the schema and the stored chains: rows of text. */
export interface CatalogueAnswer {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Answers SHOW TABLES: lists the tables that can be queried, chain by chain. */
export function describeTables(chains: StoredChains): CatalogueAnswer {
  const rows = tablesOf(chains).map((known) => [known.sqlName, docOf(known)]);
  return { columns: ["table", "description"], rows };
}

/**
 * Answers DESCRIBE: lists the columns of a table in the order of `SELECT *`, then its verdicts. Throws
 * SqlError if the table is unknown.
 */
export function describeTable(name: Name, chains: StoredChains): CatalogueAnswer {
  const { name: tableName, table, scope } = findTable(name, chains);
  const kept = queryableColumns(table).filter((column) => isKeptColumn(scope, tableName, column));
  const rows = kept.map((column) => {
    const declared = queryableColumn(table, column) as Column;
    const { doc, nullable } = declared;
    const unit = declared.kind === "time" ? "" : (declared.unit ?? "");
    return [column, answerType(declared), nullable ? "yes" : "no", unit, doc];
  });
  return { columns: ["column", "type", "nullable", "unit", "description"], rows };
}

const ANSWER_TYPES: Record<ValueKind, string> = {
  integer: "integer",
  amount: "string (decimal digits)",
  sum: "string (decimal digits)",
  double: "double",
  text: "string",
  boolean: "boolean",
  time: "string (ISO 8601)",
  bytes: "string (0x hex)",
  interval: "",
};

function answerType(column: Column): string {
  return ANSWER_TYPES[columnType(column).kind];
}
