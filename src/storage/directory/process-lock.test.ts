import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { acquireLock } from "./process-lock.ts";

/** Starts a child whose parent then becomes another program, which never reaps it. */
const UNREAPED_CHILD = "sleep 60 & echo $!; exec sleep 60";

it.skipIf(process.platform !== "linux")(
  "takes over from a holder that has ended but is still listed",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "quarry-lock-"));
    const parent = spawn("sh", ["-c", UNREAPED_CHILD], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const [line] = await once(createInterface({ input: parent.stdout }), "line");
      const pid = Number(line);
      const fields = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
      const file = join(folder, "quarry.lock");
      writeFileSync(file, JSON.stringify({ pid, started: `${boot} ${fields()[19]}` }));
      await expect(acquireLock(file)).rejects.toThrow(`in use by process ${pid}`);
      process.kill(pid, "SIGKILL");
      await expect.poll(() => fields()[0], { timeout: 20_000 }).toBe("Z");
      const lock = await acquireLock(file);
      expect(JSON.parse(readFileSync(file, "utf8")).pid).toBe(process.pid);
      await lock.release();
    } finally {
      parent.kill("SIGKILL");
      rmSync(folder, { recursive: true });
    }
  },
);

it("reports the address of its holder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "quarry-lock-"));
  try {
    const file = join(folder, "quarry.lock");
    const lock = await acquireLock(file);
    await expect(acquireLock(file)).rejects.toMatchObject({ code: "data-directory", address: null });
    await lock.publish({ address: "http://127.0.0.1:8101" });
    await expect(acquireLock(file)).rejects.toMatchObject({ address: "http://127.0.0.1:8101" });
    await lock.release();
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const DEAD = JSON.stringify({ pid: process.pid, started: "another boot 1" });

it("gives a dead lock to exactly one of many processes, even if one died while taking it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "quarry-lock-"));
  try {
    for (let round = 0; round < 20; round++) {
      const file = join(folder, `${round}.lock`);
      writeFileSync(file, DEAD);
      if (round % 2 === 1) {
        const digest = createHash("sha256").update(DEAD).digest("hex").slice(0, 16);
        writeFileSync(`${file}.${digest}-0`, DEAD);
      }
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(file)));
      const taken = results.filter((result) => result.status === "fulfilled");
      expect(taken).toHaveLength(1);
      expect(readFileSync(file, "utf8")).not.toBe(DEAD);
      await taken[0]?.value.release();
      expect(existsSync(file)).toBe(false);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
