/**
 * Makes the excerpt of recorded chain data in this folder, and counts.json, from the full bundles:
 *
 *   npm run test-data -- FOLDER        FOLDER holds mainnet-17686110, usdc-weth-2024-01-05-am, ...
 */
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { countBundle } from "./count-bundle.ts";
import { readGzLines, readJson, writeGzLines, writeJson } from "./recorded-lines.ts";

const TARGET = resolve(import.meta.dirname, "..");

const MAINNET = "mainnet-17686110";
const MAINNET_BLOCKS = 4;

const USDC_WETH = "usdc-weth-2024-01-05-am";
/** End of the first two hours of the morning, in Unix seconds. */
const USDC_WETH_END = Date.UTC(2024, 0, 5, 2) / 1000;

/** Blocks of other bundles, before and after each format change of headers, transactions or receipts. */
const SINGLE_BLOCKS: Record<string, readonly number[]> = {
  "eth-natives": [4_000_000, 14_000_000, 17_000_000],
  "eth-covalent": [22_433_670],
  polygon: [10_000_000, 43_200_000],
  base: [100, 77_976, 81_636, 2_000_000],
  optimism: [10_000, 100_000_000, 105_237_730, 107_353_722, 109_860_869],
};

type Calls = Record<string, Record<string, string>>;

interface SingleCounts {
  blocks: { block: number }[];
}

/**
 * Copies the blocks for which `isKept` is true, with the call results that they need. Returns the copied
 * lines.
 */
function copyBlocks(
  from: string,
  to: string,
  isKept: (block: { number: number; timestamp: number }) => boolean,
): string {
  mkdirSync(to, { recursive: true });
  const receipts = readGzLines(from, "receipts.ndjson.gz");
  const kept = readGzLines(from, "blocks.ndjson.gz").flatMap((block, i) => {
    const { number, timestamp } = JSON.parse(block);
    const place = { number: Number(number), timestamp: Number(timestamp) };
    return isKept(place) ? [{ block, receipts: receipts[i] ?? "[]" }] : [];
  });
  const [blockLines, receiptLines] = [kept.map(({ block }) => block), kept.map((one) => one.receipts)];
  writeGzLines(to, "blocks.ndjson.gz", blockLines);
  writeGzLines(to, "receipts.ndjson.gz", receiptLines);
  writeJson(to, "calls.json", neededCalls(readJson(from, "calls.json"), receiptLines.join("\n")));
  return [...blockLines, ...receiptLines].join("\n");
}

/**
 * Returns the call results of the contracts that the receipts mention, and of the tokens that these results
 * mention.
 */
function neededCalls(calls: Calls, receipts: string): Calls {
  const isNamed = (address: string, text: string) => text.includes(address.slice(2));
  const named = Object.entries(calls).filter(([address]) => isNamed(address, receipts));
  const answers = JSON.stringify(named);
  return Object.fromEntries(
    Object.entries(calls).filter(([address]) => isNamed(address, receipts + answers)),
  );
}

function copyUsdcWeth(from: string, to: string): void {
  copyBlocks(from, to, ({ timestamp }) => timestamp < USDC_WETH_END);
  copyCsv(from, to, { file: "oracle-events-0x88e6.csv.gz", timeColumn: 1 });
  copyCsv(from, to, { file: "oracle-minute-0x88e6.csv.gz", timeColumn: 0 });
  copyCsv(from, to, { file: "oracle-ethusdt-1m.csv.gz", timeColumn: 0 });
}

function copyCsv(from: string, to: string, { file, timeColumn }: { file: string; timeColumn: number }): void {
  const [header = "", ...lines] = readGzLines(from, file);
  const timeOf = (line: string) => Date.parse(`${line.split(",")[timeColumn]?.replace(" ", "T")}Z`) / 1000;
  writeGzLines(to, file, [header, ...lines.filter((line) => timeOf(line) < USDC_WETH_END)]);
}

function copySingleBlocks(from: string, to: string, numbers: readonly number[]): void {
  const isKept = ({ block }: { block: number }) => numbers.includes(block);
  const text = copyBlocks(from, to, ({ number }) => numbers.includes(number));
  const counts = readJson<SingleCounts>(from, "counts.json");
  writeJson(to, "counts.json", { ...counts, blocks: counts.blocks.filter(isKept) }, 1);
  const trades = readGzLines(from, "expected-trades.ndjson.gz").filter((line) => isKept(JSON.parse(line)));
  writeGzLines(to, "expected-trades.ndjson.gz", trades);
  if (from.endsWith("eth-covalent")) {
    const keys = Object.entries(readJson<Record<string, string>>(from, "v4keys.json"));
    const used = keys.filter(([id]) => text.includes(id.slice(2)));
    writeJson(to, "v4keys.json", Object.fromEntries(used));
  }
}

const [source] = process.argv.slice(2);
if (source === undefined) {
  console.error("usage: npm run test-data -- FOLDER, which holds the full bundles");
  process.exit(2);
}
const bundles = [MAINNET, USDC_WETH, ...Object.keys(SINGLE_BLOCKS)];
for (const name of bundles) rmSync(join(TARGET, name), { recursive: true, force: true });

const { number: firstHex } = JSON.parse(readGzLines(join(source, MAINNET), "blocks.ndjson.gz")[0] ?? "{}");
const end = Number(firstHex) + MAINNET_BLOCKS;
copyBlocks(join(source, MAINNET), join(TARGET, MAINNET), ({ number }) => number < end);
copyUsdcWeth(join(source, USDC_WETH), join(TARGET, USDC_WETH));
for (const [name, numbers] of Object.entries(SINGLE_BLOCKS))
  copySingleBlocks(join(source, name), join(TARGET, name), numbers);

const counted = [MAINNET, USDC_WETH];
const countsIn = (folder: string) =>
  Object.fromEntries(counted.map((name) => [name, countBundle(join(folder, name))]));
writeJson(TARGET, "counts.json", { full: countsIn(source), excerpt: countsIn(TARGET) }, 1);
cpSync(join(source, "LICENSE-apache-2.0.txt"), join(TARGET, "LICENSE"));
