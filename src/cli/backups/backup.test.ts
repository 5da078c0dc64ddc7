import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withoutProgress } from "../../../test/support/processes/processes.ts";
import { runHere } from "../../../test/support/processes/run-here.ts";
import { extend, StoredChain } from "../../backups/support/stored-chain.ts";

const stored = new StoredChain();

beforeAll(() => stored.write((store) => extend(store, 1)));
afterAll(() => stored.remove());

async function backUp(...more: string[]) {
  const args = ["backup", "--data", stored.data, "--to", stored.backups, "--keep", "1", ...more];
  const finished = await runHere(args);
  return { ...finished, stderr: withoutProgress(finished.stderr) };
}

it("fails after the backup if an old one cannot be read, so that none is removed", async () => {
  const first = await backUp("--json");
  expect(first).toMatchObject({ code: 0, stderr: "" });
  const { backup: id } = JSON.parse(first.stdout);
  const path = join(stored.backups, "backups", `${id}.json`);
  writeFileSync(path, readFileSync(path, "utf8").replace('"last_block"', '"lost_block"'));
  const problem = expect.stringMatching(`^quarry: no old backup was removed: .*${id}[^\n]*\n$`);
  const second = await backUp();
  expect(second).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Backup /), stderr: problem });
  const third = await backUp("--json");
  expect(third).toMatchObject({ code: 1, stderr: problem });
  expect(JSON.parse(third.stdout)).toMatchObject({ removed: [], problems: [expect.stringContaining(id)] });
});
