/**
 * Clients of the service. They run in a separate process, so they do not share a thread with it. Each sends
 * its next request after the last byte of the previous response. The parent process controls them with
 * messages.
 */
import { performance } from "node:perf_hooks";
import { Agent, request } from "undici";

export interface Load {
  url: string;
  method: "GET" | "POST";
  body?: string;
  clients: number;
  /**
   * The load ends when it reaches `seconds` or `requests`, but not before each client has received a
   * response.
   */
  seconds: number;
  requests: number;
}

export interface LoadResult {
  /** Time of each request, from sending it to the last byte of the response. */
  milliseconds: number[];
  /** The last response. */
  answer: string;
  /** A response that was not a 200, or null. */
  failure: string | null;
}

async function run({ url, method, body, clients, seconds, requests }: Load): Promise<LoadResult> {
  const dispatcher = new Agent({ connections: clients });
  const result: LoadResult = { milliseconds: [], answer: "", failure: null };
  const endMs = performance.now() + seconds * 1000;
  let sent = 0;
  let last = new ArrayBuffer(0);
  const client = async () => {
    do {
      sent++;
      const startedMs = performance.now();
      const headers = body === undefined ? {} : { "content-type": "application/json" };
      const response = await request(url, { method, headers, body: body ?? null, dispatcher });
      const answer = await response.body.arrayBuffer();
      result.milliseconds.push(performance.now() - startedMs);
      last = answer;
      if (response.statusCode !== 200) result.failure = textOf(answer).slice(0, 300);
    } while (sent < requests && performance.now() < endMs && result.failure === null);
  };
  await Promise.all(Array.from({ length: clients }, client));
  await dispatcher.close();
  return { ...result, answer: textOf(last) };
}

function textOf(answer: ArrayBuffer): string {
  return Buffer.from(answer).toString();
}

process.on("message", async (load: Load) => {
  process.send?.(await run(load));
});
process.on("disconnect", () => process.exit());
