// Bundles each process into one file: loading one file instead of 800 halves the processor time of a start.
// Packages are not bundled.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const COMMAND = "src/cli/main.ts";
/** Each thread loads a file next to that of its process. */
const THREADS = { "proof-worker": "src/sources/prover/proof-worker.ts" };
/** The demo, which the package does not contain. */
const DEMO = { "@quarry/devnet": "./devnet/demo.ts" };

/** Bundles the command of the package: `quarry.js` in the folder. */
export async function bundlePackage(folder) {
  await bundle({ quarry: COMMAND }, folder, {});
}

/** Returns the command of a checkout, including the demo. Bundles it first if a source has changed. */
export function checkoutCommand() {
  return currentBundle(COMMAND, "dist/checkout", ["src", "devnet"]);
}

/** Returns the file of a process that tests start. Bundles it first if a source has changed. */
export function testProcess(source) {
  return currentBundle(source, join("dist", source.replace(/\.ts$/, "")), ["src", "devnet", "test"]);
}

async function currentBundle(source, folder, watched) {
  const path = join(ROOT, folder, "quarry.js");
  const builtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const changedMs = Math.max(...watched.map((name) => newestChange(join(ROOT, name))));
  if (builtMs <= changedMs) await bundle({ quarry: source }, join(ROOT, folder), DEMO);
  return path;
}

function newestChange(folder) {
  const names = readdirSync(folder, { recursive: true });
  return Math.max(
    ...names.map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );
}

/**
 * Several processes may bundle the same files at once while others load them, so files are written to a
 * folder of this process and then renamed. Their time is set to the start of bundling, so a source that
 * changes meanwhile is newer.
 */
async function bundle(entries, folder, alias) {
  const { build } = await import("esbuild");
  const begun = new Date();
  const drafts = `${folder}.${process.pid}`;
  try {
    requireWritable(drafts, folder);
    await build({
      entryPoints: { ...THREADS, ...entries },
      outdir: drafts,
      absWorkingDir: ROOT,
      bundle: true,
      platform: "node",
      target: "node20",
      format: "esm",
      packages: "external",
      alias,
      sourcemap: true,
      logLevel: "warning",
    });
    mkdirSync(folder, { recursive: true });
    // The command's file is renamed last: if it is new, so are all others.
    for (const name of readdirSync(drafts).sort(
      (a, b) => Number(a === "quarry.js") - Number(b === "quarry.js"),
    )) {
      utimesSync(join(drafts, name), begun, begun);
      renameSync(join(drafts, name), join(folder, name));
    }
  } finally {
    rmSync(drafts, { recursive: true, force: true });
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
