import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../../src/engine-sql/sql-text.ts";
import { connectServerEngine } from "../../../src/storage/engines/server/server-engine.ts";
import { type ClickHouseServer, startClickHouse } from "../../support/engine/clickhouse-server.ts";
import { FaultyServer } from "../../support/engine/servers/faulty-server.ts";
import { startUnacceptingAddress } from "../../support/engine/unaccepting-address.ts";
import { bundleCounts, MAINNET } from "../../support/nodes/bundles.ts";
import { startReplayNode } from "../../support/nodes/replay/replay-node.ts";
import {
  type Node,
  postSql,
  runQuarry,
  startQuarry,
  temporaryFolder,
} from "../../support/processes/processes.ts";
import { seeded } from "../../support/seeded.ts";
import { indexDuring } from "./support/index-during.ts";

const { first, last } = bundleCounts(MAINNET);
const BLOCKS_BEFORE = 4;
const SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);
/** Faults that end a request at once. */
const FAULTS = ["gone", "cut", "gateway"] as const;
const ROUNDS = 2 * FAULTS.length;

describe("a ClickHouse server with two addresses", () => {
  const folder = temporaryFolder();
  let node: Node;
  let behind: ClickHouseServer;
  let addresses: [FaultyServer, FaultyServer];

  beforeAll(async () => {
    // A block every second and a half, so that faults coincide with commits.
    node = await startReplayNode([MAINNET], { head: first + BLOCKS_BEFORE, advanceMs: 1_500 });
    behind = await startClickHouse(folder.path);
    addresses = [new FaultyServer(behind.url), new FaultyServer(behind.url)];
    for (const address of addresses) await address.start();
  });

  afterAll(async () => {
    await Promise.all([node?.stop(), ...(addresses ?? []).map((address) => address.stop())]);
    await behind?.stop();
    folder.remove();
  });

  const urls = () => addresses.map(({ url }) => url).join(",");

  it("answers all requests while one of them fails, and no row is lost or stored twice", async () => {
    const random = seeded(SEED);
    const statuses: number[] = [];
    await indexDuring({ node, addresses: urls(), server: behind }, async (url) => {
      const ask = async () => {
        statuses.push((await postSql(url, "SELECT COUNT(*) AS n FROM eth_blocks")).status);
      };
      for (let round = 0; round < ROUNDS; round++) {
        const faulty = addresses[round % 2 === 0 ? 0 : 1];
        const fault = FAULTS[Math.floor(round / 2)] ?? "gone";
        await faulty.during(fault, async () => {
          for (let i = 0; i < 4; i++) {
            await ask();
            await sleep(200 + 300 * random());
          }
        });
      }
      expect(statuses).toEqual(Array(4 * ROUNDS).fill(200));
      await addresses[0].during("gone", () => addresses[1].during("gone", ask));
      expect(statuses.at(-1)).toBe(503);
    });
  });

  it("gets a write again only if it cannot have reached the server, and a read in any case", async () => {
    const [one, other] = [new FaultyServer(behind.url), new FaultyServer(behind.url)];
    await Promise.all([one.start(), other.start()]);
    const both = await connectServerEngine({ url: one.url }, { url: other.url });
    const count = async () =>
      (await both.query<{ n: string }>(sql`SELECT toUInt32(count()) AS n FROM numbers_stored`))[0]?.n;
    const insert = () => both.insert("numbers_stored", ["number"], [Uint8Array.of(7)]);
    await both.execute(sql`CREATE TABLE numbers_stored (number UInt8) ENGINE = MergeTree ORDER BY number`);
    await one.during("cut", async () => {
      await untilClosed();
      // With this fault, the server runs the first statement, although the client gets no response.
      await expect(insert()).rejects.toMatchObject({ code: "unavailable" });
    });
    expect(await count()).toBe(1);
    await other.during("gone", async () => {
      await untilClosed();
      await insert();
    });
    expect(await count()).toBe(2);
    await one.during("gateway", async () => expect(await count()).toBe(2));
    await other.during("cut", async () => expect(await count()).toBe(2));
    await one.during("gone", async () => {
      await expect(other.during("gone", insert)).rejects.toMatchObject({ code: "unavailable" });
    });
    await insert();
    expect(await count()).toBe(3);
    await both.close();
    await Promise.all([one.stop(), other.stop()]);
  });

  it("leaves an address that accepts no connection after five seconds", async () => {
    const dead = await startUnacceptingAddress();
    const changes: object[] = [];
    const [{ url }] = addresses;
    const both = await connectServerEngine({ url }, { url: dead.url });
    both.addresses?.follow((change) => changes.push(change));
    const one = () => both.query<{ n: number }>(sql`SELECT toUInt8(1) AS n`);
    try {
      await addresses[0].during("gone", async () => {
        // The statement waits for the other address, which accepts no connection.
        const started = performance.now();
        await expect(one()).rejects.toMatchObject({ code: "unavailable" });
        expect(performance.now() - started).toBeGreaterThan(4_900);
        expect(performance.now() - started).toBeLessThan(15_000);
      });
      expect(await Promise.all([one(), one()])).toEqual([[{ n: 1 }], [{ n: 1 }]]);
      await addresses[0].during("gone", async () => {
        await expect(both.execute(sql`SELECT 1`)).rejects.toMatchObject({ code: "unavailable" });
      });
      expect([changes, both.addresses?.changes]).toEqual([[], 0]);
      // The time limit for connecting does not apply to statements.
      expect(
        await both.query(
          sql`SELECT toUInt8(sleepEachRow(3)) AS n FROM numbers(2) SETTINGS max_block_size = 1`,
        ),
      ).toHaveLength(2);
      const late = await connectServerEngine({ url: dead.url }, { url });
      late.addresses?.follow((change) => changes.push(change));
      await late.query(sql`SELECT 1`);
      await late.close();
      const host = (of: string) => new URL(of).host;
      expect(changes).toEqual([{ from: host(dead.url), to: host(url) }]);
    } finally {
      await both.close();
      await dead.stop();
    }
  });

  it("leaves an address that no longer responds, although its connections exist", async () => {
    const [one, other] = [new FaultyServer(behind.url), new FaultyServer(behind.url)];
    await Promise.all([one.start(), other.start()]);
    const both = await connectServerEngine({ url: one.url }, { url: other.url });
    const read = () => both.query<{ n: number }>(sql`SELECT toUInt8(1) AS n`);
    // The number of reads exceeds the client's connections to the address.
    const reads = () => Promise.all(Array.from({ length: 100 }, read));
    await both.execute(sql`CREATE TABLE silent (number UInt8) ENGINE = MergeTree ORDER BY number`);
    const insert = () => both.insert("silent", ["number"], [Uint8Array.of(7)]);
    try {
      await one.during("silent", async () => {
        const written = expect(insert()).rejects.toMatchObject({ code: "unavailable" });
        expect(await reads()).toEqual(Array(100).fill([{ n: 1 }]));
        await written;
        expect(both.addresses?.changes).toBe(1);
        await insert();
      });
      // Neither address responds.
      await other.during("silent", async () => {
        await one.during("gone", async () => {
          await expect(read()).rejects.toMatchObject({ code: "unavailable" });
        });
      });
      expect(await read()).toEqual([{ n: 1 }]);
    } finally {
      await both.close();
      await Promise.all([one.stop(), other.stop()]);
    }
  });

  it("logs and counts each change of the address, without credentials", async () => {
    const flags = ["--port", "0", "--sql-cache-memory", "0", "--serving-memory", "0", "--workers", "1"];
    const withUser = urls().replaceAll("http://", "http://default@");
    const running = startQuarry(["serve", "--clickhouse", withUser, ...flags]);
    const [, url = ""] = await running.printed(/serving on (http:\/\/[\w.:]+)/);
    const ask = async () => (await postSql(url, "SELECT COUNT(*) AS n FROM eth_blocks")).status;
    const counted = async () =>
      /^quarry_server_address_changes_total (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];
    expect([await ask(), await counted()]).toEqual([200, "0"]);
    await addresses[0].during("gone", async () => {
      await addresses[1].during("gone", async () => {
        for (let i = 0; i < 5; i++) expect(await ask()).toBe(503);
      });
      for (let i = 0; i < 5; i++) expect(await ask()).toBe(200);
    });
    expect([await ask(), await counted()]).toEqual([200, "1"]);
    expect((await running.stop()).code).toBe(0);
    const lines = running.output().match(/^.*switched to another address of the ClickHouse server.*$/gm);
    const [from, to] = addresses.map((address) => new URL(address.url).host);
    expect(lines).toEqual([expect.stringContaining(`"from":"${from}","to":"${to}"`)]);
    expect(lines?.join()).not.toContain("default");
  });

  it("is found if its first address does not respond at the start, but not if none does", async () => {
    const gone = "http://127.0.0.1:9";
    const query = (given: string) =>
      runQuarry(["query", "SELECT COUNT(*) AS n FROM eth_blocks", "--clickhouse", given]);
    const found = await query(`${gone},${urls()}`);
    expect(found.code, found.stderr).toBe(0);
    expect(found.stdout).toContain(String(last - first + 1));
    const missing = await query(`${gone},http://127.0.0.1:10`);
    expect(missing.stderr).toMatch(/127\.0\.0\.1:9 does not respond.*127\.0\.0\.1:10 does not respond/);
    expect(missing.code).toBe(1);
  });

  it.each([
    ["database", "http://me:secret,word@127.0.0.1:9/one,http://me:secret,word@127.0.0.1:10/two"],
    ["user", "http://me:secret@127.0.0.1:9,http://127.0.0.1:10"],
    ["password", "http://me:secret@127.0.0.1:9,http://me:secret2@127.0.0.1:10"],
  ])("has one %s", async (what, given) => {
    const { code, stderr } = await runQuarry(["query", "SHOW TABLES", "--clickhouse", given]);
    expect(stderr).toContain(`must be addresses of the same database, but they differ in the ${what}.`);
    expect(stderr).not.toContain("secret");
    expect(code).toBe(2);
  });
});

/** Waits until the client has noticed that its idle connections are closed. */
const untilClosed = () => sleep(50);
