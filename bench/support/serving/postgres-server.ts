/**
 * A minimal HTTP server in front of PostgreSQL, in a separate process. It parses the parameters, runs one
 * prepared statement and sends its rows as JSON. Paths begin with `/rows` if this process writes the JSON, or
 * with `/json` if PostgreSQL writes it. The parent process controls it with messages.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import type { PostgresConnection } from "../postgres/postgres.ts";
import { serveParent } from "./child.ts";
import { type Given, POSTGRES_ROUTES, type PostgresRoute, type Row } from "./postgres-statements.ts";

export interface PostgresServerOptions {
  connection: PostgresConnection;
  /** Time of the newest block, in unix seconds. */
  now: number;
}

/** Number of connections. On two cores, more connections are slower. */
const CONNECTIONS = 8;

/** Reads bigint and numeric as numbers. */
for (const type of [20, 1700]) pg.types.setTypeParser(type, Number);

let now = 0;
let pool: pg.Pool | null = null;

async function answer(request: IncomingMessage): Promise<string> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  const inUrl = Object.fromEntries(searchParams);
  const given: Given = request.method === "POST" ? JSON.parse(await bodyOf(request)) : inUrl;
  const [, form = "", ...path] = pathname.split("/");
  const name = `/${path.join("/")}${given.groupby === undefined ? "" : ` ${given.groupby}`}`;
  const route = POSTGRES_ROUTES[name];
  if (route === undefined) throw new RangeError(`no statement for ${name}`);
  return form === "json" ? jsonOf(name, route, given) : rowsOf(name, route, given);
}

async function jsonOf(name: string, route: PostgresRoute, given: Given): Promise<string> {
  const text = `SELECT coalesce(json_agg(answer), '[]')::text AS json FROM (${route.text}) AS answer`;
  const rows = await run(`json ${name}`, text, route.values(given, now));
  return String(rows[0]?.json);
}

async function rowsOf(name: string, route: PostgresRoute, given: Given): Promise<string> {
  const rows = await run(`rows ${name}`, route.text, route.values(given, now));
  return JSON.stringify(route.finish === undefined ? rows : route.finish(rows, given, now));
}

async function run(name: string, text: string, values: unknown[]): Promise<Row[]> {
  const result = await pool?.query<Row>({ name, text, values });
  return result?.rows ?? [];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = await answer(request);
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    response.writeHead(200, headers).end(body);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}

const server = createServer(respond);

async function start(options: PostgresServerOptions): Promise<{ port: number }> {
  now = options.now;
  pool = new pg.Pool({ ...options.connection, max: CONNECTIONS, idleTimeoutMillis: 0 });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port };
}

serveParent(start, async () => pool?.end());
