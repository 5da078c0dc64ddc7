import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { sumOf, type Usage, type UsageByKey } from "../../api/keys/key-usage.ts";
import { replaceFile } from "../../lib/replace-file.ts";
import { systemCode } from "../../lib/system-error.ts";

const COUNT = z.number().nonnegative();

const FILE = z.strictObject({
  version: z.literal(1),
  keys: z.record(z.string(), z.strictObject({ requests: COUNT, sql_queries: COUNT, sql_seconds: COUNT })),
});

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/**
 * Returns the months for which a folder has usage, the oldest first. The folder has a subfolder for each
 * month, with a file for each process that counts.
 */
export async function recordedMonths(folder: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => MONTH.test(name)).sort();
}

/** Returns the paths of the files of a month. */
export async function usageFiles(folder: string, month: string): Promise<string[]> {
  const names = await namesIn(join(folder, month));
  return names.filter((name) => name.endsWith(".json")).map((name) => join(folder, month, name));
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error) => {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  });
}

/** @throws Error if the file cannot be read or is not valid */
export async function readUsage(path: string): Promise<UsageByKey> {
  const { keys } = FILE.parse(JSON.parse(await readFile(path, "utf8")));
  return new Map(
    Object.entries(keys).map(([key, { requests, sql_queries: sqlQueries, sql_seconds: sqlSeconds }]) => [
      key,
      { requests, sqlQueries, sqlSeconds },
    ]),
  );
}

/** Replaces a file in one step, so that it is never read half written. Its folder must exist. */
export async function writeUsage(path: string, usage: UsageByKey): Promise<void> {
  const keys = Object.fromEntries(
    [...usage].map(([key, { requests, sqlQueries: sql_queries, sqlSeconds }]) => [
      key,
      { requests, sql_queries, sql_seconds: Math.round(sqlSeconds * 1000) / 1000 },
    ]),
  );
  await replaceFile(path, `${JSON.stringify({ version: 1, keys })}\n`, 0o640);
}

/** Returns the total usage of several processes, by key. */
export function totalUsage(all: Iterable<UsageByKey>): Map<string, Usage> {
  const total = new Map<string, Usage>();
  for (const usage of all) {
    for (const [key, used] of usage) {
      const before = total.get(key);
      total.set(key, before === undefined ? used : sumOf(before, used));
    }
  }
  return total;
}
