// The command line from compiled files, started as bin/quarry.cjs starts that of the published package.
process.env.UV_THREADPOOL_SIZE ??= "16";

const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

import(pathToFileURL(join(__dirname, "../../../dist/src/cli/main.js")).href).then(({ run }) =>
  run(process.argv),
);
