#!/usr/bin/env node
// The engine's queries run on libuv's thread pool, whose size is read once, before its first use. With the
// default of 4 threads, four heavy queries make a light one wait for seconds. Node loads a CommonJS entry
// without the pool, so this takes effect in time.
process.env.UV_THREADPOOL_SIZE ??= "16";

const { existsSync, readdirSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

// Threads that start later run the engine's queries, at a lower priority than the event loop
// (src/lib/threads/thread-priority.ts).
const threads = "/proc/self/task";
globalThis.quarryNodeThreads = existsSync(threads) ? readdirSync(threads) : [];

// A checkout rebuilds the bundle if a source has changed; the published package has no sources.
const bundler = join(__dirname, "..", "scripts", "bundle.mjs");
const published = join(__dirname, "..", "dist", "quarry.js");

async function main() {
  const isCheckout = existsSync(bundler);
  const command = isCheckout
    ? await (await import(pathToFileURL(bundler).href)).checkoutCommand()
    : published;
  const { run } = await import(pathToFileURL(command).href);
  await run(process.argv);
}

main().catch((error) => {
  process.stderr.write(`quarry: ${error.message}\n`);
  process.exitCode = 1;
});
