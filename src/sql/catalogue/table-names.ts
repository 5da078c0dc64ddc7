import { asQuestion, nearestName } from "../../lib/names/suggestion.ts";
import type { Table } from "../../schema/table.ts";
import { PUBLIC_TABLE_NAMES, type TableName, tableOf } from "../../schema/tables.ts";
import { SqlError } from "../syntax/sql-error.ts";
import type { Name } from "../syntax/syntax-tree.ts";

export interface KnownTable {
  chain: string;
  name: TableName;
  table: Table;
}

/** Lists the public tables of all chains, with their names in SQL. */
export function tablesOf(chains: readonly string[]): (KnownTable & { sqlName: string })[] {
  return chains.flatMap((chain) =>
    PUBLIC_TABLE_NAMES.map((name) => ({ chain, name, table: tableOf(name), sqlName: `${chain}_${name}` })),
  );
}

/** Finds a table by its name, ignoring case. Throws SqlError if there is none. */
export function findTable({ text, at }: Name, chains: readonly string[]): KnownTable {
  const known = tablesOf(chains);
  const found = known.find(({ sqlName }) => sqlName.toLowerCase() === text.toLowerCase());
  if (found === undefined) {
    const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
    const names = known.map(({ sqlName }) => sqlName);
    const suggestion = nearestName(text, names);
    const advice = asQuestion(suggestion) || "; SHOW TABLES lists them";
    throw new SqlError(at, `there is no table "${shown}"${advice}`, { found: shown, suggestion });
  }
  return found;
}
