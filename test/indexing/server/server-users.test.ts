import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql, text } from "../../../src/engine-sql/sql-text.ts";
import { connectServerEngine } from "../../../src/storage/engines/server/server-engine.ts";
import {
  privilegesOf,
  READER_SETTINGS,
  type ServerRole,
  serverUserStatements,
} from "../../../src/storage/engines/server/server-users.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { startClickHouse } from "../../support/engine/clickhouse-server.ts";
import { bundleCounts, MAINNET } from "../../support/nodes/bundles.ts";
import { startReplayNode } from "../../support/nodes/replay/replay-node.ts";
import {
  apiAt,
  type Finished,
  type Node,
  type Running,
  runQuarry,
  startQuarry,
  temporaryFolder,
} from "../../support/processes/processes.ts";

const { first, last } = bundleCounts(MAINNET);
const TRADES = "SELECT COUNT(*) AS trades, MIN(block_number) AS first FROM eth_dex_trades";
const HOOK = ["add", "https://example.org/hook", "--rule", '{"type":"blocks"}'];

/**
 * The only privilege that the writer has beyond the printed ones. The test's HTTP interface passes a file to
 * the engine for each insert, which a real server does not need. The engine's own access control is in use.
 */
const OF_FRONT = "GRANT READ ON FILE";

describe("the printed users of a ClickHouse server", () => {
  const folder = temporaryFolder();
  let node: Node;

  beforeAll(async () => {
    node = await startReplayNode([MAINNET]);
  });

  afterAll(async () => {
    await node?.stop();
    folder.remove();
  });

  /** Starts the server with one user, runs the work, and stops the server. */
  async function as(role: ServerRole, work: (server: string) => Promise<void>): Promise<void> {
    const configuration = join(folder.path, `${role}.xml`);
    const users = join(folder.path, `${role}-users.xml`);
    const grants = privilegesOf(role, "default").map(({ privileges, on }) =>
      `GRANT ${privileges} ON ${on}`.replaceAll("`", ""),
    );
    writeFileSync(configuration, `<clickhouse><users_config>${users}</users_config></clickhouse>`);
    writeFileSync(users, usersFile(role === "writer" ? [...grants, OF_FRONT] : grants, role));
    const server = await startClickHouse(join(folder.path, "db"), configuration);
    try {
      await work(server.url);
    } finally {
      await server.stop();
    }
  }

  async function quarry(server: string, ...args: string[]): Promise<Finished> {
    const result = await runQuarry([...args, "--clickhouse", server]);
    expect(result, result.stderr).toMatchObject({ code: 0 });
    return result;
  }

  const range = (from: number, to: number) => [
    ...["--rpc", node.url, "--from", String(from), "--to", String(to)],
  ];

  async function serving(server: string, ask: (service: Running, url: string) => Promise<void>) {
    const service = startQuarry(["serve", "--clickhouse", server, "--port", "0", "--workers", "1"]);
    const [, url = ""] = await service.printed(/serving on (http:\/\/[\w.:]+)/);
    await ask(service, url);
    expect((await service.stop()).code).toBe(0);
  }

  let trades: unknown;

  it("let the writer index, extend, roll back, prune, repair and deliver webhooks", async () => {
    await as("writer", async (server) => {
      const middle = first + 2;
      await quarry(server, "index", ...range(middle, last));
      await quarry(server, "index", ...range(first, last), "--fsync");
      await quarry(server, "rewind", String(last - 1));
      await quarry(server, "index", ...range(first, last));
      await quarry(server, "repair", "metadata", "--rpc", node.url);
      await quarry(server, "prune", "--before", String(first + 1));
      await quarry(server, "hooks", ...HOOK);
      await serving(server, async (service, url) => {
        [trades] = await apiAt(url).sql(TRADES);
        expect(trades).toMatchObject({ first });
        expect(service.output()).not.toContain("may only read");
      });
      await quarry(server, "doctor", "--deep", "--rpc", node.url);
    });
  }, 300_000);

  it("let the reader serve the same, and nothing else", async () => {
    await as("reader", async (server) => {
      await serving(server, async (service, url) => {
        expect((await apiAt(url).sql(TRADES))[0]).toEqual(trades);
        expect(await apiAt(url).get("/v1/status")).toMatchObject({ chains: [{ indexed_block: last }] });
        expect(service.output()).toContain("is read-only, so this process delivers no webhooks");
        expect(service.output()).not.toMatch(/"level":"?(error|50)/);
      });
      const indexing = await runQuarry(["index", ...range(first, last), "--clickhouse", server]);
      expect(indexing.stderr).toMatch(/may only read\. Give --clickhouse a user who may write/);
      expect(indexing.code).toBe(2);
      const adding = await runQuarry(["hooks", ...HOOK, "--clickhouse", server]);
      expect(adding.stderr).toMatch(/lacks a required permission\. `quarry clickhouse grants` prints/);
      const engine = await connectServerEngine({ url: server });
      await expectDenied(engine, "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a UInt8')");
      await expectDenied(engine, "SELECT * FROM file('/etc/passwd', 'CSV', 'a String')");
      await engine.close();
    });
  });

  it("are created by statements that the engine can parse", async () => {
    await as("reader", async (server) => {
      const engine = await connectServerEngine({ url: server });
      const users = (["writer", "reader"] as const).map((role) => ({
        role,
        name: `quarry_${role}`,
        passwordHash: "0f".repeat(32),
      }));
      for (const statement of serverUserStatements("quarry", users, { isCloud: true })) {
        const [found] = await engine.query<{ printed: string }>(
          sql`SELECT formatQuerySingleLine(${text(statement)}) AS printed`,
        );
        expect(found?.printed.replaceAll("`", "")).toMatch(
          /^(CREATE (DATABASE|USER|SETTINGS PROFILE)|GRANT) /,
        );
      }
      await engine.close();
    });
  });
});

function usersFile(grants: readonly string[], role: ServerRole): string {
  const [name, value] = READER_SETTINGS.split(" = ");
  const profile = role === "reader" ? `<${name}>${value}</${name}>` : "";
  const queries = grants.map((grant) => `<query>${grant}</query>`).join("");
  return `<clickhouse>
    <profiles><default>${profile}</default></profiles>
    <quotas><default/></quotas>
    <users><default><password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
      <grants>${queries}</grants></default></users>
  </clickhouse>`;
}

async function expectDenied(engine: Engine, statement: string): Promise<void> {
  await expect(engine.query(statement as never)).rejects.toMatchObject({
    message: expect.stringContaining("lacks a required permission"),
  });
}
