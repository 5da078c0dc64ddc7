import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingHttpHeaders, request as send } from "node:http";
import { createServer, type Server, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../../src/engine-sql/sql-text.ts";
import { connectServerEngine } from "../../../src/storage/engines/server/server-engine.ts";
import type { TlsFiles } from "../../../src/storage/engines/server/server-tls.ts";
import { type ClickHouseServer, startClickHouse } from "../../support/engine/clickhouse-server.ts";
import { runQuarry, temporaryFolder } from "../../support/processes/processes.ts";

const pathOf = (name: string) => join(import.meta.dirname, "../../data/tls", `${name}.pem`);
const contentOf = (name: string) => readFileSync(pathOf(name));
const CA = pathOf("authority");
const CLIENT = { cert: pathOf("client"), key: pathOf("client-key") };

const folder = temporaryFolder();
let behind: ClickHouseServer;
let server: Server | undefined;
let received: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  behind = await startClickHouse(join(folder.path, "engine"));
});
afterAll(async () => {
  await behind?.stop();
  folder.remove();
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Starts a server with this certificate in front of the engine. Returns its address. */
async function serve(name: "server" | "stranger", options: ServerOptions = {}): Promise<string> {
  received = [];
  const own = { cert: contentOf(name), key: contentOf(`${name}-key`) };
  server = createServer({ ...own, ...options }, (request, response) => {
    received.push(request.headers);
    const { method = "GET", headers } = request;
    const forwarded = send(`${behind.url}${request.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const MUTUAL = { ca: contentOf("authority"), requestCert: true, rejectUnauthorized: true };

async function rowsOver(url: string, tls: TlsFiles, login = {}): Promise<unknown[]> {
  const engine = await connectServerEngine({ url, tls, ...login });
  try {
    await engine.execute(sql`CREATE TABLE IF NOT EXISTS tls_rows (n UInt8) ENGINE = MergeTree ORDER BY n`);
    return await engine.query(sql`SELECT count() AS tables FROM system.tables WHERE name = 'tls_rows'`);
  } finally {
    await engine.close();
  }
}

describe("a ClickHouse server over TLS", () => {
  it("is trusted if an authority of --clickhouse-ca signed its certificate", async () => {
    const url = await serve("server");
    expect(await rowsOver(url, { ca: CA }, { username: "writer", password: "pass" })).toEqual([
      { tables: 1 },
    ]);
    const basic = `Basic ${Buffer.from("writer:pass").toString("base64")}`;
    expect(received.map(({ authorization }) => authorization)).toEqual(Array(received.length).fill(basic));
  });

  it("is not trusted otherwise", async () => {
    const refused =
      /^The ClickHouse server at https:\S+ has a certificate that is not trusted \(.+\)\. Check --clickhouse-ca,/;
    await expect(rowsOver(await serve("server"), {})).rejects.toThrow(refused);
    server?.close();
    await expect(rowsOver(await serve("stranger"), { ca: CA })).rejects.toThrow(refused);
    server?.close();
    await expect(rowsOver(await serve("stranger"), { ca: pathOf("stranger") })).rejects.toThrow(refused);
  });

  it("may demand a client certificate, which identifies the user if there is no password", async () => {
    const url = await serve("server", MUTUAL);
    expect(await rowsOver(url, { ca: CA, ...CLIENT }, { username: "reader" })).toEqual([{ tables: 1 }]);
    for (const headers of received) {
      expect(headers).toMatchObject({
        "x-clickhouse-user": "reader",
        "x-clickhouse-ssl-certificate-auth": "on",
      });
      expect(headers.authorization).toBeUndefined();
    }
    expect(await rowsOver(url, { ca: CA, ...CLIENT }, { username: "a", password: "b" })).toHaveLength(1);
    expect(received.at(-1)?.authorization).toMatch(/^Basic /);
    await expect(rowsOver(url, { ca: CA })).rejects.toThrow(
      /^The ClickHouse server at https:\S+ does not accept the connection over TLS \(.*certificate required\)\. Check --clickhouse-ca/,
    );
  });

  it.each([
    ["http://127.0.0.1:1", { ca: CA }, /need an address with https:\/\/ in --clickhouse/],
    ["https://127.0.0.1:1", { cert: CLIENT.cert }, /belong together/],
    ["https://127.0.0.1:1", { key: CLIENT.key }, /belong together/],
    ["https://127.0.0.1:1", { ca: "/nowhere.pem" }, /^The file \/nowhere\.pem cannot be read\.$/],
    ["https://127.0.0.1:1", { ca: import.meta.filename }, /has no certificate in PEM form/],
    ["https://127.0.0.1:1", { cert: CLIENT.cert, key: pathOf("server-key") }, /cannot be used: .*mismatch/],
  ])("is refused with files that cannot be used: %s %j", async (url, tls, message) => {
    await expect(connectServerEngine({ url, tls })).rejects.toThrow(message);
  });

  it("is used by the commands with --clickhouse-ca, --clickhouse-cert and --clickhouse-key", async () => {
    const url = await serve("server", MUTUAL);
    const files = ["--clickhouse-cert", CLIENT.cert, "--clickhouse-key", CLIENT.key];
    const query = (...more: string[]) =>
      runQuarry(["query", "SHOW TABLES", "--clickhouse", url, ...more, "--format", "csv"]);
    const { code, stdout, stderr } = await query("--clickhouse-ca", CA, ...files);
    expect([code, stdout.split("\n")[0]], stderr).toEqual([0, '"table","description"']);
    const refused = await query(...files);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("is not trusted")]);
  });
});
