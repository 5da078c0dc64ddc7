import { asQuestion, editDistance, nearestName } from "../../lib/names/suggestion.ts";
import { completeFrom, isKept, notKeptReason, type StoredScope } from "../../schema/scope.ts";
import type { Table } from "../../schema/table.ts";
import { PUBLIC_TABLE_NAMES, type TableName, tableOf } from "../../schema/tables.ts";
import { SqlError } from "../syntax/sql-error.ts";
import type { Name } from "../syntax/syntax-tree.ts";

/** The chains whose tables can be queried, each with its stored scope. */
export type StoredChains = readonly { name: string; scope: StoredScope }[];

export interface KnownTable {
  chain: string;
  name: TableName;
  table: Table;
  scope: StoredScope;
}

/** Lists the stored public tables of all chains, with their names in SQL. */
export function tablesOf(chains: StoredChains): (KnownTable & { sqlName: string })[] {
  return allTablesOf(chains).filter(({ scope, name }) => isKept(scope, name));
}

function allTablesOf(chains: StoredChains): (KnownTable & { sqlName: string })[] {
  return chains.flatMap(({ name: chain, scope }) =>
    PUBLIC_TABLE_NAMES.map((name) => {
      return { chain, name, table: tableOf(name), scope, sqlName: `${chain}_${name}` };
    }),
  );
}

/** Returns the description of a table, including which of its rows were pruned. */
export function docOf({ name, table, scope }: KnownTable): string {
  const from = completeFrom(scope, name) ?? 0;
  return from === 0 ? table.doc : `${table.doc} Rows of blocks before ${from} were pruned.`;
}

/** Maximum number of characters of a table's name that are compared, and shown in errors. */
const MAX_NAME = 60;

/** Finds a table by name, ignoring case. Throws SqlError if there is none or if it is not stored. */
export function findTable({ text, at }: Name, chains: StoredChains): KnownTable {
  const known = allTablesOf(chains);
  const found = known.find(({ sqlName }) => sqlName.toLowerCase() === text.toLowerCase());
  if (found === undefined) {
    const shown = text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text;
    const suggestion = nearestTable(text, tablesOf(chains));
    const advice = asQuestion(suggestion) || indexedChains(text, chains) || "; SHOW TABLES lists them";
    throw new SqlError(at, `there is no table "${shown}"${advice}`, { found: shown, suggestion });
  }
  if (!isKept(found.scope, found.name))
    throw new SqlError(at, `${found.sqlName} ${notKeptReason(found.scope)}`);
  return found;
}

/**
 * Returns the SQL name of the nearest table, or null. Never suggests a table of another chain: a client that
 * queries Base and accepts a suggested table of Ethereum would get the wrong rows.
 */
export function nearestTable(
  text: string,
  tables: readonly { chain: string; sqlName: string }[],
): string | null {
  const lower = text.slice(0, MAX_NAME).toLowerCase();
  const prefix = lower.split("_", 1)[0] ?? "";
  const ofChain = tables.filter(
    ({ chain, sqlName }) =>
      lower.startsWith(chain) ||
      editDistance(prefix, chain) <= 1 ||
      editDistance(lower, sqlName.slice(chain.length + 1)) <= 2,
  );
  return nearestName(
    text,
    ofChain.map(({ sqlName }) => sqlName),
  );
}

/** Lists the indexed chains if the text names a table of another chain; otherwise returns an empty string. */
function indexedChains(text: string, chains: StoredChains): string {
  const isTable = PUBLIC_TABLE_NAMES.some((name) => text.toLowerCase().endsWith(`_${name}`));
  return isTable ? `; the indexed chains are: ${chains.map(({ name }) => name).join(", ")}` : "";
}
