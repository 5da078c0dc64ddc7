/**
 * Completes package-lock.json after `npm install`, which drops or shortens the entries of packages for
 * platforms that it cannot look up. Restores entries from the committed lockfile, and reads missing checksums
 * from the registry. If some are still missing, names them and exits with 1.
 *
 *   npm run lockfile
 */
import { execFile, execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";

const FILE = "package-lock.json";
/** Number of parallel requests. Each is a process that waits for the registry. */
const PARALLEL_REQUESTS = 4;

const lockfile = JSON.parse(readFileSync(FILE, "utf8"));
const lost = restoreLost(lockfile.packages, committedPackages());
const incomplete = Object.entries(lockfile.packages).filter(([path, entry]) => needsChecksum(path, entry));
const failed = await inParallel(incomplete, complete);
const { "": root, ...packages } = lockfile.packages;
const ordered = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, "en"));
lockfile.packages = { "": root, ...Object.fromEntries(ordered) };
writeFileSync(FILE, `${JSON.stringify(lockfile, null, 2)}\n`);
report();

function committedPackages() {
  return JSON.parse(execFileSync("git", ["show", `HEAD:./${FILE}`], { encoding: "utf8", maxBuffer: 2 ** 26 }))
    .packages;
}

/**
 * Adds optional dependencies that have no entry. Returns the dependencies that the committed lockfile also
 * lacks.
 */
function restoreLost(packages, committed) {
  const missing = [];
  for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, wanted] of Object.entries(optionalDependencies)) {
      if (isLocked(packages, path, name)) continue;
      const before = `node_modules/${name}`;
      const isSame = committed[path]?.optionalDependencies?.[name] === wanted && before in committed;
      if (isSame) packages[before] = committed[before];
      else missing.push(`${name}@${wanted}, an optional dependency of ${path.replace("node_modules/", "")}`);
    }
  }
  return missing;
}

/**
 * Returns true if a package can find a dependency as Node does: in its own node_modules folder or in a parent
 * folder's.
 */
function isLocked(packages, path, name) {
  for (let folder = path; folder !== ""; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    if (`${folder}/node_modules/${name}` in packages) return true;
  }
  return `node_modules/${name}` in packages;
}

function needsChecksum(path, { link, inBundle, integrity }) {
  return path.includes("node_modules/") && !link && !inBundle && integrity === undefined;
}

/**
 * Fills in the checksum and the platforms of a package. Returns the reason if this fails, and null otherwise.
 */
async function complete([path, entry]) {
  const name = `${path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)}@${entry.version}`;
  try {
    const fields = ["dist.integrity", "cpu", "libc", "license", "os", "name"];
    const { stdout } = await promisify(execFile)("npm", ["view", name, "--json", ...fields]);
    const { "dist.integrity": integrity, name: _, ...platform } = JSON.parse(stdout);
    if (typeof integrity !== "string") return `${name}: the registry has no checksum`;
    const { version, resolved, ...rest } = entry;
    for (const key of Object.keys(entry)) delete entry[key];
    Object.assign(entry, { version, ...(resolved && { resolved }), integrity, ...platform, ...rest });
    return null;
  } catch (error) {
    return `${name}: ${reasonOf(error)}`;
  }
}

function reasonOf({ stderr = "", message }) {
  return /npm error code (\S+)/.exec(stderr)?.[1] ?? message.split("\n")[0];
}

async function inParallel(entries, run) {
  const waiting = [...entries];
  const results = [];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results.push(await run(next));
  };
  await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, worker));
  return results.filter((result) => result !== null).sort();
}

function report() {
  console.log(`${incomplete.length - failed.length} of ${incomplete.length} missing checksums filled in`);
  for (const name of failed) console.error(`no checksum  ${name}`);
  for (const name of lost) console.error(`no entry     ${name}`);
  if (failed.length + lost.length > 0) process.exitCode = 1;
}
