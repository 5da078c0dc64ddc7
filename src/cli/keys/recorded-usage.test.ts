import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import { KeyUsage } from "../../api/keys/key-usage.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { type RecordedUsage, recordUsage, requireUsageFolder } from "./recorded-usage.ts";
import { readUsage, recordedMonths, usageFiles } from "./usage-files.ts";

const root = temporaryFolder();
afterAll(() => root.remove());

const clock = new ManualClock();
const NEXT_MONTH_MS = 32 * 24 * 3600 * 1000;

let folder: string;
let errors: unknown[];
let folders = 0;
beforeEach(async () => {
  folder = join(root.path, `usage-${folders++}`);
  errors = [];
  await requireUsageFolder(folder);
});

interface Counting {
  usage: KeyUsage;
  recorded: RecordedUsage;
}

/** Starts counting and recording usage, as one process of the service does. */
async function start(worker: number, read = readUsage): Promise<Counting> {
  const usage = new KeyUsage(clock);
  const logger = { info() {}, warn() {}, error: (fields: unknown) => void errors.push(fields) };
  const place = { host: "127.0.0.1", port: 8080, worker };
  return { usage, recorded: await recordUsage(usage, { folder, place, logger: logger as never, read }) };
}

const filesOf = (month: string) => readdirSync(join(folder, month)).sort();

describe("the record of usage", () => {
  it("is the sum of all processes, also of those that ended and started again", async () => {
    const one = await start(1);
    const two = await start(2);
    one.usage.add("a", { requests: 3, sqlQueries: 1, sqlSeconds: 0.25 });
    two.usage.add("a", { requests: 4 });
    two.usage.add("b", { requests: 5 });
    await one.recorded.close();
    await two.recorded.close();
    const again = await start(1);
    again.usage.add("a", { requests: 10 });
    expect(again.usage.of("a")).toEqual({ requests: 17, sqlQueries: 1, sqlSeconds: 0.25 });
    expect(again.usage.of("b").requests).toBe(5);
    await again.recorded.close();
    const late = await start(3);
    expect(late.usage.of("a").requests).toBe(17);
    await late.recorded.close();
    expect(filesOf(again.usage.month)).toHaveLength(2);
    expect(errors).toEqual([]);
  });

  it("has a folder for each month, and what was counted before the month ended is not lost", async () => {
    const { usage, recorded } = await start(0);
    const first = usage.month;
    usage.add("a", { requests: 2 });
    clock.stepWall(NEXT_MONTH_MS);
    usage.add("a", { requests: 7 });
    await recorded.close();
    expect(await recordedMonths(folder)).toEqual([first, usage.month]);
    const [before = ""] = await usageFiles(folder, first);
    const [after = ""] = await usageFiles(folder, usage.month);
    expect((await readUsage(before)).get("a")?.requests).toBe(2);
    expect((await readUsage(after)).get("a")?.requests).toBe(7);
    expect(usage.countedMonths).toEqual([usage.month]);
  });

  it("keeps a damaged file under another name, says so, and starts again from zero", async () => {
    const { usage, recorded } = await start(0);
    usage.add("a", { requests: 2 });
    await recorded.close();
    const [path = ""] = await usageFiles(folder, usage.month);
    writeFileSync(path, readFileSync(path, "utf8").slice(0, 20));
    const other = await start(1);
    expect([other.usage.of("a").requests, errors.length]).toEqual([0, 1]);
    await other.recorded.close();
    const next = await start(0);
    expect(errors.length).toBeGreaterThan(1);
    next.usage.add("a", { requests: 1 });
    await next.recorded.close();
    expect(existsSync(`${path}.damaged`)).toBe(true);
    expect((await readUsage(path)).get("a")?.requests).toBe(1);
  });

  it("is tried again if it cannot be written, without losing counts", async () => {
    const { usage, recorded } = await start(0);
    // Put a file where the month's folder should be.
    writeFileSync(join(folder, usage.month), "");
    usage.add("a", { requests: 2 });
    await recorded.close();
    expect([errors.length, usage.of("a").requests]).toEqual([1, 2]);
  });

  it("goes on counting from files that cannot be read at first", async () => {
    const one = await start(1);
    const two = await start(2);
    one.usage.add("a", { requests: 3 });
    two.usage.add("a", { requests: 4 });
    await one.recorded.close();
    await two.recorded.close();
    const lacking = new Set([...(await usageFiles(folder, one.usage.month))]);
    const read = (path: string) =>
      lacking.has(path)
        ? Promise.reject(Object.assign(new Error("too many open files"), { code: "EMFILE" }))
        : readUsage(path);
    const again = await start(1, read);
    again.usage.add("a", { requests: 10 });
    expect([again.usage.of("a").requests, errors.length]).toEqual([10, 1]);
    const [own = "", other = ""] = lacking;
    lacking.delete(own);
    await expect.poll(() => again.usage.of("a").requests, { timeout: 20_000 }).toBe(13);
    // The other file is read after this one.
    await expect.poll(() => errors.length, { timeout: 20_000 }).toBe(2);
    lacking.delete(other);
    await expect.poll(() => again.usage.of("a").requests, { timeout: 20_000 }).toBe(17);
    await again.recorded.close();
    expect((await readUsage(own)).get("a")?.requests).toBe(13);
    expect(filesOf(again.usage.month)).toHaveLength(2);
    expect(errors).toHaveLength(2);
  }, 60_000);

  it("needs a folder that can be made", async () => {
    const file = join(root.path, "file");
    writeFileSync(file, "");
    mkdirSync(folder, { recursive: true });
    await expect(requireUsageFolder(join(file, "usage"))).rejects.toThrow(
      /^key usage cannot be recorded in .*: part of the path is a file, .*Set --usage-folder to a writable folder\.$/,
    );
  });
});
