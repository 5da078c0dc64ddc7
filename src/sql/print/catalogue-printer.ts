import { integer, join, outputName, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import type { CatalogueAnswer } from "../catalogue/descriptions.ts";

/**
 * Prints a query that returns these rows, which makes them available in every format, like the rows of any
 * other query.
 */
export function printCatalogue({ columns, rows }: CatalogueAnswer): Sql {
  const tuples = rows.map((row) => sql`tuple(${join(row.map(text))})`);
  const outputs = columns.map((name, i) => {
    const cell = sql`tupleElement(\`_row\`, ${integer(i + 1)})`;
    return sql`${cell} AS ${outputName(name)}`;
  });
  // Without rows, the type alone declares the columns.
  const type = text(`Array(Tuple(${columns.map(() => "String").join(", ")}))`);
  const all = sql`CAST(array(${join(tuples)}), ${type})`;
  return sql`SELECT ${join(outputs)} FROM (SELECT arrayJoin(${all}) AS \`_row\`)`;
}
