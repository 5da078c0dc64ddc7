import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, vi } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { isRunning, shortTextOf, thisProcess } from "./lock-holder.ts";
import { acquireLock, LockLost } from "./process-lock.ts";

/** Shell command that starts a child, and then executes another program, which never reaps the child. */
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

/** A program that holds the lock named by its first argument until it is killed. */
const HOLDER = `import { acquireLock } from "${new URL("./process-lock.ts", import.meta.url).href}";
  await acquireLock(process.argv[1], { touchMs: 100 });
  process.stdout.write("held\\n");`;

/**
 * Arguments of `unshare` to run Node.js in a PID namespace of its own, as in another container. The id of the
 * process is 1 there.
 */
const ELSEWHERE = ["--pid", "--fork", "--kill-child", "--mount-proc", process.execPath];

it.skipIf(process.platform !== "linux" || process.geteuid?.() !== 0)(
  "is held by a process of another container until that ends",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "quarry-lock-"));
    const file = join(folder, "quarry.lock");
    const args = ["--import", "tsx", "--input-type=module", "-e", HOLDER, file];
    const holder = spawn("unshare", [...ELSEWHERE, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      await once(createInterface({ input: holder.stdout }), "line");
      expect(JSON.parse(readFileSync(file, "utf8")).pid).toBe(1);
      const options = { touchMs: 2_000 };
      await expect(acquireLock(file, options)).rejects.toThrow(
        "process 1 in another container or on another machine",
      );
      holder.kill("SIGKILL");
      await once(holder, "close");
      const lock = await acquireLock(file, { touchMs: 100 });
      expect(JSON.parse(readFileSync(file, "utf8")).pid).toBe(process.pid);
      await lock.release();
    } finally {
      holder.kill("SIGKILL");
      rmSync(folder, { recursive: true });
    }
  },
);

it("ends its holder when another container has taken it over", async () => {
  const folder = mkdtempSync(join(tmpdir(), "quarry-lock-"));
  try {
    const file = join(folder, "quarry.lock");
    const clock = new ManualClock();
    const onLost = vi.fn();
    const lock = await acquireLock(file, { clock, onLost });
    await lock.publish({ address: "http://127.0.0.1:8101" });
    await clock.advance(2_000);
    expect(onLost).not.toHaveBeenCalled();
    await expect.poll(() => clock.pending).toBe(1);
    writeFileSync(file, JSON.stringify({ pid: 1, started: "later", place: "elsewhere" }));
    await clock.advance(2_000);
    await expect.poll(() => onLost.mock.calls).toEqual([[expect.any(LockLost)]]);
    await lock.release();
    expect(readdirSync(folder)).toEqual(["quarry.lock"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("does not overwrite the lock of another process when it publishes its address", async () => {
  const folder = mkdtempSync(join(tmpdir(), "quarry-lock-"));
  try {
    const file = join(folder, "quarry.lock");
    const onLost = vi.fn();
    const lock = await acquireLock(file, { clock: new ManualClock(), onLost });
    const other = JSON.stringify({ pid: 1, started: "later", place: "elsewhere" });
    writeFileSync(file, other);
    await lock.publish({ address: "http://127.0.0.1:8101" });
    expect(onLost.mock.calls).toEqual([[expect.any(LockLost)]]);
    expect(readFileSync(file, "utf8")).toBe(other);
    await lock.release();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("names the place of its process, in a text that a link can hold", async () => {
  const own = await thisProcess();
  expect(own.place).toMatch(/^[0-9a-f]{8}$/);
  expect(shortTextOf({ ...own, pid: 4_194_304 }).length).toBeLessThanOrEqual(55);
});

it("does not take a later process of another user with the same id for the holder", async () => {
  const own = await thisProcess();
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw Object.assign(new Error("not permitted"), { code: "EPERM" });
  });
  try {
    expect(await isRunning(own)).toBe(true);
    expect(await isRunning({ ...own, started: "another boot 1" })).toBe(false);
  } finally {
    kill.mockRestore();
  }
});
