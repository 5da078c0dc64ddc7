import { Writable } from "node:stream";
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { pino } from "pino";
import { expect, it } from "vitest";
import { BaseError } from "../../lib/error.ts";
import { readAddresses } from "../access/client-address.ts";
import { logRequests } from "./request-log.ts";

type Line = Record<string, unknown>;

function loggedApp(lines: Line[], withQueries: boolean): FastifyInstance {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const logger: FastifyBaseLogger = pino(sink);
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  readAddresses(app, []);
  logRequests(app, withQueries);
  return app;
}

/** Returns the log lines of a response with status 503. */
async function linesOf(failure: unknown): Promise<Line[]> {
  const lines: Line[] = [];
  const app = loggedApp(lines, false);
  app.get("/ready", async (request, reply) => {
    request.failure = failure;
    return reply.code(503).send();
  });
  await app.inject("/ready");
  await app.close();
  return lines;
}

it("logs a fault as an error, with its stack", async () => {
  expect(await linesOf(new BaseError("engine", "out of order"))).toMatchObject([
    { level: 50, msg: "failed", status: 503, err: { message: "out of order", stack: expect.any(String) } },
  ]);
});

it("does not log an error while nothing is indexed yet, because polling then is normal", async () => {
  const [line, ...others] = await linesOf(new BaseError("not-ready", "No block yet."));
  expect(others).toEqual([]);
  expect(line).toMatchObject({ level: 30, msg: "not ready", status: 503, reason: "No block yet." });
  expect(line).not.toHaveProperty("err");
});

it("logs that file handles are missing in one line, without a stack", async () => {
  const [line, ...others] = await linesOf(Object.assign(new Error("open 'answer'"), { code: "EMFILE" }));
  expect(others).toEqual([]);
  expect(line).toMatchObject({ level: 50, status: 503, msg: expect.stringContaining("no free file handle") });
  expect(line).not.toHaveProperty("err");
});

/** Returns the log lines of two SQL requests over one connection, each answered with 5,000 bytes. */
async function linesOfQueries(withQueries: boolean, text: string): Promise<Line[]> {
  const lines: Line[] = [];
  const app = loggedApp(lines, withQueries);
  app.post("/v1/sql", async () => "x".repeat(5_000));
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  for (const query of [text, text]) {
    const response = await fetch(`${url}/v1/sql?key=hush`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    await response.text();
  }
  await app.close();
  return lines.filter(({ status }) => status === 200);
}

it("names the client, the bytes sent and a fingerprint of the query, but neither its text nor keys", async () => {
  const lines = await linesOfQueries(false, "SELECT 'private'");
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).toMatchObject({ client: "127.0.0.1", path: "/v1/sql", query: "e86080a1cdb1" });
    expect(line.bytes).toBeGreaterThan(5_000);
    expect(line.bytes).toBeLessThan(6_000);
  }
  expect(JSON.stringify(lines)).not.toMatch(/private|hush/);
});

it("logs the text of queries on request, shortened, and never as a line of its own", async () => {
  const text = `SELECT 1\n{"level":50}${"x".repeat(9_000)}`;
  const [line] = await linesOfQueries(true, text);
  expect(line?.sql).toBe(text.slice(0, 4_000));
});
