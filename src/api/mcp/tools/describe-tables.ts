import { asQuestion } from "../../../lib/names/suggestion.ts";
import type { SqlSchema } from "../../../reads/client-sql/sql-schema.ts";
import { nearestTable } from "../../../sql/catalogue/table-names.ts";
import { sqlSchemaEndpoint as endpoint } from "../../endpoints/sql/sql-schema.ts";
import { text } from "../../parameters/kinds/words.ts";
import { derived, InvalidParameter, readParameters } from "../../parameters/parameter.ts";
import { preview } from "../../parameters/preview.ts";
import { printTable, tableOf } from "../answer.ts";
import { OWN_PARAMETERS } from "../own-parameters.ts";
import type { Tool } from "../tool.ts";

const own = {
  table: derived(
    text("a table, such as eth_dex_trades"),
    "table whose columns are listed; by default, all tables are listed",
  ),
};

export const describeTables: Tool = {
  name: "describe_tables",
  title: "SQL tables",
  description:
    "The tables of the sql tool, and the functions of its dialect; with `table`, the columns of that table with types, units and an example query.",
  parameters: own,
  async run(given, ask) {
    const { table } = readParameters(own, given, OWN_PARAMETERS);
    const { body } = await ask(endpoint, {});
    const schema = body as SqlSchema;
    return table === undefined ? allTables(schema) : oneTable(schema, table);
  },
};

function allTables({ tables, functions }: SqlSchema): string {
  return printTable({
    facts: { functions: functions.map(({ signature }) => signature) },
    ...tableOf(tables.map(({ name, chain, doc }) => ({ table: name, chain, doc }))),
    narrow: "",
  });
}

function oneTable({ tables }: SqlSchema, given: string): string {
  const found = tables.find(({ name }) => name === given.trim().toLowerCase());
  if (found === undefined) throw unknownTable(given, tables);
  const { name, chain, doc, example, columns } = found;
  return printTable({
    facts: { chain, table: name, doc, example },
    ...tableOf(columns.map((column) => ({ ...column }))),
    narrow: "",
  });
}

function unknownTable(given: string, tables: SqlSchema["tables"]): InvalidParameter {
  const suggestion = nearestTable(
    given,
    tables.map(({ chain, name }) => ({ chain, sqlName: name })),
  );
  return new InvalidParameter(
    "table",
    `${preview(given)}${asQuestion(suggestion)}`,
    `one of ${tables.map(({ name }) => name).join(", ")}`,
  );
}
