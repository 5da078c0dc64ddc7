/**
 * Runs slow tests for a limited time, for CI: node scripts/slow-tests.mjs SECONDS REPORTS
 *
 * The files with `always` in test/support/slow-files.json run first, even beyond the limit. The others follow
 * in an order that depends on the commit, so that over several commits each gets its turn. A file that would
 * probably end after the limit is not started. The files that were not run are listed. Writes vitest's
 * reports and logs to the folder REPORTS. Exits with 1 if a test failed. `npm run test:all` runs all files.
 */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");
/**
 * Number of processes at a time. It may exceed the number of cores, because many tests wait for processes and
 * timers.
 */
const AT_ONCE = 4;
/**
 * Small files share a process until it is expected to take this many seconds, because each process takes a
 * few seconds to start.
 */
const GROUP_SECONDS = 45;
/**
 * Expected ratio of a file's time to its time in slow-files.json, until some files have run on this machine.
 */
const FIRST_PACE = 2.5;
/** Factor by which a file may exceed its expected time. */
const MARGIN = 1.2;
/** Processes that still run this long after the limit are ended, and their files are listed as not run. */
const GRACE_MS = 60_000;

const [seconds, reports] = process.argv.slice(2);
if (!(Number(seconds) > 0) || reports === undefined) {
  console.error("usage: node scripts/slow-tests.mjs SECONDS REPORTS");
  process.exit(2);
}
const startedMs = Date.now();
const limitMs = startedMs + Number(seconds) * 1000;
const files = JSON.parse(readFileSync(join(ROOT, "test/support/slow-files.json"), "utf8"));
const first = files.filter(({ always }) => always).toSorted((a, b) => b.seconds - a.seconds);
const others = files.filter(({ always }) => !always);
const waiting = [...groupsOf(first), ...groupsOf(inOrderOf(commit(), others))];
const done = { ms: 0, expectedMs: 0, files: 0 };
let groups = 0;
let isPassed = true;

await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));
const missing = waiting.flatMap((group) => group.files);
console.log(`${done.files} of ${files.length} slow files have run, in ${minutesSince(startedMs)} min`);
if (missing.length > 0) {
  console.log(`no time for ${missing.length}; npm run test:all runs them:\n  ${missing.join("\n  ")}`);
}
process.exitCode = isPassed ? 0 : 1;

async function runWaiting() {
  for (let group = nextGroup(); group !== undefined; group = nextGroup()) {
    const isComplete = await run(group);
    if (!isComplete) waiting.push(group);
  }
}

/** Removes and returns the first waiting group that always runs or can still end in time. */
function nextGroup() {
  const pace = done.expectedMs === 0 ? FIRST_PACE : done.ms / done.expectedMs;
  const endsInTime = ({ ms }) => Date.now() + ms * pace * MARGIN <= limitMs;
  const place = waiting.findIndex((group) => group.always || endsInTime(group));
  return place === -1 ? undefined : waiting.splice(place, 1)[0];
}

/** Runs the files of a group, and counts its time. Resolves to false if the group had to be ended. */
async function run(group) {
  const began = Date.now();
  const name = join(reports, `slow-${++groups}`);
  const code = await vitest(group, name);
  if (code === null) return false;
  done.ms += Date.now() - began;
  done.expectedMs += group.ms;
  done.files += group.files.length;
  console.log(`${code === 0 ? "passed" : "FAILED"}  ${group.files.join(" ")}  ${minutesSince(began)} min`);
  if (code !== 0) {
    console.log(readFileSync(`${name}.log`, "utf8"));
    isPassed = false;
  }
  return true;
}

/**
 * Runs test files, and writes a report and a log. Resolves to the exit code, or to null if the run was killed
 * at the time limit.
 */
function vitest({ files: named, always }, name) {
  // The cache is one file, which several processes cannot write at the same time.
  const options = ["--project=slow", "--maxWorkers=1", "--cache=false"];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${name}.json`];
  const log = openSync(`${name}.log`, "w");
  const child = spawn(process.execPath, [VITEST, "run", ...options, ...reporters, ...named], {
    cwd: ROOT,
    // A process group of its own, so that it can be ended together with the processes that its tests have
    // started.
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  let isEnded = false;
  const end = () => {
    isEnded = true;
    process.kill(-child.pid, "SIGKILL");
  };
  const timer = always ? undefined : setTimeout(end, limitMs + GRACE_MS - Date.now());
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      clearTimeout(timer);
      resolve(isEnded ? null : (code ?? 1));
    });
  });
}

function groupsOf(ofFiles) {
  const made = [];
  for (const { file, seconds: expected, always = false } of ofFiles) {
    const last = made.at(-1);
    if (last !== undefined && last.ms < GROUP_SECONDS * 1000) {
      last.files.push(file);
      last.ms += expected * 1000;
    } else {
      made.push({ files: [file], ms: expected * 1000, always });
    }
  }
  return made;
}

function inOrderOf(seed, ofFiles) {
  const place = ({ file }) => createHash("sha256").update(`${seed} ${file}`).digest("hex");
  return ofFiles.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}

function commit() {
  return execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim();
}

function minutesSince(ms) {
  return ((Date.now() - ms) / 60_000).toFixed(1);
}
