import { quarry } from "./client.ts";
import { settledQuery } from "./live-query.ts";

/** Tables with their columns, functions and keywords; changes only with the service's version. */
export function sqlSchemaQuery() {
  return settledQuery(["sql schema"], (signal) => quarry.sqlSchema({ signal }));
}
