import { SQLDialect, sql } from "@codemirror/lang-sql";
import type { SqlSchema } from "@quarry/sdk";

const UNITS = "year years month months day days hour hours minute minutes second seconds";
const COMMANDS = "show tables describe desc";

/** Returns the service's SQL dialect, for syntax highlighting. */
export function dialectOf(schema: SqlSchema) {
  const names = schema.functions.flatMap(({ name, synonyms }) => [name, ...synonyms]);
  const dialect = SQLDialect.define({
    keywords: `${schema.keywords.join(" ").toLowerCase()} ${COMMANDS} ${UNITS}`,
    builtin: names.join(" ").toLowerCase(),
    identifierQuotes: '"`',
    slashComments: false,
    hashComments: false,
    operatorChars: "*+-%<>!=/:",
  });
  return sql({ dialect }).language;
}
