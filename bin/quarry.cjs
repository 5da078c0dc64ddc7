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
if (existsSync(source)) require("tsx/esm/api").register();
const main = existsSync(source) ? source : join(__dirname, "..", "dist", "src", "cli", "main.js");

import(pathToFileURL(main).href).then(({ run }) => run(process.argv));
