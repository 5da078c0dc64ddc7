import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { packageFolder } from "../../../src/lib/package-folder.ts";

const ROOT = packageFolder();
/** The recorded chain data in the repository. */
export const EXCERPT = join(ROOT, "test/data");
const SHARED = sharedFolder();

/** Counts of a bundle's contents. test/data/make counted them without Quarry's decoder. */
export interface BundleCounts {
  first: number;
  last: number;
  blocks: number;
  transactions: number;
  /** Number of clock minutes that the blocks span. */
  minutes: number;
  failed: number;
  logs: number;
  /** Number of logs of any contract, by event. */
  events: Record<string, number>;
  /** Number of contracts whose address follows from a known factory and two tokens. */
  pools: number;
  /**
   * Number of these contracts whose token0() and token1() are recorded. Excludes pools that were created in
   * the bundle's blocks.
   */
  answeringPools: number;
  /** Pools that were created in the bundle's blocks. */
  createdPools: string[];
  /** Number of logs of genuine pools, by event. */
  genuineEvents: Record<string, number>;
  swapsByProtocol: Record<string, number>;
}

/**
 * Recorded chain data: the full bundles if QUARRY_SHARED or ../shared has them, otherwise the excerpt in the
 * repository.
 */
export const DATA_SET = SHARED === null ? "excerpt" : "full";

export const MAINNET = bundlePath("mainnet-17686110");
export const USDC_WETH = bundlePath("usdc-weth-2024-01-05-am");
/** A block of Arbitrum One. Only the repository contains it. */
export const ARBITRUM = join(EXCERPT, "arbitrum");

/** The replay node that comes with the full bundles. Null in a plain clone. */
export const SHARED_REPLAY_NODE = SHARED === null ? null : join(SHARED, "tools/replay-rpc.mjs");

export function bundlePath(name: string): string {
  return SHARED === null ? join(EXCERPT, name) : join(SHARED, "data", name);
}

/** Returns the expected counts of a bundle, for the data set in use. */
export function bundleCounts(bundle: string): BundleCounts {
  const counts = readBundleJson<Record<string, Record<string, BundleCounts>>>(EXCERPT, "counts.json");
  const name = bundle.slice(bundle.lastIndexOf("/") + 1);
  const found = counts[DATA_SET]?.[name];
  if (found === undefined) throw new Error(`test/data/counts.json has no ${DATA_SET} counts of ${name}`);
  return found;
}

export function readGzLines(bundle: string, file: string): string[] {
  return gunzipSync(readFileSync(join(bundle, file)))
    .toString()
    .split("\n")
    .filter(Boolean);
}

export function readBundleJson<T>(bundle: string, file: string): T {
  return JSON.parse(readFileSync(join(bundle, file), "utf8"));
}

function sharedFolder(): string | null {
  const named = process.env.QUARRY_SHARED;
  const folder = resolve(ROOT, named ?? "../shared");
  if (existsSync(join(folder, "data"))) return folder;
  if (named !== undefined) throw new Error(`QUARRY_SHARED is ${named}, which has no folder "data"`);
  return null;
}
