import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";

const SHARED = resolve(import.meta.dirname, "../../..", process.env.QUARRY_SHARED ?? "../shared");

/** Real chain data; tests that need it are skipped, visibly, where it is absent. */
export const bundlesArePresent = existsSync(join(SHARED, "data"));

export const MAINNET = bundlePath("mainnet-17686110");
export const USDC_WETH = bundlePath("usdc-weth-2024-01-05-am");
export const REPLAY_NODE = join(SHARED, "tools/replay-rpc.mjs");

export function bundlePath(name: string): string {
  return join(SHARED, "data", name);
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
