import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

/**
 * Starts a worker thread that runs a module. If Quarry runs from its TypeScript sources, the thread must
 * register the loader of tsx first.
 *
 * @param importer URL of the module that starts the thread
 * @param name file name of the thread's module in the same folder, without its extension
 */
export function startWorker(importer: string, name: string): Worker {
  const isSource = importer.endsWith(".ts");
  const file = new URL(`./${name}.${isSource ? "ts" : "js"}`, importer);
  if (!isSource) return new Worker(file);
  const loader = new URL("index.mjs", pathToFileURL(createRequire(importer).resolve("tsx/esm/api")));
  const start = `import("${loader}").then(({ register }) => { register(); return import("${file}"); })`;
  return new Worker(start, { eval: true });
}
