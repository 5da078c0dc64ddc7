/**
 * How fast are blocks indexed, compared with the least that any client must do, and with Ponder? The blocks
 * have mainnet's size, and a node in another process serves them. The runs are: fetching and parsing alone
 * (the floor), Quarry with full proof and 0 to N threads, Quarry without proof, and optionally Ponder. Each
 * run has a process of its own. All runs are repeated in several rounds, and their medians are printed.
 *
 *   npm run bench -- indexing [--blocks 160] [--warm-up-blocks 48] [--threads 2] [--rounds 3] [--ponder]
 *     [--profile FOLDER]
 *
 * --ponder installs Ponder from the npm registry into a temporary folder, and also measures it. --profile
 * writes CPU profiles of the runs with full proof and the most threads.
 */
import { loadavg } from "node:os";
import { join } from "node:path";
import { ROOT, type Running, startProcess } from "../../test/support/processes/processes.ts";
import { benchOptions } from "../support/bench-options.ts";
import { installPonder, PONDER_VERSION, runPonder } from "../support/indexing/ponder.ts";
import { EVENT_SETS, type EventSet } from "../support/indexing/ponder-project.ts";
import { type BlockSpan, type Run, runProcess } from "../support/indexing/run.ts";
import { printTable } from "../support/print-table.ts";

const options = benchOptions(
  { blocks: 160, warmUpBlocks: 48, threads: 2, rounds: 3, ponder: false, profile: "" },
  { blocks: 4, warmUpBlocks: 1, threads: 1, rounds: 1 },
);
for (const [name, min] of [
  ["blocks", 1],
  ["warmUpBlocks", 1],
  ["threads", 0],
  ["rounds", 1],
] as const)
  requireCount(name, min);

/** The targets: part of the floor's speed, cost of the proof, and multiple of Ponder's events per second. */
const [MIN_FLOOR_SHARE, MAX_PROOF_COST, MIN_PONDER_RATIO] = [0.5, 0.35, 20];

/** The node first computes the hashes of all its blocks, which takes about 20 ms per block. */
const NODE_START_MS = 300_000;

/** One kind of run, and its results so far. */
interface Variant {
  name: string;
  run(span: BlockSpan): Promise<Run>;
  runs: Run[];
}

const FLOOR = variant("floor: fetch and parse", (span) => runProcess("floor-run.ts", span));
const PROVEN = Array.from({ length: options.threads + 1 }, (_, threads) => quarry(true, threads));
const UNPROVEN = quarry(false, options.threads);
const PONDER = options.ponder ? await ponderVariants() : [];
const VARIANTS = [FLOOR, ...PROVEN, UNPROVEN, ...PONDER];

print(`load average at the start: ${loadText()}`);
const { node, span } = await startNode();
for (let round = 0; round < options.rounds; round++) {
  for (const one of VARIANTS) one.runs.push(await one.run(span));
}
await node.stop();
requireAllLogs();
print(`load average at the end: ${loadText()}; ${options.blocks} blocks per run, ${options.rounds} rounds\n`);
printRuns();
printTargets();
if (!options.ponder)
  print("\nadd --ponder to measure Ponder as well: it is installed into a temporary folder");
process.exit(0);

/** @throws RangeError if the option is not a whole number or is too low */
function requireCount(name: "blocks" | "warmUpBlocks" | "threads" | "rounds", min: number): void {
  const value = options[name];
  if (Number.isInteger(value) && value >= min) return;
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new RangeError(`--${flag}: ${value} is no whole number from ${min}`);
}

/** @throws RangeError if Quarry stored fewer or more logs than there are in the blocks */
function requireAllLogs(): void {
  const expected = FLOOR.runs[0]?.events;
  const wrong = [FLOOR, ...PROVEN, UNPROVEN].find(({ runs }) =>
    runs.some(({ events }) => events !== expected),
  );
  if (wrong !== undefined) throw new RangeError(`${wrong.name}: not every run has the same number of logs`);
}

function variant(name: string, run: Variant["run"]): Variant {
  return { name, run, runs: [] };
}

