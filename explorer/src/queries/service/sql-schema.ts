import { quarry } from "./client.ts";
import { settledQuestion } from "./freshness.ts";

/** Tables with their columns, functions and keywords: it changes with the service's version alone. */
export function sqlSchemaQuestion() {
  return settledQuestion(["sql schema"], (signal) => quarry.sqlSchema({ signal }));
}
