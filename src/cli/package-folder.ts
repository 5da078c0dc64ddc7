import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's folder, searched upwards because sources and compiled files are at different depths. */
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

/** The folder with the built explorer; null in a checkout without a build. */
export function builtExplorer(): string | null {
  const folder = join(packageFolder(), "explorer", "dist");
  return existsSync(join(folder, "index.html")) ? folder : null;
}
