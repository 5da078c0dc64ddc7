/**
 * Serves the part of a ClickHouse server's HTTP interface that the client needs, from an in-process engine.
 * Prints its port; with 0, the system chooses one. The configuration can limit what the engine's user,
 * "default", may do. Usage: clickhouse-front.ts DIRECTORY PORT [CONFIGURATION]
 */
import { once } from "node:events";
import { createWriteStream, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Session } from "chdb";

const [directory = "", port, configuration] = process.argv.slice(2);
const connectionArgs = configuration === undefined ? [] : [`--config-file=${configuration}`];
const sessions = Array.from({ length: 10 }, () => new Session(directory, { connectionArgs }));
const arrived: ((session: Session) => void)[] = [];
let files = 0;

/** The engine has no query ids, so a setting holds them. */
const ID = "Settings['log_comment']";

/** Parameters of the HTTP interface that are not settings of the engine. */
const NOT_SETTINGS = new Set(["query", "query_id", "default_format", "database", "wait_end_of_query"]);

async function withSession<T>(run: (session: Session) => Promise<T>): Promise<T> {
  const session = sessions.pop() ?? (await new Promise<Session>((resolve) => arrived.push(resolve)));
  try {
    return await run(session);
  } catch (error) {
    // The engine prepends the output of a failed statement to the session's next result.
    await session.queryAsync("SET max_execution_time = 0, max_memory_usage = 0, log_comment = ''; SELECT 1");
    throw error;
  } finally {
    const next = arrived.shift();
    if (next) next(session);
    else sessions.push(session);
  }
}

function settingsOf(parameters: URLSearchParams): string {
  const settings = new Map([
    ["max_execution_time", "0"],
    ["max_memory_usage", "0"],
    // Older servers have this default.
    ["precise_float_parsing", "0"],
  ]);
  for (const [name, value] of parameters) if (!NOT_SETTINGS.has(name)) settings.set(name, value);
  settings.set("log_comment", parameters.get("query_id") ?? "");
  return [...settings].map(([name, value]) => `${name} = '${value}'`).join(", ");
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function answer(request: IncomingMessage, parameters: URLSearchParams): Promise<Uint8Array> {
  const inUrl = parameters.get("query");
  if (inUrl?.endsWith("FORMAT RowBinary")) return insert(request, inUrl, parameters);
  const statement = [inUrl, (await bodyOf(request)).toString()].filter(Boolean).join("\n");
  return run(statement.startsWith("KILL") ? statement.replaceAll("query_id", ID) : statement, parameters);
}

async function insert(
  request: IncomingMessage,
  statement: string,
  parameters: URLSearchParams,
): Promise<Uint8Array> {
  const file = join(directory, `body-${files++}`);
  await pipeline(request, createWriteStream(file));
  const source = `SELECT * FROM file('${file}', RowBinary)`;
  return run(statement.replace("FORMAT RowBinary", source), parameters).finally(() => rmSync(file));
}

async function run(statement: string, parameters: URLSearchParams): Promise<Uint8Array> {
  const format = parameters.get("default_format") ?? "TabSeparated";
  const text = `SET ${settingsOf(parameters)}; ${statement}`;
  const result = await withSession((session) => session.queryAsync(text, { format }));
  return result.bytes();
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://front");
  if (pathname === "/ping") {
    response.end("Ok.\n");
    return;
  }
  try {
    response.end(await answer(request, searchParams));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = /^Code: (\d+)/.exec(message)?.[1] ?? "1002";
    response.writeHead(500, { "X-ClickHouse-Exception-Code": code }).end(message);
  }
}

const server = createServer((request, response) => void handle(request, response));
server.listen(Number(port), "127.0.0.1");
await once(server, "listening");
console.log(`port ${(server.address() as AddressInfo).port}`);
