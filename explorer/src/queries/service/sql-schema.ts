import { quarry } from "./client.ts";
import { settledQuery } from "./live-query.ts";

/**
 * Reads the tables with their columns, the functions and the keywords. They change only with the service's
 * version.
 */
export function sqlSchemaQuery() {
  return settledQuery(["sql schema"], (signal) => quarry.sqlSchema({ signal }));
}
