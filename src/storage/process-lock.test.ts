import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { acquireLock } from "./process-lock.ts";

/** A child that ended and that its parent, which became another program, never asks for. */
const LEAVE_DEFUNCT = "sleep 0.1 & echo $!; exec sleep 60";

it.skipIf(process.platform !== "linux")(
  "takes over from a holder that is dead but still listed",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "quarry-lock-"));
    const parent = spawn("sh", ["-c", LEAVE_DEFUNCT], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const [line] = await once(createInterface({ input: parent.stdout }), "line");
      const pid = Number(line);
      const fields = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
      const file = join(folder, "quarry.lock");
      writeFileSync(file, JSON.stringify({ pid, started: `${boot} ${fields()[19]}` }));
      await expect(acquireLock(file)).rejects.toThrow(`in use by process ${pid}`);
      await expect.poll(() => fields()[0]).toBe("Z");
      const release = await acquireLock(file);
      expect(JSON.parse(readFileSync(file, "utf8")).pid).toBe(process.pid);
      await release();
    } finally {
      parent.kill("SIGKILL");
      rmSync(folder, { recursive: true });
    }
  },
);
