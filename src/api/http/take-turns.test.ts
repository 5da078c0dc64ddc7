import Fastify from "fastify";
import { expect, it } from "vitest";
import { FairTurns } from "../../lib/queues/fair-turns.ts";
import { readAddresses } from "../access/client-address.ts";
import { takeTurns } from "./take-turns.ts";

it("serves the probes of an address soon, however many others send", async () => {
  let nowMs = 0;
  const app = Fastify();
  readAddresses(app, []);
  takeTurns(app, new FairTurns(() => nowMs), { connections: 10, addressConnections: 10 });
  const served: string[] = [];
  app.get("/health", { config: { isProbe: true } }, async ({ ip }) => {
    served.push(ip);
    // More than one iteration of the event loop has for turns, so that the other requests wait.
    nowMs += 5;
    return "ok";
  });
  const probe = (remoteAddress: string) => app.inject({ url: "/health", remoteAddress });
  const responses = await Promise.all([
    ...Array.from({ length: 40 }, () => probe("127.0.0.1")),
    ...Array.from({ length: 5 }, () => probe("127.0.0.2")),
  ]);
  expect(responses.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(served.indexOf("127.0.0.2")).toBeLessThan(4);
  await app.close();
});
