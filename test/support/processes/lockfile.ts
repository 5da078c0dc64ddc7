import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./processes.ts";

interface LockedPackage {
  version?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

interface Lockfile {
  /** Packages by path, such as `node_modules/zod`. The path of the project itself is "". */
  packages: Record<string, LockedPackage>;
}

export function readLockfile(): Lockfile {
  return JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
}

/** Returns the paths of the packages that the published package needs at run time, on any platform. */
export function runtimePackages({ packages }: Lockfile): string[] {
  const found = new Set<string>();
  const open = [""];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const resolved = resolvedPath(packages, path, name);
      if (resolved === null || found.has(resolved)) continue;
      found.add(resolved);
      open.push(resolved);
    }
  }
  return [...found].sort();
}

/**
 * Resolves a dependency of a package like Node: in the package's own node_modules, then in its parents'.
 * Returns null if the dependency is not locked.
 */
export function resolvedPath(packages: Lockfile["packages"], from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === "") return null;
  }
}
