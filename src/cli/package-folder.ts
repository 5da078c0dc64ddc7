import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's folder, found upwards from here: sources and compiled files lie at different depths. */
function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

function readPackage(): { version: string; engines: { node: string } } {
  return JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8"));
}

export function version(): string {
  return readPackage().version;
}

/** Oldest Node.js that Quarry runs on, e.g. `20.19`. */
export function oldestNode(): string {
  return readPackage().engines.node.replace(/[^\d.]/g, "");
}

/** The folder of the explorer's built files; null in a checkout that has not built it. */
export function builtExplorer(): string | null {
  const folder = join(packageFolder(), "explorer", "dist");
  return existsSync(join(folder, "index.html")) ? folder : null;
}
