import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { type Conditions, type FakeS3, startFakeS3 } from "../support/fake-s3.ts";
import { folderTarget } from "./folder-target.ts";
import { openTarget } from "./open-target.ts";
import { s3Target } from "./s3-target.ts";
import type { BackupTarget } from "./target.ts";

let s3: FakeS3;
let folder: ReturnType<typeof temporaryFolder>;

beforeAll(async () => {
  s3 = await startFakeS3();
});
afterAll(() => s3.close());
beforeEach(() => {
  folder = temporaryFolder();
  s3.objects.clear();
  s3.uploads.clear();
  s3.requests.length = 0;
  s3.fault = () => false;
  s3.conditions = "kept";
});
afterEach(() => folder.remove());

const KEYS = { region: "eu-west-1", accessKeyId: "key", secretAccessKey: "secret" };
const bucket = (clock?: ManualClock, sessionToken?: string) =>
  s3Target({
    ...{ bucket: s3.bucket, prefix: "my chain/", endpoint: s3.endpoint, ...KEYS, sessionToken },
    ...(clock === undefined ? {} : { clock }),
  });

async function* chunksOf(...texts: (string | Buffer)[]) {
  for (const text of texts) yield Buffer.from(text);
}

async function contentOf(target: BackupTarget, name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of target.read(name)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const lost = (error: Error) => {
  throw error;
};

const CONDITIONS: readonly Conditions[] = ["kept", "refused", "ignored"];

/** Makes a file eleven minutes older. */
function age(key: string): void {
  const found = s3.objects.get(key);
  expect(found).toBeDefined();
  if (found !== undefined) found.writtenMs -= 11 * 60_000;
}

/** Locks the bucket as if by a process that ended eleven minutes ago. */
async function leaveDeadLock(): Promise<void> {
  const stopped = new ManualClock();
  await whileTimePasses(stopped, bucket(stopped).lock(lost));
  age("my chain/lock.json");
}

/** Advances the clock by a second after every few requests, until the promise settles. */
async function whileTimePasses<T>(clock: ManualClock, running: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  running.then(end, end);
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (!isOver) await clock.advance(1_000);
  }
  return running;
}

describe.each([
  ["a folder", () => folderTarget(join(folder.path, "to", "backups"))],
  ["a bucket", () => bucket()],
])("%s", (_, open) => {
  it("stores, lists, reads and removes files", async () => {
    const target = open();
    expect(await target.list("parts/")).toEqual([]);
    await target.write("parts/ab/one", chunksOf("first ", "second"));
    await target.write("parts/ab/none", chunksOf());
    for (let i = 0; i < 20; i++) await target.write(`backups/${i}`, chunksOf(String(i)));
    const parts = (await target.list("parts/")).sort((a, b) => a.bytes - b.bytes);
    expect(parts).toEqual([
      { name: "parts/ab/none", bytes: 0 },
      { name: "parts/ab/one", bytes: 12 },
    ]);
    expect(await target.list("backups/")).toHaveLength(20);
    expect(String(await contentOf(target, "parts/ab/one"))).toBe("first second");
    await target.write("parts/ab/one", chunksOf("third"));
    expect(String(await contentOf(target, "parts/ab/one"))).toBe("third");
    await target.remove(["parts/ab/one", "parts/ab/unknown"]);
    await expect(contentOf(target, "parts/ab/one")).rejects.toMatchObject({
      code: "verification",
      message: `parts/ab/one is missing from ${target.place}.`,
    });
  });

  it("keeps nothing of a file whose write failed, and the earlier file stays", async () => {
    const target = open();
    const broken = async function* () {
      yield Buffer.alloc(40 * 1024 ** 2);
      throw new Error("cannot read");
    };
    await target.write("parts/ab/one", chunksOf("whole"));
    await expect(target.write("parts/ab/one", broken())).rejects.toThrow("cannot read");
    await expect(target.write("parts/ab/two", broken())).rejects.toThrow("cannot read");
    expect(await target.list("parts/")).toEqual([{ name: "parts/ab/one", bytes: 5 }]);
    expect(s3.uploads.size).toBe(0);
  });

  it("is locked by one backup at a time", async () => {
    const lock = await open().lock(lost);
    await expect(open().lock(lost)).rejects.toMatchObject({
      code: "busy",
      message: expect.stringMatching(/Another backup is being written to .*process \d+/),
    });
    await lock.release();
    await (await open().lock(lost)).release();
  });
});

