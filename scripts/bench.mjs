/**
 * Runs benchmarks with the Node options and the environment that they need.
 *
 *   npm run bench -- NAME [options]     one benchmark: NAME.ts in bench, or in its folders backfill, live or sql
 *   npm run bench:smoke [-- NAME...]    all benchmarks, or the given ones, with tiny data; fails if one does
 *                                       not print a table of finite figures
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
/** Folders with benchmarks. */
const FOLDERS = ["bench", "bench/backfill", "bench/live", "bench/sql"];
const FILES = new Map(
  FOLDERS.flatMap((folder) => readdirSync(join(ROOT, folder)).map((file) => [folder, file]))
    .filter(([, file]) => file.endsWith(".ts"))
    .map(([folder, file]) => [file.slice(0, -3), join(ROOT, folder, file)]),
);
const NAMES = [...FILES.keys()];
/** Benchmarks whose queries also run on PostgreSQL if it is installed. */
const WITH_POSTGRES = ["interface", "prices", "serving"];
/**
 * Number of smoke runs at a time. They can run together, because they mostly wait for processes to start and
 * their figures have no meaning.
 */
const AT_ONCE = 2;
const NOT_FIGURES = /\bNaN\b|\bInfinity\b|\bundefined\b|\bFAILED\b|\bNO: /;

const [first, ...rest] = process.argv.slice(2);
process.exitCode = first === "--smoke" ? await smokeAll(rest) : await runOne(first, rest);

async function runOne(name, options) {
  if (!isKnown(name)) return 2;
  const { code } = await run(name, options, "inherit");
  return code;
}

function isKnown(name) {
  if (NAMES.includes(name)) return true;
  const problem =
    name === undefined ? "usage: npm run bench -- NAME [options]" : `no benchmark is called "${name}"`;
  console.error(`${problem}\nbenchmarks: ${NAMES.join(", ")}`);
  return false;
}

async function smokeAll(named) {
  if (!named.every(isKnown)) return 2;
  const waiting = named.length > 0 ? named : [...NAMES];
  let isPassed = true;
  const runWaiting = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      isPassed = (await smoke(name)) && isPassed;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));
  return isPassed ? 0 : 1;
}

async function smoke(name) {
  const startedMs = Date.now();
  const hasPostgres = !WITH_POSTGRES.includes(name) || existsSync("/usr/lib/postgresql");
  if (!hasPostgres) console.log(`        ${name}: PostgreSQL is not installed, its columns are left out`);
  const options = ["--smoke", ...(hasPostgres ? [] : ["--no-postgres"])];
  const { code, output, errors } = await run(name, options, "pipe");
  const problem = code === 0 ? problemOf(output) : `exit code ${code}`;
  const seconds = Math.round((Date.now() - startedMs) / 1000);
  console.log(`${problem === null ? "passed" : "FAILED"}  ${name}  ${seconds} s`);
  if (problem !== null) console.error(`${problem}\n${output}\n${errors}`);
  return problem === null;
}

function run(name, options, stdio) {
  const args = ["--import", "tsx", FILES.get(name), ...options];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, UV_THREADPOOL_SIZE: "16" },
    stdio,
  });
  let output = "";
  let errors = "";
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (errors += chunk));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code: code ?? 1, output, errors })));
}

/** Returns the reason why an output is not valid output of a benchmark, or null if it is valid. */
function problemOf(output) {
  const wrong = output.split("\n").find((line) => NOT_FIGURES.test(line));
  if (wrong !== undefined) return `not a figure: ${wrong}`;
  const tables = output
    .split(/\n(?!\|)/)
    .map((part) => part.split("\n").filter((line) => line.startsWith("|")))
    .filter((lines) => lines.length > 0);
  if (tables.length === 0) return "it printed no table";
  for (const [head, , ...rows] of tables) {
    const width = head.split("|").length;
    if (rows.length === 0) return `a table has no rows: ${head}`;
    const bad = rows.find((row) => row.split("|").length !== width || !/\d/.test(row));
    if (bad !== undefined) return `a row without a figure, or of other columns than its head: ${bad}`;
  }
  return null;
}
