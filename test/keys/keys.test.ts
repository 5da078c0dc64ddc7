import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/cli/open-store.ts";
import { commitTrades, ETH, hexOf } from "../../src/reads/support/market.ts";
import { type Running, runQuarry, startQuarry, temporaryFolder } from "../support/processes/processes.ts";

const folder = temporaryFolder();
const file = join(folder.path, "keys.json");
let running: Running;
let url = "";

/**
 * Polls slowly: until the service has read a new key, each request with the new key counts as a request with
 * a wrong key.
 */
const POLL = { interval: 1_000, timeout: 15_000 };

const quarryKeys = (...args: string[]) => runQuarry(["keys", ...args, "--key-file", file]);

async function created(...args: string[]): Promise<{ id: string; key: string }> {
  const { code, stdout, stderr } = await quarryKeys("create", ...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

async function statusWith(key: string, path = "/v1/status"): Promise<number> {
  return (await fetch(`${url}${path}`, { headers: { "x-api-key": key } })).status;
}

beforeAll(async () => {
  const data = join(folder.path, "data");
  const store = await openStore({ data });
  const chain = await store.openChain(ETH);
  await commitTrades(chain, [{ token: hexOf(1), at: 1_700_000_000, price: 1, usd: 1 }], {
    firstBlock: 1000,
    named: [hexOf(1)],
  });
  await store.close();
  await created("first");
  await serve();
});

/** Starts the service, on the same port as before if it ran before. */
async function serve(): Promise<void> {
  const port = url === "" ? "0" : new URL(url).port;
  const data = join(folder.path, "data");
  running = startQuarry(["serve", "--data", data, "--port", port, "--key-file", file, "--workers", "2"]);
  [, url = ""] = await running.printed(/serving on (http:\/\/[\w.:]+)/);
}

async function serveAgain(): Promise<void> {
  await running.stop();
  await serve();
}

afterAll(async () => {
  await running?.stop();
  folder.remove();
});

describe("quarry keys", () => {
  it("creates keys that a running service accepts within two seconds, until they are revoked", async () => {
    const { id, key } = await created("dashboard", "--days", "30", "--rate", "50");
    await expect.poll(() => statusWith(key), POLL).toBe(200);
    await expect.poll(() => statusWith(key, "/metrics"), POLL).toBe(403);
    await expect.poll(() => statusWith(key, "/v1/operations"), POLL).toBe(403);
    const revoked = await quarryKeys("revoke", id);
    expect([revoked.code, revoked.stdout]).toEqual([0, `${id} is revoked.\n`]);
    await expect.poll(() => statusWith(key), POLL).toBe(401);
  });

  it("creates a key that may see what the others do", async () => {
    const { key } = await created("operator", "--scopes", "operations");
    await expect.poll(() => statusWith(key, "/v1/operations"), POLL).toBe(200);
    expect(await statusWith(key)).toBe(403);
    expect((await fetch(`${url}/v1/operations`)).status).toBe(401);
  });

  it("keeps the previous keys while the file is invalid or missing, and says so", async () => {
    const { key } = await created("steady");
    await expect.poll(() => statusWith(key), POLL).toBe(200);
    const good = readFileSync(file, "utf8");
    writeFileSync(file, good.slice(0, 100));
    await running.printed(/the key file cannot be read, so the keys last read from it stay valid/);
    expect(await statusWith(key)).toBe(200);
    expect(await statusWith("qk_wrong-wrong-wrong")).toBe(401);
    writeFileSync(file, good);
  });

  it("lists keys without their secrets", async () => {
    const { id, key } = await created("prometheus", "--scopes", "metrics");
    const { stdout } = await quarryKeys("list");
    expect(stdout).toMatch(new RegExp(`${id} .*prometheus .*metrics .*never`));
    const { keys } = JSON.parse((await quarryKeys("list", "--json")).stdout);
    expect(keys.find((one: { id: string }) => one.id === id)).toEqual({
      ...{ id, name: "prometheus", scopes: ["metrics"], rate: null, monthly_requests: null },
      ...{ query_time: null, query_memory: null, sql_rows: null },
      ...{ created_at: expect.any(Number), expires_at: null, is_expired: false },
    });
    for (const text of [stdout, JSON.stringify(keys), readFileSync(file, "utf8")])
      expect(text).not.toContain(key);
  });

  it("limits a key, and counts what it uses in all workers, even after a restart", async () => {
    const limits = [
      "--monthly-requests",
      "30",
      "--query-time",
      "5",
      "--query-memory",
      "64",
      "--sql-rows",
      "1",
    ];
    const { id, key } = await created("guests", ...limits);
    const headers = { "x-api-key": key, connection: "close", "content-type": "application/json" };
    const body = JSON.stringify({ query: "SELECT COUNT(*) AS n FROM eth_dex_trades" });
    const query = async () => (await fetch(`${url}/v1/sql`, { method: "POST", headers, body })).status;
    const usage = async () =>
      (await (await fetch(`${url}/v1/check-usage`, { headers })).json()) as {
        key?: string;
        requests: number;
      };
    // Each worker reads the file by itself. Connections are spread over the workers in turn.
    const isKnown = async () =>
      (await Promise.all([1, 2, 3, 4].map(usage))).every(({ key: known }) => known === id);
    await expect.poll(isKnown, POLL).toBe(true);
    expect(await query()).toBe(200);
    expect(await usage()).toMatchObject({
      ...{ key: id, requests_limit: 30, is_recorded: true },
      limits: { query_seconds: 5, query_mebibytes: 64, sql_rows: 1 },
    });
    for (let i = 1; i < 10; i++) expect(await query()).toBe(200);
    await expect.poll(async () => (await usage()).requests, POLL).toBe(10);
    await serveAgain();
    expect(await usage()).toMatchObject({ requests: 10, requests_remaining: 20, sql_queries: 10 });
    const sent = [];
    while (sent.length < 60 && sent.at(-1) !== 429) sent.push(await query());
    expect(sent.at(-1)).toBe(429);
    await running.stop();
    const folderOf = ["--data", join(folder.path, "data")];
    const { keys } = JSON.parse((await quarryKeys("usage", ...folderOf, "--json")).stdout);
    const counted = keys.find((one: { id: string }) => one.id === id);
    // Each worker learns of the other's requests with a delay.
    expect(counted.requests).toBeGreaterThanOrEqual(30);
    expect(counted).toMatchObject({ name: "guests", requests: sent.length - 1 + 10, monthly_requests: 30 });
    expect(counted.sql_seconds).toBeGreaterThan(0);
    const { stdout } = await quarryKeys("usage", ...folderOf);
    expect(stdout).toMatch(
      new RegExp(`^${id} +guests +${counted.requests} +30 +${counted.sql_queries} `, "m"),
    );
    expect((await quarryKeys("list")).stdout).toMatch(/guests .* 30\/month, 5 s, 64 MiB, 1 row /);
    await serve();
  });

  it("logs the id of a key, and never the key", async () => {
    const { id, key } = await created("logged");
    await expect.poll(() => statusWith(key), POLL).toBe(200);
    await running.printed(new RegExp(`"?key"?[:=] ?"?${id}`));
    expect(running.output()).not.toContain(key);
  });

  it.each([
    [["create"], "a name for the key is missing. Example: quarry keys create dashboard"],
    [["create", "a\u0007b"], "the name has unprintable characters."],
    [["create", "x", "--days", "0"], '--days: "0" is not a number above 0 and at most 36500.'],
    [["create", "x", "--rate", "fast"], '--rate: "fast" is not a number above 0 and at most 1000000.'],
    [
      ["create", "x", "--scopes", "sqll"],
      '--scopes: "sqll" is not a scope; the scopes are data, sql, metrics, operations.',
    ],
    [["list", "x"], 'list takes no further argument, but "x" was given.'],
    [["list", "--days", "3"], "--days applies only to quarry keys create, not to list."],
    [["list", "--month", "2026-11"], "--month applies only to quarry keys usage, not to list."],
    [["usage", "--month", "../x"], '--month: "../x" is not recorded in '],
    [["create", "x", "--monthly-requests", "1.5"], "--monthly-requests: 1.5 is not a whole number."],
    [["create", "x", "--query-time", "0"], '--query-time: "0" is not a number above 0 and at most 3600.'],
    [["revoke"], "the id of a key is missing. Example: quarry keys revoke key_0123456789ab"],
    [["revoke", "key_000000000000"], 'there is no key "key_000000000000"'],
  ])("reports a mistake and changes nothing: %j", async (args, message) => {
    const before = readFileSync(file, "utf8");
    const { code, stdout, stderr } = await quarryKeys(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect([readFileSync(file, "utf8"), existsSync(`${file}.part`)]).toEqual([before, false]);
  });

  it("needs the path of the file, and a service with a missing file does not start", async () => {
    const { code, stderr } = await runQuarry(["keys", "list"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--key-file is missing")]);
    const data = join(folder.path, "other");
    const missing = join(folder.path, "missing.json");
    const service = await runQuarry(["serve", "--data", data, "--port", "0", "--key-file", missing]);
    expect([service.code, service.stderr]).toEqual([
      2,
      expect.stringContaining(`there is no key file ${missing}`),
    ]);
  });
});