describe("a folder of backups", () => {
  it("is cleaned of the remains of an interrupted write, and of nothing else", async () => {
    mkdirSync(join(folder.path, "parts"));
    for (const name of ["parts/x.part", "parts/y", "notes.txt"]) writeFileSync(join(folder.path, name), "");
    await (await folderTarget(folder.path).lock(lost)).release();
    expect(readdirSync(folder.path, { recursive: true }).sort()).toEqual(["notes.txt", "parts", "parts/y"]);
  });

  it("reports a path that cannot be written", async () => {
    writeFileSync(join(folder.path, "file"), "");
    await expect(folderTarget(join(folder.path, "file", "x")).lock(lost)).rejects.toMatchObject({
      code: "bad-config",
      message: expect.stringContaining("ENOTDIR"),
    });
  });
});

describe("a bucket of backups", () => {
  it("gets large files in pieces, and continues a download that broke", async () => {
    const target = bucket();
    const large = Buffer.alloc(20 * 1024 ** 2, "0123456789");
    await target.write("parts/ab/large", chunksOf(large, large));
    expect(s3.objects.get("my chain/parts/ab/large")?.body.equals(Buffer.concat([large, large]))).toBe(true);
    expect(s3.requests.filter((request) => request.includes("partNumber"))).toHaveLength(3);
    let broken = 0;
    s3.fault = (request, response) => {
      if (request.method !== "GET" || broken++ > 0) return false;
      response.writeHead(200, { "content-length": 2 * large.length });
      response.write(large.subarray(0, 1_000_000), () => response.destroy());
      return true;
    };
    expect((await contentOf(target, "parts/ab/large")).equals(Buffer.concat([large, large]))).toBe(true);
    expect(broken).toBeGreaterThan(1);
  });

  it("gets the large pieces of one file at a time", async () => {
    const sizes = { bytes: 1_000, laterBytes: 4_000, firstPieces: 3 };
    const target = s3Target({ bucket: s3.bucket, prefix: "", endpoint: s3.endpoint, ...KEYS }, sizes);
    const running = new Set<string>();
    let mostLarge = 0;
    s3.fault = async ({ method, url, headers }, response) => {
      if (method !== "PUT" || Number(headers["content-length"]) <= sizes.bytes) return false;
      const file = String(url?.split("?")[0]);
      running.add(file);
      mostLarge = Math.max(mostLarge, running.size);
      response.on("finish", () => running.delete(file));
      await new Promise((resolve) => setTimeout(resolve, 10));
      return false;
    };
    const contents = ["one", "two", "three"].map((name, i) => ({
      name,
      content: Buffer.alloc(11_000 + i, `${name} is a file. `),
    }));
    const chunks = async function* (content: Buffer) {
      for (let at = 0; at < content.length; at += 700) yield content.subarray(at, at + 700);
    };
    await Promise.all(contents.map(({ name, content }) => target.write(name, chunks(content))));
    for (const { name, content } of contents) expect(await contentOf(target, name)).toEqual(content);
    expect(mostLarge).toBe(1);
  });

  it("reports an upload that fails at its end with status 200, as stores may do", async () => {
    const target = bucket();
    const large = Buffer.alloc(20 * 1024 ** 2, "0123456789");
    s3.fault = (request, response) => {
      if (request.method !== "POST" || !request.url?.includes("uploadId")) return false;
      request.resume();
      response.end("<Error><Code>InternalError</Code><Message>Please try again.</Message></Error>");
      return true;
    };
    await expect(target.write("parts/ab/large", chunksOf(large, large))).rejects.toThrow(
      /refused a request: InternalError \(200\): Please try again/,
    );
    expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0]);
  });

  it("gets a request again while it fails; if it refuses one, its response is reported", async () => {
    const clock = new ManualClock();
    let failures = 0;
    s3.fault = (_, response) => {
      if (failures++ >= 3) return false;
      if (failures === 1) response.destroy();
      else response.writeHead(503).end();
      return true;
    };
    const writing = bucket(clock).write("parts/ab/one", chunksOf("text"));
    for (let i = 0; i < 200 && s3.objects.size === 0; i++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await clock.advance(1_000);
    }
    await writing;
    expect(failures).toBe(4);
    s3.fault = () => false;
    const other = { bucket: "none", prefix: "", endpoint: s3.endpoint, ...KEYS };
    await expect(s3Target(other).list("")).rejects.toThrow(
      'The store of s3://none/ refused a request: NoSuchBucket (404): a "reason". Check the name of the bucket',
    );
    const wrong = s3Target({ ...other, bucket: s3.bucket, accessKeyId: "unknown" });
    await expect(wrong.list("")).rejects.toThrow("Check AWS_ACCESS_KEY_ID");
  });

  it("loses the pieces of interrupted uploads when it is locked", async () => {
    s3.uploads.set("old", { key: "my chain/parts/ab/one", pieces: new Map() });
    s3.uploads.set("other", { key: "another/parts/ab/one", pieces: new Map() });
    await (await bucket().lock(lost)).release();
    expect([...s3.uploads.keys()]).toEqual(["other"]);
  });

  it.each(CONDITIONS)("is taken over from a process that ended, if conditions are %s", async (conditions) => {
    s3.conditions = conditions;
    await leaveDeadLock();
    const clock = new ManualClock();
    const lock = await whileTimePasses(clock, bucket(clock).lock(lost));
    await lock.release();
    expect(s3.objects.has("my chain/lock.json")).toBe(false);
  });

  it.each(
    CONDITIONS.flatMap((conditions) =>
      ["a new", "a dead"].flatMap((kind) => [false, true].map((isLate) => ({ conditions, kind, isLate }))),
    ),
  )("gives $kind lock to one of two processes: conditions $conditions, late $isLate", async (given) => {
    s3.conditions = given.conditions;
    const clock = new ManualClock();
    if (given.kind === "a dead") await leaveDeadLock();
    let reads = 0;
    let isFirstDone = false;
    s3.fault = async ({ method, headers }) => {
      if (method === "GET") reads++;
      const isSecond = headers["x-amz-security-token"] === "second";
      const mayWrite = () => reads >= 2 && (isFirstDone || !given.isLate || !isSecond);
      while (method === "PUT" && !mayWrite()) await new Promise((resolve) => setTimeout(resolve, 2));
      return false;
    };
    const holders = new Set<string>();
    const most: number[] = [];
    const lock = async (name: string) => {
      const stopped = () => holders.delete(name);
      await bucket(clock, name).lock(stopped);
      holders.add(name);
      most.push(holders.size);
    };
    const first = lock("first").finally(() => {
      isFirstDone = true;
    });
    const results = await whileTimePasses(clock, Promise.allSettled([first, lock("second")]));
    expect([holders.size, Math.max(...most)]).toEqual([1, 1]);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "busy" });
  });

  it("is not taken over if the store does not say when it was written", async () => {
    const lock = await bucket().lock(lost);
    s3.hasTimes = false;
    await expect(bucket().lock(lost)).rejects.toMatchObject({ code: "busy" });
    s3.hasTimes = true;
    await lock.release();
  });

  it("is not taken over from a process that renews its lock at that moment", async () => {
    const clock = new ManualClock();
    const errors: Error[] = [];
    const lock = await bucket(clock, "holder").lock((error) => errors.push(error));
    age("my chain/lock.json");
    let isRenewed = false;
    s3.fault = async ({ method, headers }) => {
      if (headers["x-amz-security-token"] !== "other" || method !== "PUT" || isRenewed) return false;
      isRenewed = true;
      const before = s3.objects.get("my chain/lock.json");
      await clock.advance(60_000);
      await expect.poll(() => s3.objects.get("my chain/lock.json")).not.toBe(before);
      return false;
    };
    await expect(bucket(new ManualClock(), "other").lock(lost)).rejects.toMatchObject({ code: "busy" });
    await clock.advance(60_000);
    expect([isRenewed, errors]).toEqual([true, []]);
    await lock.release();
  });

  it("reports a lock that another process has taken over, and does not remove it", async () => {
    const clock = new ManualClock();
    let reported: Error | undefined;
    const lock = await bucket(clock).lock((error) => {
      reported = error;
    });
    s3.objects.set("my chain/lock.json", { body: Buffer.from('{"token":"x"}'), writtenMs: Date.now() });
    await clock.advance(60_000);
    await expect.poll(() => reported?.message).toContain("has taken over");
    await lock.release();
    expect(s3.objects.has("my chain/lock.json")).toBe(true);
  });
});

describe("openTarget", () => {
  const env = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };

  it("reads where a bucket is from the environment", async () => {
    const target = openTarget(`s3://${s3.bucket}/a/b/`, { env: { ...env, AWS_ENDPOINT_URL: s3.endpoint } });
    expect(target.place).toBe(`s3://${s3.bucket}/a/b/`);
    await target.write("x", chunksOf("text"));
    expect([...s3.objects.keys()]).toEqual(["a/b/x"]);
  });

  it.each([
    ["s3://", env],
    ["s3://b/c", {}],
    ["https://host/folder", env],
  ])("refuses %s", (place, given) => {
    expect(() => openTarget(place, { env: given })).toThrow(expect.objectContaining({ code: "bad-config" }));
  });
});
