import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  body: {
    event: string;
    id: string | null;
    block?: number;
    hash?: string;
    part: number;
    parts: number;
    data: Record<string, Record<string, unknown>[]>;
    rolled_back?: string[];
    webhook: string;
  };
}

type Answer = (response: ServerResponse, received: Received) => void;

const accept: Answer = (response) => void response.writeHead(204).end();

/** An HTTP server that receives webhooks. */
export interface TestReceiver {
  url: string;
  /** All requests, oldest first. */
  requests: Received[];
  /** Responses to the next requests, one after another. Later requests are accepted. */
  answers: Answer[];
  /** Resolves when there have been at least this many requests. */
  count(requests: number): Promise<Received[]>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<TestReceiver> {
  const requests: Received[] = [];
  const answers: Answer[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const received = { headers: request.headers, text: sent, body: JSON.parse(sent) };
    requests.push(received);
    (answers.shift() ?? accept)(response, received);
    for (const look of waiting) look();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const count = (least: number) =>
    new Promise<Received[]>((resolve) => {
      const look = () => {
        if (requests.length < least) return;
        waiting.delete(look);
        resolve(requests);
      };
      waiting.add(look);
      look();
    });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, requests, answers, count, close };
}

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end("no");

/** Leaves a request without a response. */
export const silence: Answer = () => {};

/** Verifies a signature according to docs/webhooks.md, without the service's code. */
export function isSigned({ headers, text: body }: Received, secret: string, nowMs: number): boolean {
  const [, t = "", v1 = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["quarry-signature"])) ?? [];
  const expected = createHmac("sha256", secret).update(`${t}.${body}`).digest();
  const isFresh = Math.abs(nowMs / 1000 - Number(t)) <= 300;
  return isFresh && timingSafeEqual(Buffer.from(v1.padEnd(64, "0"), "hex"), expected);
}