function quarry(verify: boolean, threads: number): Variant {
  const isProfiled = options.profile !== "" && verify && threads === options.threads;
  const profiling = isProfiled ? ["--cpu-prof", `--cpu-prof-dir=${options.profile}`] : [];
  const name = `Quarry, ${verify ? "full proof" : "no proof"}, threads: ${threads}`;
  return variant(name, (blocks) => runProcess("quarry-run.ts", { ...blocks, verify, threads }, profiling));
}

async function ponderVariants(): Promise<Variant[]> {
  const installed = await installPonder();
  const sets = Object.keys(EVENT_SETS) as EventSet[];
  return sets.map((events) =>
    variant(`Ponder ${PONDER_VERSION}, ${events}`, (blocks) => runPonder(installed, events, blocks)),
  );
}

async function startNode(): Promise<{ node: Running; span: BlockSpan }> {
  const { blocks, warmUpBlocks } = options;
  const file = join(ROOT, "bench/support/indexing/provable-node.ts");
  const node = startProcess(process.execPath, ["--import", "tsx", file, String(warmUpBlocks + blocks)]);
  // The node must also be stopped if a run fails.
  process.on("exit", () => node.child.kill());
  const [, url = "", first] = await node.printed(/provable node on (\S+) from block (\d+)/, NODE_START_MS);
  const from = Number(first);
  return {
    node,
    span: { url, from, measuredFrom: from + warmUpBlocks, to: from + warmUpBlocks + blocks - 1 },
  };
}

function printRuns(): void {
  const floor = speedOf(FLOOR);
  printTable(
    [
      "run",
      "blocks/s",
      "lowest to highest",
      "part of the floor, %",
      "logs or events",
      "per second",
      "CPU s per 1,000 blocks",
      "RSS, MB",
    ],
    VARIANTS.map((one) => [
      one.name,
      speedOf(one).toFixed(1),
      rangeOf(one),
      percent(speedOf(one) / floor),
      Math.max(...one.runs.map(({ events }) => events)),
      eventsPerSecond(one).toFixed(0),
      processorSeconds(one).toFixed(1),
      (median(one.runs.map(({ rssBytes }) => rssBytes)) / 1e6).toFixed(0),
    ]),
  );
}

function printTargets(): void {
  const proven = PROVEN.at(-1) ?? FLOOR;
  const cost = speedOf(UNPROVEN) / speedOf(proven) - 1;
  const processorCost = processorSeconds(proven) / processorSeconds(UNPROVEN) - 1;
  const ratios = PONDER.map((one) => [
    `events/s, full proof, multiple of ${one.name}`,
    (eventsPerSecond(proven) / eventsPerSecond(one)).toFixed(1),
    `>= ${MIN_PONDER_RATIO}`,
  ]);
  print("");
  printTable(
    ["figure", "measured", "target"],
    [
      [
        "full proof, part of the floor, %",
        percent(speedOf(proven) / speedOf(FLOOR)),
        `>= ${percent(MIN_FLOOR_SHARE)}`,
      ],
      ["cost of the proof in time, %", percent(cost), `<= ${percent(MAX_PROOF_COST)}`],
      ["cost of the proof in processor time, %", percent(processorCost), "-"],
      ...ratios,
    ],
  );
}

function speedOf({ runs }: Variant): number {
  return median(runs.map(({ seconds }) => options.blocks / seconds));
}

function rangeOf({ runs }: Variant): string {
  const speeds = runs.map(({ seconds }) => options.blocks / seconds);
  return `${Math.min(...speeds).toFixed(1)} to ${Math.max(...speeds).toFixed(1)}`;
}

function eventsPerSecond({ runs }: Variant): number {
  return median(runs.map(({ events, seconds }) => events / seconds));
}

/** Returns the processor time for 1,000 blocks. */
function processorSeconds({ runs }: Variant): number {
  return median(runs.map((run) => (1_000 * run.processorSeconds) / options.blocks));
}

function percent(part: number): string {
  return (100 * part).toFixed(0);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function loadText(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
