import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import { readKeyFile } from "./key-file.ts";
import { watchKeys } from "./watched-keys.ts";

const HASH = "0".repeat(64);
const KEY = {
  id: "key_0123456789ab",
  name: "a",
  hash: HASH,
  scopes: ["data"],
  created_at: 0,
  expires_at: null,
};
const POLL = { timeout: 10_000 };

it("forgets a revoked key even if the changed file cannot be read at first, and logs that once", async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, "keys.json");
  const write = (keys: object[]) => writeFileSync(path, JSON.stringify({ version: 1, keys }));
  write([{ ...KEY, rate: null }]);
  const errors: unknown[] = [];
  const logger = { info() {}, error: (fields: unknown) => void errors.push(fields) };
  let lacksHandles = false;
  let failures = 0;
  const watched = await watchKeys(path, logger as never, async (file) => {
    if (!lacksHandles) return readKeyFile(file);
    failures++;
    throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
  });
  onTestFinished(() => watched.close());
  expect(watched.find(HASH)?.id).toBe(KEY.id);
  lacksHandles = true;
  write([]);
  await expect.poll(() => failures, POLL).toBeGreaterThan(1);
  expect([watched.find(HASH)?.id, errors.length]).toEqual([KEY.id, 1]);
  lacksHandles = false;
  await expect.poll(() => watched.find(HASH), POLL).toBe(undefined);
});
