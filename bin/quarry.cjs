#!/usr/bin/env node
// The engine's queries run on libuv's thread pool, whose size is read once, before its first use. With the
// default of 4 threads, four heavy queries make a light one wait for seconds. A CommonJS entry is loaded
// without the pool, so this comes in time.
process.env.UV_THREADPOOL_SIZE ??= "16";

const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

// A checkout runs its sources; the published package has only the compiled ones.
const source = join(__dirname, "..", "src", "cli", "main.ts");
const compiled = join(__dirname, "..", "dist", "src", "cli", "main.js");

async function main() {
  const fromSource = existsSync(source);
  if (fromSource) (await import("tsx/esm/api")).register();
  const { run } = await import(pathToFileURL(fromSource ? source : compiled).href);
  await run(process.argv);
}

main();
