import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/processes/processes.ts";
import { TextFile } from "./text-file.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const READ = { columns: ["block_number", "input"], blockColumn: "block_number", fromBlock: 0 };
const INPUT = "ab".repeat(2 ** 20);

/** Writes rows of 2 MiB each. */
function fileOf(name: string, header: string, line: (block: number) => string): string {
  const path = join(folder.path, name);
  writeFileSync(path, header);
  for (let block = 0; block < 40; block++) writeFileSync(path, `${line(block)}\n`, { flag: "a" });
  return path;
}

describe.each([
  { name: "long.csv", header: "block_number,input\n", line: (block: number) => `${block},0x${INPUT}` },
  {
    name: "long.json",
    header: "",
    line: (block: number) => JSON.stringify({ block_number: block, input: `0x${INPUT}` }),
  },
])("the rows of $name", ({ name, header, line }) => {
  it("come in batches of limited size, so that long rows do not use up the memory", async () => {
    const file = await TextFile.open(fileOf(name, header, line));
    let next = 0;
    for await (const batch of file.batches(READ)) {
      expect(batch.rows).toBeLessThanOrEqual(20);
      expect(batch.firstRow).toBe(next + 1);
      for (let row = 0; row < batch.rows; row++) expect(batch.blockOf(row)).toBe(next++);
    }
    expect(next).toBe(40);
  });
});
