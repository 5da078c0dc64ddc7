import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { isRunning } from "../../test/support/processes/processes.ts";

const SCRIPT = `
  import { startNode } from "./devnet/node/node-process.ts";
  const node = await startNode({ port: 0, state: [] });
  console.log(node.pid);
  setInterval(() => {}, 1000);
`;

describe("startNode", () => {
  it.each(["SIGKILL", "SIGTERM"] as const)(
    "leaves no node running when its parent gets %s",
    async (signal) => {
      const parent = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", SCRIPT], {
        cwd: new URL("../..", import.meta.url),
        stdio: ["ignore", "pipe", "ignore"],
      });
      const [line] = await once(createInterface({ input: parent.stdout }), "line");
      const pid = Number(line);
      expect(isRunning(pid)).toBe(true);
      parent.kill(signal);
      await expect.poll(() => isRunning(pid), { timeout: 5_000 }).toBe(false);
    },
  );
});
