import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The standard streams are ignored: operators do not need the stack trace of a process that exits. */
const SILENT = ["ignore", "ignore", "ignore", "ipc"] as const;

/**
 * Starts a process that runs a module and exchanges messages with this one. If Quarry runs from its
 * TypeScript sources, the new process must register the loader of tsx first.
 *
 * @param importer URL of the module that starts the process
 * @param name file name of the process's module in the same folder, without its extension
 * @param heapMiB limit on the JavaScript heap; the process exits if it needs more
 * @param args command-line arguments of the process
 */
export function startProcess(
  importer: string,
  name: string,
  heapMiB: number,
  args: string[] = [],
): ChildProcess {
  const isSource = importer.endsWith(".ts");
  const file = new URL(`./${name}.${isSource ? "ts" : "js"}`, importer);
  const loader = isSource ? ["--import", pathToFileURL(createRequire(importer).resolve("tsx")).href] : [];
  return fork(fileURLToPath(file), args, {
    execArgv: [`--max-old-space-size=${heapMiB}`, ...loader],
    // The new process only reads files for this one, so it needs none of the settings and secrets.
    env: {},
    serialization: "advanced",
    stdio: [...SILENT],
  });
}
