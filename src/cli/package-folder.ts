import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../lib/package-folder.ts";

function readPackage(): { version: string; engines: { node: string } } {
  return JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8"));
}

export function version(): string {
  return readPackage().version;
}

/** Returns the oldest version of Node.js on which Quarry runs, e.g. `20.19`. */
export function oldestNode(): string {
  return readPackage().engines.node.replace(/[^\d.]/g, "");
}

/** Returns the folder with the built explorer; null in a checkout without a build. */
export function builtExplorer(): string | null {
  const folder = join(packageFolder(), "explorer", "dist");
  return existsSync(join(folder, "index.html")) ? folder : null;
}
