import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

/** Reads the non-empty lines of a gzipped text file. */
export function readGzLines(folder: string, file: string): string[] {
  return gunzipSync(readFileSync(join(folder, file)))
    .toString()
    .split("\n")
    .filter(Boolean);
}

/** Writes a gzipped text file. Equal lines give equal bytes, because Node's gzip header contains no time. */
export function writeGzLines(folder: string, file: string, lines: readonly string[]): void {
  writeFileSync(join(folder, file), gzipSync(`${lines.join("\n")}\n`, { level: 9 }));
}

export function readJson<T>(folder: string, file: string): T {
  return JSON.parse(readFileSync(join(folder, file), "utf8"));
}

export function writeJson(folder: string, file: string, value: unknown, indent = 0): void {
  writeFileSync(join(folder, file), `${JSON.stringify(value, null, indent)}\n`);
}
