import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { hexOf } from "../../../../src/reads/support/market.ts";
import { type Listening, serveAnswers } from "../../../support/service.ts";
import { createClient, type StreamFrame, type StreamOptions } from "../../index.ts";

/** These tests simulate network faults that a real service does not produce. */
describe("a connection", () => {
  const listening: Listening[] = [];
  afterEach(async () => {
    for (const server of listening.splice(0)) await server.close();
  });

  const place = (block: number) =>
    `{"chain":"eth","commit":${block},"block":${block},"hash":"${hexOf(block, 32)}","timestamp":1,"finalized":null,"data":{}}`;
  const text = (event: string, block: number) =>
    `id: ${block}:${block}:${hexOf(block, 32)}\nevent: ${event}\ndata: ${place(block)}\n\n`;

  type Answer = (response: ServerResponse) => void;
  const events = (body: string): Answer => {
    return (response) => response.writeHead(200, { "content-type": "text/event-stream" }).write(body);
  };
  const cut = (body: string): Answer => {
    return (response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).write(body, () => response.destroy());
  };
  const refused = (status: number, seconds: number, code = "busy"): Answer => {
    const headers = { "retry-after": `${seconds}`, "x-error-code": code };
    return (response) => response.writeHead(status, headers).end('{"error":"No."}');
  };

  /** Starts a server that sends the answers in turn. Records the time and the `after` id of each request. */
  async function scripted(answers: Answer[], options: StreamOptions = {}) {
    const asked: { after: string | undefined; at: number }[] = [];
    const server = await serveAnswers((request: IncomingMessage, response) => {
      let body = "";
      request.on("data", (piece) => {
        body += piece;
      });
      request.on("end", () => {
        const { after } = JSON.parse(body) as { after?: string };
        asked.push({ after: after?.split(":")[1], at: performance.now() });
        (answers[asked.length - 1] ?? refused(400, 0))(response);
      });
    });
    listening.push(server);
    const frames = createClient({ url: server.url }).stream({ subscriptions: [{ type: "blocks" }] }, options);
    return { frames, asked };
  }

  async function rest(frames: AsyncGenerator<StreamFrame<object>, void>): Promise<unknown[]> {
    const seen: unknown[] = [];
    try {
      for await (const frame of frames)
        seen.push("block" in frame ? [frame.event, frame.block] : frame.event);
    } catch (error) {
      seen.push((error as { status?: number }).status);
    }
    return seen;
  }

  it("that is silent, cut in a frame, closed, lagging or shut down is replaced by one that resumes", async () => {
    const half = text("block", 3).slice(0, -1);
    const { frames, asked } = await scripted(
      [
        events(`: hello\n\n${text("snapshot", 1)}`),
        cut(`${text("block", 2).replaceAll("\n", "\r\n")}${half}`),
        (response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(text("block", 3)),
        events(`${text("block", 4)}event: lagged\ndata: {}\n\n`),
        events(`event: news\ndata: {}\n\n${text("block", 5)}event: shutdown\ndata: {}\n\n`),
        events('event: reset\ndata: {"chain":"eth","reason":"repaired"}\n\nevent: lagged\ndata: {}\n\n'),
        events(text("snapshot", 7)),
      ],
      { silenceMs: 300 },
    );
    expect(await rest(frames)).toEqual([
      ["snapshot", 1],
      ["block", 2],
      ["block", 3],
      ["block", 4],
      ["block", 5],
      "reset",
      ["snapshot", 7],
      400,
    ]);
    expect(asked.map(({ after }) => after)).toEqual([undefined, "1", "2", "3", "4", "5", undefined, "7"]);
  });

  it("is opened again after the time that a busy service asks for, and ever later if it fails", async () => {
    const busy = [refused(503, 1), refused(429, 1), refused(500, 0), refused(502, 0)];
    const { frames, asked } = await scripted([cut(text("snapshot", 1)), ...busy]);
    expect(await rest(frames)).toEqual([["snapshot", 1], 400]);
    const waits = asked.slice(1).map(({ at }, i) => at - (asked[i]?.at ?? 0));
    const least = [125, 995, 995, 1000, 2000];
    expect(waits.map((wait, i) => wait >= (least[i] ?? 0) - 10)).toEqual(least.map(() => true));
  }, 60_000);

  it("is no longer tried if the key's monthly quota is used up", async () => {
    const { frames, asked } = await scripted([cut(text("snapshot", 1)), refused(429, 2_500_000, "quota")]);
    await frames.next();
    await expect(frames.next()).rejects.toMatchObject({ code: "quota", status: 429, message: "No." });
    expect(asked.length).toBe(2);
  });

  it("waits for an hour at most, even if a timer cannot be as long as the service asks for", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    const stop = new AbortController();
    const { frames, asked } = await scripted([cut(text("snapshot", 1)), refused(503, 2_500_000)], {
      signal: stop.signal,
    });
    await frames.next();
    const waiting = frames.next();
    await expect.poll(() => asked.length).toBe(2);
    await expect.poll(() => Math.max(...timers.mock.calls.map(([, ms = 0]) => ms))).toBe(3_600_000);
    stop.abort(new RangeError("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect(asked.length).toBe(2);
    timers.mockRestore();
  });

  it("is no longer tried if the first one fails, or if another server answers", async () => {
    const { frames } = await scripted([refused(500, 0)]);
    expect(await rest(frames)).toEqual([500]);
    const page: Answer = (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>");
    for (const answer of [page, events("id: 1\nevent: block\ndata: <html>\n\n")]) {
      const { frames: others } = await scripted([answer]);
      await expect(others.next()).rejects.toMatchObject({ name: "QuarryError", code: "not-quarry" });
    }
    const unreachable = createClient({ url: "http://127.0.0.1:1" });
    await expect(unreachable.stream({ subscriptions: [{ type: "blocks" }] }).next()).rejects.toMatchObject({
      code: "no-answer",
    });
  });
});
