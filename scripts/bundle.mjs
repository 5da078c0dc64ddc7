// Bundles the files that each process loads: a process that loads one file instead of 800 needs half the CPU
// time to start. Code that is imported on demand, such as the Model Context Protocol, is in separate files.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const COMMAND = "src/cli/main.ts";
/**
 * Threads and child processes. Each loads a separate file, next to the file of the process that starts it.
 */
const STARTED = {
  "proof-worker": "src/sources/prover/proof-worker.ts",
  "decode-process": "src/sources/tables/parquet/decode-process.ts",
};
const STARTED_BY_DEMO = { "state-process": "devnet/node/state-process.ts" };
/** Options for the npm package: the packages that it depends on are not bundled, but stay in node_modules. */
const PACKAGE = { packages: "external" };
/**
 * The bundle of a checkout also contains the demo, which is not part of the package, and the npm packages.
 * Without them in the bundle, a process would load 500 more files and take twice the CPU time to start.
 * Packages with native code cannot be bundled.
 */
const CHECKOUT = {
  alias: { "@quarry/devnet": "./devnet/demo.ts" },
  external: ["chdb", "secp256k1"],
  // Packages that are not ES modules call `require` for Node's own modules.
  banner: {
    js: 'import { createRequire as __from } from "node:module"; const require = __from(import.meta.url);',
  },
};
/**
 * Inputs of every bundle: this file, and the file that npm writes whenever it changes the installed packages.
 */
const MADE_WITH = [fileURLToPath(import.meta.url), join(ROOT, "node_modules/.package-lock.json")];

/** Bundles the command of the package: `quarry.js` in the folder. */
export async function bundlePackage(folder) {
  await bundle(COMMAND, folder, { started: STARTED, packages: PACKAGE, keptMs: 1_000 });
}

/** Returns the path of a checkout's command, which includes the demo. Bundles it first if a source has changed. */
export function checkoutCommand() {
  return currentBundle(COMMAND, "dist/checkout", ["src", "devnet"]);
}

/** Returns the path of a bundled process that tests start. Bundles it first if a source has changed. */
export function testProcess(source) {
  return currentBundle(source, join("dist", source.replace(/\.ts$/, "")), ["src", "devnet", "test"]);
}

async function currentBundle(source, folder, watched) {
  const path = join(ROOT, folder, "quarry.js");
  const changedMs = Math.max(
    ...MADE_WITH.map(changeOf),
    ...watched.map((name) => newestChange(join(ROOT, name))),
  );
  if (changeOf(path) <= changedMs) {
    const started = { ...STARTED, ...STARTED_BY_DEMO };
    await bundle(source, join(ROOT, folder), { started, packages: CHECKOUT, keptMs: 86_400_000 });
  }
  return path;
}

function newestChange(folder) {
  const names = readdirSync(folder, { recursive: true });
  return Math.max(...names.map((name) => changeOf(join(folder, name))));
}

function changeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Writes a bundle. Several processes may bundle the same files at once while others load them, so each
 * process writes its files to a folder of its own and then renames them. Their modification time is set to
 * the start of bundling, so a source that changes meanwhile is newer.
 */
async function bundle(source, folder, { started, packages, keptMs }) {
  const { build, stop } = await import("esbuild");
  const begun = new Date();
  const drafts = `${folder}.${process.pid}`;
  try {
    requireWritable(drafts, folder);
    const options = {
      outdir: drafts,
      absWorkingDir: ROOT,
      bundle: true,
      splitting: true,
      platform: "node",
      target: "node20",
      format: "esm",
      sourcemap: true,
      logLevel: "warning",
      ...packages,
    };
    // The threads and child processes are built separately. Otherwise, they would load files that they share
    // with the process that starts them.
    await build({ ...options, entryPoints: started });
    await build({ ...options, entryPoints: { quarry: source } });
    mkdirSync(folder, { recursive: true });
    // The command's file is renamed last: if it is new, so are all other files.
    for (const name of readdirSync(drafts).sort(
      (a, b) => Number(a === "quarry.js") - Number(b === "quarry.js"),
    )) {
      utimesSync(join(drafts, name), begun, begun);
      renameSync(join(drafts, name), join(folder, name));
    }
    removeOlder(folder, begun.getTime() - keptMs);
  } finally {
    // Otherwise, esbuild's process lives as long as this one.
    await stop();
    rmSync(drafts, { recursive: true, force: true });
  }
}

/**
 * Removes files of earlier bundles: files that are imported on demand have a hash in their names. In a
 * checkout they stay for a day, because running processes may still import them.
 */
function removeOlder(folder, oldestMs) {
  for (const name of readdirSync(folder).filter((one) => /\.js(\.map)?$/.test(one))) {
    if (changeOf(join(folder, name)) < oldestMs) rmSync(join(folder, name), { force: true });
  }
}

function requireWritable(drafts, folder) {
  try {
    mkdirSync(drafts, { recursive: true });
  } catch (error) {
    throw new Error(
      `${folder} cannot be written (${error.code}), and the sources have changed since it was built. ` +
        "Run npx quarry --version once as the owner of the checkout.",
    );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await bundlePackage(process.argv[2] ?? join(ROOT, "dist"));
