import { Writable } from "node:stream";
import fastify, { type FastifyBaseLogger, LogController } from "fastify";
import { pino } from "pino";
import { expect, it } from "vitest";
import { BaseError } from "../../lib/error.ts";
import { logRequests } from "./request-log.ts";

/** The log lines of a response with status 503. */
async function linesOf(failure: unknown): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
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
  logRequests(app);
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
