import { quarry } from "./client.ts";
import { settledQuery } from "./live-query.ts";

/** Tables with their columns, functions and keywords: it changes with the service's version alone. */
export function sqlSchemaQuery() {
  return settledQuery(["sql schema"], (signal) => quarry.sqlSchema({ signal }));
}
