import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import { hashOfKey } from "../../api/keys/client-keys.ts";
import { changeKeyFile, type KeyRecord, newKey, readKeyFile } from "./key-file.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

let path: string;
let files = 0;
beforeEach(() => {
  path = join(folder.path, `keys-${files++}.json`);
});

const make = (name = "dashboard") =>
  newKey({
    ...{ name, scopes: ["data"], created_at: 1_700_000_000, expires_at: null, rate: 2.5 },
    ...{ monthly_requests: 1_000, query_time: null, query_memory: null, sql_rows: null },
  });

const add = (record: KeyRecord) => changeKeyFile(path, (keys) => [...keys, record]);

describe("a new key", () => {
  it("has 192 random bits, and only its hash is in its record", () => {
    const { key, record } = make();
    expect(key).toMatch(/^qk_[\w-]{32}$/);
    expect(record.hash).toBe(hashOfKey(key));
    expect(JSON.stringify(record)).not.toContain(key);
    const keys = Array.from({ length: 100 }, () => make());
    expect(new Set(keys.flatMap((one) => [one.key, one.record.id])).size).toBe(200);
  });
});

describe("a key file", () => {
  it("keeps what was written, is not readable for everyone, and leaves no draft", async () => {
    const records = [make("one").record, make("two").record];
    for (const record of records) await add(record);
    expect(await readKeyFile(path)).toEqual(records);
    expect(statSync(path).mode & 0o007).toBe(0);
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  it("may lack the limits that are younger than it", async () => {
    const { record } = make();
    const { monthly_requests, query_time, query_memory, sql_rows, ...old } = record;
    writeFileSync(path, JSON.stringify({ version: 1, keys: [old] }));
    expect(await readKeyFile(path)).toEqual([{ ...record, monthly_requests: null }]);
  });

  it("keeps its mode when it is changed", async () => {
    await add(make().record);
    chmodSync(path, 0o604);
    await add(make().record);
    expect(statSync(path).mode & 0o777).toBe(0o604);
  });

  it("stays as it is if a change fails", async () => {
    await add(make().record);
    const before = readFileSync(path, "utf8");
    const failing = changeKeyFile(path, () => {
      throw new RangeError("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect([readFileSync(path, "utf8"), existsSync(`${path}.part`)]).toEqual([before, false]);
  });

  it("is changed by one command at a time", async () => {
    writeFileSync(`${path}.part`, "");
    await expect(add(make().record)).rejects.toThrow(
      /another command is changing the key file\. If none is .*delete/,
    );
    expect(existsSync(path)).toBe(false);
  });

  it("in a folder that does not exist is an error that says so", async () => {
    path = join(path, "keys.json");
    await expect(add(make().record)).rejects.toThrow(
      `the key file ${path} cannot be written: there is no such file or directory (ENOENT)`,
    );
  });

  it("that is a folder is an error that says so", async () => {
    mkdirSync(path);
    await expect(add(make().record)).rejects.toThrow(
      `the key file ${path} cannot be read: it is a directory, not a file (EISDIR)`,
    );
  });

  it("that cannot be replaced is an error of its own", async () => {
    const failing = changeKeyFile(path, () => {
      rmSync(`${path}.part`);
      return [];
    });
    await expect(failing).rejects.toMatchObject({
      code: "bad-config",
      message: `the key file ${path} cannot be written: there is no such file or directory (ENOENT)`,
    });
  });

  it("may not have more than 10,000 keys", async () => {
    const many = Array.from({ length: 10_001 }, () => make().record);
    await expect(changeKeyFile(path, () => many)).rejects.toThrow("10000 keys");
  });

  it.each([
    ["no JSON", "{", /it is not JSON/],
    ["another version", JSON.stringify({ version: 2, keys: [] }), /version/],
    ["no hash", JSON.stringify({ version: 1, keys: [{ ...make().record, hash: "abc" }] }), /hash/],
    ["no scope", JSON.stringify({ version: 1, keys: [{ ...make().record, scopes: [] }] }), /scopes/],
    [
      "an unknown scope",
      JSON.stringify({ version: 1, keys: [{ ...make().record, scopes: ["all"] }] }),
      /scopes/,
    ],
    ["an unknown field", JSON.stringify({ version: 1, keys: [{ ...make().record, admin: true }] }), /admin/],
  ])("with %s is an error that names the file and the problem", async (_, text, problem) => {
    writeFileSync(path, text);
    await expect(readKeyFile(path)).rejects.toThrow(problem);
    await expect(readKeyFile(path)).rejects.toThrow(path);
  });

  it("that does not exist is an error with the command that creates it", async () => {
    await expect(readKeyFile(path)).rejects.toThrow(`quarry keys create NAME --key-file ${path}`);
  });
});
