import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's version, found upwards from here: sources and compiled files lie at different depths. */
export function version(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
}
