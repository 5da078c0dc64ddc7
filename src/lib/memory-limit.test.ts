import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { memoryLimitBytes } from "./memory-limit.ts";

const GIB = 2 ** 30;

/** Returns the memory limit of a process on a machine with 16 GiB and these control-group files. */
function limitWith(files: Record<string, string>): number {
  const mount = mkdtempSync(join(tmpdir(), "quarry-groups-"));
  onTestFinished(() => rmSync(mount, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(mount, name)), { recursive: true });
    writeFileSync(join(mount, name), text);
  }
  return memoryLimitBytes({ groups: join(mount, "groups"), mount, machineBytes: 16 * GIB });
}

it.each([
  ["no groups", {}, 16],
  ["version 2, in a container", { groups: "0::/\n", "memory.max": `${GIB}\n` }, 1],
  ["version 2, without a limit", { groups: "0::/\n", "memory.max": "max\n" }, 16],
  [
    "version 2, limited by a group above",
    {
      groups: "0::/a.slice/b.service\n",
      "a.slice/memory.max": `${2 * GIB}`,
      "a.slice/b.service/memory.max": "max",
    },
    2,
  ],
  [
    "version 1",
    {
      groups: "5:cpu,cpuacct:/\n4:memory:/docker/x\n",
      "memory/docker/x/memory.limit_in_bytes": `${3 * GIB}`,
    },
    3,
  ],
  [
    "version 1, in a container",
    { groups: "4:memory:/docker/x\n", "memory/memory.limit_in_bytes": `${GIB}` },
    1,
  ],
  [
    "version 1, without a limit",
    { groups: "4:memory:/\n0::/\n", "memory/memory.limit_in_bytes": "9223372036854771712" },
    16,
  ],
  ["a limit above the machine's memory", { groups: "0::/\n", "memory.max": `${32 * GIB}` }, 16],
])("%s", (_, files, gib) => {
  expect(limitWith(files as Record<string, string>)).toBe(gib * GIB);
});
